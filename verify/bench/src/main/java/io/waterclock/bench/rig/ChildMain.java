package io.waterclock.bench.rig;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;

/**
 * The other end of {@link Child}: reads what to start and then questions from standard input, and
 * answers on the output. Ends when the input does.
 */
final class ChildMain {
  /** Why a question gave nothing. */
  record Failure(String reason) implements Serializable {}

  private ChildMain() {}

  /**
   * @param args a name, for people who list processes
   */
  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is the child's log
  public static void main(String[] args) {
    int status = 0;
    try {
      run();
    } catch (Exception e) {
      e.printStackTrace();
      status = 1;
    }
    System.exit(status); // client threads may wait for a broker that has gone first
  }

  private static void run() throws Exception {
    PrintStream output = System.out;
    System.setOut(System.err); // the log gets what libraries print
    ObjectOutputStream answers = new ObjectOutputStream(output);
    ObjectInputStream questions = new ObjectInputStream(new BufferedInputStream(System.in));
    Object subject = ((Child.Start<?>) questions.readObject()).start();
    serve(subject, questions, answers);
    if (subject instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  @SuppressWarnings("unchecked") // the parent asks what it has started
  private static void serve(Object subject, ObjectInputStream questions, ObjectOutputStream answers)
      throws Exception {
    while (true) {
      Child.Question<Object, ?> question;
      try {
        question = (Child.Question<Object, ?>) questions.readObject();
      } catch (EOFException e) {
        return;
      }
      answers.writeObject(answer(subject, question));
      answers.reset(); // it remembers all that it has written
      answers.flush();
    }
  }

  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is the child's log
  private static Serializable answer(Object subject, Child.Question<Object, ?> question) {
    try {
      return new Child.Answer(question.ask(subject));
    } catch (Exception e) {
      e.printStackTrace();
      return new Failure(e.toString());
    }
  }
}

package io.waterclock.bench.rig;

import io.waterclock.bench.run.BenchException;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A JVM on this one's class path with something in it, such as a scheduler. It is started, asked
 * and given orders by lambdas, which run there: what they capture and what they return is
 * serialized. It ends when this JVM does. For one thread at a time.
 *
 * @param <T> what runs in it; closed at its end in order, if it can be
 */
public final class Child<T> implements AutoCloseable {
  /** Starts what runs in the child. */
  @FunctionalInterface
  public interface Start<T> extends Serializable {
    T start() throws Exception;
  }

  /** Asks what runs in the child. */
  @FunctionalInterface
  public interface Question<T, R extends Serializable> extends Serializable {
    R ask(T subject) throws Exception;
  }

  /** Has what runs in the child do something. */
  @FunctionalInterface
  public interface Order<T> extends Serializable {
    void give(T subject) throws Exception;
  }

  /** What a question gave. */
  record Answer(Serializable value) implements Serializable {}

  private static final Duration LONGEST_ANSWER = Duration.ofHours(1);

  private static volatile boolean isEnding;

  private final Process process;
  private final Path log;
  private final ObjectOutputStream questions;
  private Optional<ObjectInputStream> answers = Optional.empty();

  private Child(Process process, Path log, Start<T> start) throws IOException {
    this.process = process;
    this.log = log;
    this.questions = new ObjectOutputStream(process.getOutputStream());
    questions.writeObject(start);
    questions.flush();
  }

  /** Does not wait until it is started. Its outputs go to the end of the log. */
  public static <T> Child<T> start(Start<T> start, List<String> jvmOptions, Path log) {
    return startWith(List.of(), start, jvmOptions, log);
  }

  /**
   * As {@link #start}.
   *
   * @param before the words before the command, such as {@code nice}
   */
  static <T> Child<T> startWith(
      List<String> before, Start<T> start, List<String> jvmOptions, Path log) {
    if (isEnding) {
      throw new BenchException("the benchmark is ended");
    }
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add(Child.class.getPackageName() + ".ChildMain");
    command.add(String.valueOf(log.getFileName()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      return new Child<>(builder.start(), log, start);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks and waits for the answer. Ends a child that takes more than an hour.
   *
   * @throws BenchException if the child fails or has ended
   */
  @SuppressWarnings("unchecked") // of the type that the question returns
  public <R extends Serializable> R ask(Question<T, R> question) {
    CompletableFuture<?> end =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(
                LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS, Runnable::run));
    try {
      questions.writeObject(question);
      questions.reset();
      questions.flush();
      if (answers.isEmpty()) {
        answers = Optional.of(new ObjectInputStream(process.getInputStream()));
      }
      Object came = answers.get().readObject();
      if (came instanceof Answer answer) {
        return (R) answer.value();
      }
      throw failed(came.toString());
    } catch (EOFException e) {
      awaitEnd();
      throw failed("the process has ended");
    } catch (IOException | ClassNotFoundException e) {
      awaitEnd();
      throw new BenchException("a process does not answer, see " + log, e);
    } finally {
      end.cancel(false);
    }
  }

  /** Gives an order and waits until it is done, else as {@link #ask}. */
  public void tell(Order<T> order) {
    ask(
        subject -> {
          order.give(subject);
          return true;
        });
  }

  private BenchException failed(String reason) {
    return new BenchException(log.getFileName() + ": " + reason + "; last in it: " + lastOfLog());
  }

  /** Starts no more children, and answers no thread that has asked a child which ends. */
  static void endAll() {
    isEnding = true;
  }

  /** Never returns while this JVM ends: the measurement is over. */
  private static void awaitEnd() {
    while (isEnding) {
      LockSupport.park();
    }
  }

  private String lastOfLog() {
    try (Stream<String> all = Files.lines(log)) {
      List<String> lines = all.filter(line -> !line.startsWith("\tat ")).toList();
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    } catch (IOException e) {
      return "unknown, " + e;
    }
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends the child as {@code kill -9} does, and returns when it has ended. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Ends the child in order, by force after 40 s. */
  @Override
  public void close() {
    try {
      questions.close();
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

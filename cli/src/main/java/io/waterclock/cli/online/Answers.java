package io.waterclock.cli.online;

import io.waterclock.cli.Terminal;
import io.waterclock.schemas.Problems;
import io.waterclock.schemas.avro.Answer;
import picocli.CommandLine.ExitCode;

/** What the scheduler said, for people, and the exit code that goes with it. */
final class Answers {
  private Answers() {}

  static int print(Answer answer, Terminal terminal) {
    String id = answer.getScheduleId();
    switch (answer.getVerdict()) {
      case ACCEPTED -> terminal.out().println(id + " accepted" + inForce(answer));
      case UNCHANGED -> terminal.out().println(id + " unchanged" + inForce(answer));
      case DELETED -> terminal.out().println(id + " deleted");
      case NOT_FOUND -> terminal.err().println("waterclock: there is no schedule " + id + ".");
      case REJECTED -> reject(answer, terminal);
    }
    return switch (answer.getVerdict()) {
      case ACCEPTED, UNCHANGED, DELETED -> ExitCode.OK;
      case NOT_FOUND, REJECTED -> ExitCode.SOFTWARE;
    };
  }

  private static String inForce(Answer answer) {
    String next =
        answer.getNext() == null ? "no next occurrence" : "next occurrence " + answer.getNext();
    return ": " + next + ", revision " + answer.getRevision();
  }

  private static void reject(Answer answer, Terminal terminal) {
    int count = answer.getProblems().size();
    terminal
        .err()
        .println(
            "waterclock: "
                + answer.getScheduleId()
                + " was rejected, for "
                + (count == 1 ? "one reason:" : count + " reasons:"));
    answer.getProblems().forEach(problem -> terminal.err().println("  " + Problems.text(problem)));
    if (answer.getRevision() != null) {
      terminal
          .err()
          .println("  The definition in force goes on: revision " + answer.getRevision() + ".");
    }
  }
}

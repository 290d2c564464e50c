package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import picocli.CommandLine.ExitCode;

/** Prints answers of the scheduler, and maps them to exit codes. */
public final class AnswerText {
  private AnswerText() {}

  /** The answer to a definition or a delete, as one JSON object on one line. */
  public static int printJson(Answer answer, Terminal terminal) {
    terminal.println(RecordCodecs.answer().toJson(answer));
    return exitCode(answer);
  }

  /** The answer to a definition or a delete. */
  public static int print(Answer answer, Terminal terminal) {
    int exitCode = print(answer, "accepted", "", terminal);
    if (answer.getVerdict() == Verdict.REJECTED && answer.getRevision() != null) {
      terminal
          .err()
          .println("  The definition in force stays: revision " + answer.getRevision() + ".");
    }
    return exitCode;
  }

  /**
   * The answer to a command.
   *
   * @param done the result if the command was executed now, for example "paused"
   */
  public static int printExecuted(Answer answer, String done, Terminal terminal) {
    String result =
        answer.getRepeats() == null ? done : "already executed at " + answer.getRepeats();
    return print(answer, result, "the command for ", terminal);
  }

  /**
   * @param request what was refused, before the id of the schedule
   */
  private static int print(Answer answer, String done, String request, Terminal terminal) {
    String id = answer.getScheduleId();
    switch (answer.getVerdict()) {
      case ACCEPTED, EXECUTED -> terminal.println(id + " " + done + inForce(answer));
      case UNCHANGED ->
          terminal.println(
              id + (answer.getRepeats() == null ? " unchanged" : " " + done) + inForce(answer));
      case DELETED -> terminal.println(id + " deleted");
      case NOT_FOUND -> notFound(answer, terminal);
      case REJECTED -> refused(answer, request + id + " was rejected", terminal);
      case CONFLICT -> refused(answer, id + " is not as expected", terminal);
    }
    return exitCode(answer);
  }

  public static int exitCode(Answer answer) {
    return switch (answer.getVerdict()) {
      case ACCEPTED, UNCHANGED, DELETED, EXECUTED -> ExitCode.OK;
      case NOT_FOUND, REJECTED, CONFLICT -> ExitCode.SOFTWARE;
    };
  }

  private static String inForce(Answer answer) {
    return ": " + next(answer) + ", revision " + answer.getRevision();
  }

  private static String next(Answer answer) {
    if (answer.getNext() != null) {
      return "next occurrence " + answer.getNext();
    }
    return answer.getState() == State.COMPLETED
        ? "it is complete and never fires again"
        : answer.getState() == State.ACTIVE
            ? "it NEVER FIRES: its calendars, skips or bounds leave out every occurrence"
            : "no next occurrence";
  }

  private static void notFound(Answer answer, Terminal terminal) {
    terminal.note("There is no schedule " + answer.getScheduleId() + ".");
  }

  private static void refused(Answer answer, String what, Terminal terminal) {
    terminal.note(what + ", for " + reasons(answer.getProblems().size()) + ":");
    answer.getProblems().forEach(problem -> terminal.err().println("  " + Problems.text(problem)));
  }

  /** {@code one reason}, {@code 3 reasons}. */
  public static String reasons(int number) {
    return number == 1 ? "one reason" : number + " reasons";
  }
}

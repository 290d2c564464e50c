package io.waterclock.definition;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.text.Problems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates commands, independently of their schedule. */
public final class CommandValidation {
  public static final int LONGEST_NOTE = 1_000;
  public static final int LONGEST_AUTHOR = 255;

  /** The most occurrences that may be skipped and are still to come. */
  public static final int MAX_SKIPS = 1_000;

  /** The most commanded fires of a schedule that may wait, whenever they were commanded. */
  public static final int MAX_WAITING_FIRES = 10_000;

  /** The most bytes that they may take once they fire. */
  public static final int MAX_WAITING_BYTES = 16 << 20;

  /**
   * The most bytes that the commanded fires of all schedules of a partition may take, without what
   * each has of its own.
   */
  public static final long MAX_WAITING_BYTES_OF_A_PARTITION = 256L << 20;

  /** The bytes that those of one schedule may take even when its partition has no more room. */
  public static final int WAITING_BYTES_OF_ITS_OWN = 64 << 10;

  /** The most backfills of a schedule that may run at a time. */
  public static final int MAX_BACKFILLS = 16;

  /** The most fires of a backfill that may run at a time, if they are bounded. */
  public static final int MOST_RUNNING = 100;

  /** The most occurrences that a question may ask for. */
  public static final int MOST_OCCURRENCES = 100;

  private final List<Problem> problems = new ArrayList<>();

  private CommandValidation() {}

  /** All problems of a command; empty if it may be executed. */
  public static List<Problem> problems(Command command) {
    CommandValidation validation = new CommandValidation();
    validation.check(command);
    return List.copyOf(validation.problems);
  }

  private void check(Command command) {
    try {
      FireKey.checkCommandId(command.getCommandId());
    } catch (InvalidIdException e) {
      problems.add(Problems.of("command_id", String.valueOf(e.getMessage()))); // with an example
    }
    said("", command.getNote(), command.getAuthor());
    Object action = command.getAction();
    if (action instanceof BackfillCommand backfill) {
      backfill(backfill);
    } else if (action instanceof PauseCommand pause) {
      said("pause.", pause.getNote(), pause.getAuthor());
    } else if (action instanceof ResumeCommand resume) {
      said("resume.", resume.getNote(), resume.getAuthor());
      atMost("resume.expected_note", resume.getExpectedNote(), LONGEST_NOTE);
    } else if (action instanceof NextCommand next
        && (next.getCount() < 1 || next.getCount() > MOST_OCCURRENCES)) {
      add(
          "next.count",
          "is " + next.getCount() + "; 1 to " + MOST_OCCURRENCES + " are allowed",
          "10");
    }
  }

  private void backfill(BackfillCommand backfill) {
    if (!backfill.getFrom().isBefore(backfill.getTo())) {
      add(
          "backfill.to",
          backfill.getTo() + " is not after from, so the range is empty",
          backfill.getFrom().plusSeconds(3_600).toString());
    }
    Integer most = backfill.getMaxRunning();
    if (most != null && (most < 1 || most > MOST_RUNNING)) {
      add("backfill.max_running", "is " + most + "; 1 to " + MOST_RUNNING + " are allowed", "4");
    }
  }

  private void said(String path, @Nullable String note, @Nullable String author) {
    atMost(path + "note", note, LONGEST_NOTE);
    atMost(path + "author", author, LONGEST_AUTHOR);
  }

  private void atMost(String field, @Nullable String text, int most) {
    if (text != null && text.length() > most) {
      add(field, "has " + text.length() + " characters; at most " + most, "\"deploying 4.2\"");
    }
  }

  private void add(String field, String message, String example) {
    problems.add(Problems.of(field, message, example));
  }
}

package io.waterclock.console.problems;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What schedules have in common that are one row of the list of problems: a condition of lists that
 * chooses them.
 */
public final class RowCondition {
  /** Definitions that say {@code "enabled": false}, by any author. */
  public static final String DISABLED = "enabled = false";

  /** Schedules with longer reasons have rows of their own. */
  private static final int LONGEST = 1_000;

  private RowCondition() {}

  /** A limit; the characters of its name need no escape. */
  public static String limit(String name) {
    return "limit = '" + name + "'";
  }

  /** The same calendars, one or more; the characters of their names need no escape. */
  public static String calendars(List<String> names) {
    return names.stream()
        .map(name -> "(except = '%s' or only = '%s')".formatted(name, name))
        .collect(Collectors.joining(" and "));
  }

  /**
   * Pauses that one person made for one reason.
   *
   * @param author empty for a pause by a command without an author
   * @param note empty for none
   */
  public static String pause(String author, String note) {
    return part("paused_by", author) + " and " + part("pause_note", note);
  }

  /**
   * A reason for which schedules are rejected, faulted or failing. Empty for problems that have no
   * reason in words, or one that is too long.
   */
  public static Optional<String> cause(ProblemKind kind, String reason) {
    if (reason.isEmpty() || reason.length() > LONGEST) {
      return Optional.empty();
    }
    return switch (kind) {
      case FAULTED -> Optional.of(equal("fault", reason));
      case REJECTED -> Optional.of("state = rejected and " + equal("rejected", reason));
      case EDIT_REJECTED -> Optional.of("state != rejected and " + equal("rejected", reason));
      case FAILING -> Optional.of(equal("error", reason));
      default -> Optional.empty();
    };
  }

  private static String part(String field, String text) {
    return text.isEmpty() ? "not " + field : equal(field, text);
  }

  /** A text with both kinds of quotes matches without the single ones. */
  private static String equal(String field, String text) {
    if (!text.contains("'")) {
      return field + " = '" + text + "'";
    }
    return text.contains("\"")
        ? field + " ~ '" + text.replace('\'', '*') + "'"
        : field + " = \"" + text + "\"";
  }
}

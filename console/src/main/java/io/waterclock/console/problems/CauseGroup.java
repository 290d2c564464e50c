package io.waterclock.console.problems;

import java.util.Optional;

/**
 * What schedules have in common that are rejected, faulted or failing for one reason.
 *
 * @param field that conditions call the reason
 * @param states a condition on the states of schedules with this problem; empty for any
 * @param reason one line
 */
public record CauseGroup(String field, String states, String reason) implements RowGroup {
  /** Schedules with longer reasons have rows of their own. */
  private static final int LONGEST = 1_000;

  /** Empty for problems that have no reason in words, or one that is too long. */
  public static Optional<RowGroup> of(ProblemKind kind, String reason) {
    if (reason.isEmpty() || reason.length() > LONGEST) {
      return Optional.empty();
    }
    return switch (kind) {
      case FAULTED -> Optional.of(new CauseGroup("fault", "", reason));
      case REJECTED -> Optional.of(new CauseGroup("rejected", "state = rejected", reason));
      case EDIT_REJECTED -> Optional.of(new CauseGroup("rejected", "state != rejected", reason));
      case FAILING -> Optional.of(new CauseGroup("error", "", reason));
      default -> Optional.empty();
    };
  }

  @Override
  public String condition() {
    return (states.isEmpty() ? "" : states + " and ") + RowGroup.equal(field, reason);
  }
}

package io.waterclock.console.bulk;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.access.Role;
import io.waterclock.schemas.avro.State;
import java.time.Instant;

/**
 * What to do to many schedules. Immutable.
 *
 * @param note why
 * @param from inclusive: the first instant to leave out with SKIP, to fire again with BACKFILL
 * @param to exclusive: the end of that
 */
public record BulkAction(Kind kind, String note, Instant from, Instant to) {

  public enum Kind {
    PAUSE(Role.OPERATOR),
    RESUME(Role.OPERATOR),
    TRIGGER(Role.OPERATOR),
    SKIP(Role.OPERATOR),
    BACKFILL(Role.OPERATOR),
    DELETE(Role.EDITOR);

    private final Role role;

    Kind(Role role) {
      this.role = role;
    }

    /** Whether it is about the occurrences of a range. */
    public boolean hasRange() {
      return this == SKIP || this == BACKFILL;
    }

    /** What a person needs to be for a schedule. */
    public Role role() {
      return role;
    }
  }

  /** Whether it would change anything about a schedule, as far as its state says. */
  boolean applies(KnownSchedule schedule) {
    State state = schedule.state().orElse(State.ACTIVE);
    return switch (kind) {
      case PAUSE -> state == State.ACTIVE || state == State.FAULTED;
      case RESUME -> state == State.PAUSED;
      case SKIP -> state == State.ACTIVE; // no other one has occurrences to come
      case TRIGGER, BACKFILL -> state != State.REJECTED;
      case DELETE -> true;
    };
  }
}

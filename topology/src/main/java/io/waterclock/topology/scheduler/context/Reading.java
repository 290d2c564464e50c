package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a task has read its inputs.
 *
 * @param through inclusive: what was written by then is read, and the task decides nothing that is
 *     due later; empty while it decides nothing at all
 * @param at the time of the task; not before {@code through}
 * @param waitsFor what a task that decides nothing waits for beside its own reading, such as "waits
 *     for the end of ..."
 */
public record Reading(Optional<Instant> through, Instant at, Optional<String> waitsFor) {
  /** A task that is behind its input by less than this keeps up. */
  private static final Duration KEEPS_UP = Duration.ofSeconds(5);

  /** A task that decides what is due when it has read what was written by then. */
  public static Reading through(Instant through, Instant at) {
    return new Reading(Optional.of(through), at, Optional.empty());
  }

  /** As below, of a task that waits for nothing else. */
  public static Reading toTheEndFirst(Instant at) {
    return toTheEndFirst(at, Optional.empty());
  }

  /** A task that decides nothing before it has read its inputs to their ends. */
  public static Reading toTheEndFirst(Instant at, Optional<String> waitsFor) {
    return new Reading(Optional.empty(), at, waitsFor);
  }

  /** What a task has yet to do that decides nothing at all. */
  public static String unready(Optional<String> waitsFor) {
    return "has not read its input to the end yet" + waitsFor.map(why -> "; it " + why).orElse("");
  }

  /** True once the task has read its inputs to their ends. */
  public boolean decides() {
    return through.isPresent();
  }

  /** How long a due occurrence waits for unread input; zero for a task that decides nothing. */
  public Duration delay() {
    return through.map(read -> Duration.between(read, at)).orElse(Duration.ZERO);
  }

  /** Why the task does not decide everything that is due; empty while it keeps up. */
  public Optional<String> problem() {
    if (through.isEmpty()) {
      return Optional.of(unready(waitsFor));
    }
    return keepsUp()
        ? Optional.empty()
        : Optional.of(
            "reads what was written at %s, and decides nothing that is due later"
                .formatted(through.get()));
  }

  /** True for a task that decides everything that is due, or almost. */
  public boolean keepsUp() {
    return decides() && delay().compareTo(KEEPS_UP) <= 0;
  }
}

package io.waterclock.spring.schedule;

import java.time.Duration;

/**
 * What becomes of schedules whose declaration has disappeared from the code.
 *
 * @param delay from the start to the removal: other instances that still declare a schedule write
 *     it when they start, and a schedule that was written meanwhile stays
 * @param mayEmpty whether an application that declares no schedule at all removes its last ones
 */
public record Removal(Mode mode, Duration delay, boolean mayEmpty) {
  /** What the application does with them. */
  public enum Mode {
    /** It does not look for them, which reads all schedules once. */
    OFF,
    /** It logs what it would remove. */
    LOG,
    /** It removes them. */
    DELETE
  }
}

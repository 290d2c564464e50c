package io.waterclock.client.rules;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.Optional;

/**
 * The time during which nobody of the group worked on a partition. What fired then, and was older
 * than grace when somebody came, is the <em>backlog</em>: of it, the schedule's {@code catch_up}
 * says what runs, as it does for what the scheduler missed. What was emitted while workers were
 * there is no backlog, however long the queue: it waits its turn.
 *
 * @param lastAlive the group's last sign of life in the partition; empty: there was none ever
 * @param takenOverAt when this worker was given the partition
 */
public record Downtime(Optional<Instant> lastAlive, Instant takenOverAt) {

  /** What the backlog rule makes of a fire. */
  public enum Fate {
    /** It runs. */
    RUN,
    /** It is left out. */
    SKIP,
    /** Of these, the newest runs for all. */
    COLLAPSE
  }

  /** What becomes of a fire that stood in the partition when it was taken over. */
  public Fate fate(Fire fire) {
    if (fire.getCause() != Cause.SCHEDULED || !isBacklog(fire)) {
      return Fate.RUN;
    }
    CatchUp catchUp = fire.getSchedule().getCatchUp();
    return switch (catchUp) {
      case SKIP -> Fate.SKIP;
      case COLLAPSE -> Fate.COLLAPSE;
      case REPLAY -> Fate.RUN;
    };
  }

  private boolean isBacklog(Fire fire) {
    boolean firedMeanwhile = lastAlive.isEmpty() || fire.getFiredAt().isAfter(lastAlive.get());
    return firedMeanwhile
        && fire.getDue().plusMillis(fire.getSchedule().getGraceMs()).isBefore(takenOverAt);
  }
}

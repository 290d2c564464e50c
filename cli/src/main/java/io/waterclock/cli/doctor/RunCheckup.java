package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.decide.model.Run;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether the latest fire of a schedule still runs and thereby keeps occurrences from firing.
 *
 * @param fire the latest fire of the trigger
 * @param reported the report of a worker that counts for it
 */
record RunCheckup(Fire fire, Optional<FireRun> reported, Instant now) {
  /** Empty if no run keeps occurrences from firing. */
  Optional<Symptom> symptom() {
    return latestEnd().filter(now::isBefore).map(this::stillRuns);
  }

  private Symptom stillRuns(Instant end) {
    boolean holdsBack = fire.getSchedule().getOverlap() == Overlap.BUFFER_ONE;
    return Symptom.bad(
        fire.getScheduleId(),
        "The fire of %s still runs: without a report%s it ends at %s. %s (OVERLAP)."
            .formatted(
                fire.getOccurrence(),
                reported.isPresent() ? " of its end" : "",
                end,
                holdsBack
                    ? "The first occurrence that is due by then is held back, later ones are missed"
                    : "Occurrences that are due by then are missed"));
  }

  private Optional<Instant> latestEnd() {
    if (fire.getSchedule().getOverlap() == Overlap.ALLOW
        || reported.filter(FireRun::hasEnded).isPresent()) {
      return Optional.empty();
    }
    Optional<Duration> timeout =
        Run.timeout(
            fire.getSchedule(),
            fire.getOccurrence(),
            Optional.ofNullable(fire.getPrevious()),
            Optional.ofNullable(fire.getNext()));
    Instant began =
        reported
            .flatMap(FireRun::startedAt)
            .filter(fire.getFiredAt()::isBefore)
            .orElse(fire.getFiredAt());
    return timeout.map(began::plus);
  }
}

package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Diagnosis;
import io.waterclock.console.model.Upcoming;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Finds out why a schedule fires, or does not. Pure.
 *
 * @param owned whether its partition has an owner
 * @param runs whether a run keeps occurrences from firing until it ends
 */
record ScheduleCheckup(Instant now, boolean owned, boolean runs) {
  List<Symptom> symptoms(KnownSchedule entry, Upcoming upcoming) {
    String id = entry.id();
    return entry.status().isPresent() && entry.definition().isEmpty()
        ? List.of(
            Symptom.bad(id, "Its definition was deleted; the scheduler ends it when it runs."))
        : Diagnosis.of(entry, upcoming, now).stream().map(one -> symptom(entry, one)).toList();
  }

  private Symptom symptom(KnownSchedule entry, Diagnosis found) {
    String id = entry.id();
    boolean byCommand = entry.status().map(ScheduleStatus::getPause).isPresent();
    return switch (found.kind()) {
      case PAUSED ->
          Symptom.paused(
              id,
              found.text() + (byCommand ? " waterclock resume " + id + " ends the pause." : ""));
      case NEXT -> Symptom.good(id, next(found.at().orElseThrow()));
      case NEXT_UNKNOWN, NOT_BEGUN -> Symptom.good(id, found.text());
      default -> Symptom.bad(id, found.text());
    };
  }

  private String next(Instant at) {
    if (owned && !runs) {
      return "It fires next at %s, in %s."
          .formatted(at, DurationText.text(Duration.between(now, at)));
    }
    return "It occurs next at %s, and fires %s."
        .formatted(at, owned ? "if the run has ended by then" : "when its partition has an owner");
  }
}

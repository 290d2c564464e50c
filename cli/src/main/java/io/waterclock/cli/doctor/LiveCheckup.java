package io.waterclock.cli.doctor;

import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the instance that has a schedule says of it, beside what the topics say. Pure. */
final class LiveCheckup {
  private final KnownSchedule entry;
  private final LiveSchedule live;

  LiveCheckup(KnownSchedule entry, LiveSchedule live) {
    this.entry = entry;
    this.live = live;
  }

  List<Symptom> symptoms() {
    List<Symptom> symptoms = new ArrayList<>();
    if (live.schedule().isEmpty()) {
      if (entry.status().map(ScheduleStatus::getRevision).isPresent()) {
        symptoms.add(
            bad(
                live.instance()
                    + " has its partition and knows no such schedule, though the topic of statuses"
                    + " does: it has just been deleted, or state was lost."));
      }
      return symptoms;
    }
    LiveSchedule.Details told = live.schedule().get();
    symptoms.add(
        Symptom.good(
            entry.id(),
            live.instance()
                + " has it"
                + (told.catchesUp() ? ", catches up," : "")
                + " and has decided it through "
                + told.decidedThrough()
                + "."));
    difference(told.status()).ifPresent(symptoms::add);
    queued(told).ifPresent(symptoms::add);
    return symptoms;
  }

  private Optional<Symptom> difference(ScheduleStatus now) {
    if (entry.status().isEmpty()) {
      return Optional.of(
          bad("The instance has it as " + now.getState() + ", the topic of statuses not at all."));
    }
    ScheduleStatus topic = entry.status().get();
    if (topic.getState() != now.getState()) {
      return Optional.of(
          bad(
              "The instance has it as "
                  + now.getState()
                  + ", the topic of statuses as "
                  + topic.getState()
                  + ": it has just changed, or its owner cannot commit."));
    }
    return Objects.equals(topic.getRevision(), now.getRevision())
        ? Optional.empty()
        : Optional.of(
            bad(
                "The instance has revision "
                    + now.getRevision()
                    + " in force, the topic of statuses names "
                    + topic.getRevision()
                    + ": it has just changed, or its owner cannot commit."));
  }

  private Optional<Symptom> queued(LiveSchedule.Details told) {
    if (told.status().getState() == State.FAULTED) {
      return Optional.empty(); // it waits for nothing, and may be queued to be tried again
    }
    Optional<Instant> due = told.nextDue();
    Optional<Instant> queued = told.queuedFor();
    if (due.equals(queued)) {
      return due.map(at -> Duration.between(at, told.home().watermark().getWrittenAt()))
          .filter(late -> late.toMinutes() > 0 && !told.catchesUp())
          .map(
              late ->
                  bad("It is " + DurationText.text(late) + " late: its partition has a backlog."));
    }
    return Optional.of(
        bad(
            "It waits for "
                + due.map(Instant::toString).orElse("nothing")
                + ", and is queued for "
                + queued.map(Instant::toString).orElse("nothing")
                + ": waterclock doctor --watchdog repairs that."));
  }

  private Symptom bad(String text) {
    return Symptom.bad(entry.id(), text);
  }
}

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
import org.jspecify.annotations.Nullable;

/** Compares the state of a schedule in the instance that owns it with the topics. Pure. */
record LiveCheckup(KnownSchedule entry, LiveSchedule live) {
  List<Symptom> symptoms() {
    List<Symptom> symptoms = new ArrayList<>();
    if (live.schedule().isEmpty()) {
      if (entry.status().map(ScheduleStatus::getRevision).isPresent()) {
        symptoms.add(
            bad(
                live.instance()
                    + " owns its partition but does not know the schedule, though the topic status"
                    + " contains it: it was deleted a moment ago, or state was lost."));
      }
      return symptoms;
    }
    LiveSchedule.Details details = live.schedule().get();
    symptoms.add(
        Symptom.good(
            entry.id(),
            live.instance()
                + " owns it and has decided it through "
                + details.decidedThrough()
                + (details.catchesUp() ? "; it catches up." : ".")));
    difference(details.status()).ifPresent(symptoms::add);
    queued(details).ifPresent(symptoms::add);
    return symptoms;
  }

  private Optional<Symptom> difference(ScheduleStatus now) {
    if (entry.status().isEmpty()) {
      return Optional.of(
          bad(
              "Its state is %s in the instance; the topic status does not contain it."
                  .formatted(now.getState())));
    }
    ScheduleStatus topic = entry.status().get();
    if (topic.getState() != now.getState()) {
      return Optional.of(bad(difference("state", now.getState(), topic.getState())));
    }
    return Objects.equals(topic.getRevision(), now.getRevision())
        ? Optional.empty()
        : Optional.of(bad(difference("revision", now.getRevision(), topic.getRevision())));
  }

  private static String difference(
      String what, @Nullable Object inInstance, @Nullable Object inTopic) {
    return ("Its %s is %s in the instance and %s in the topic status: it changed a moment ago,"
            + " or its owner cannot commit.")
        .formatted(what, inInstance, inTopic);
  }

  private Optional<Symptom> queued(LiveSchedule.Details details) {
    if (details.status().getState() == State.FAULTED) {
      return Optional.empty(); // it has no next occurrence, and may be queued for the next attempt
    }
    Optional<Instant> due = details.nextDue();
    Optional<Instant> queued = details.queuedFor();
    if (due.equals(queued)) {
      return due.map(at -> Duration.between(at, details.home().watermark().getWrittenAt()))
          .filter(late -> late.toMinutes() > 0 && !details.catchesUp())
          .map(
              late ->
                  bad("It is " + DurationText.text(late) + " late: its partition has a backlog."));
    }
    return Optional.of(
        bad(
            ("It waits for %s, but is queued for %s: waterclock doctor --watchdog"
                    + " repairs that.")
                .formatted(
                    due.map(Instant::toString).orElse("nothing"),
                    queued.map(Instant::toString).orElse("nothing"))));
  }

  private Symptom bad(String text) {
    return Symptom.bad(entry.id(), text);
  }
}

package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.read.NextOccurrences;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out why a schedule fires, or does not. Pure. */
final class ScheduleCheckup {
  private final KnownSchedule entry;
  private final NextOccurrences nextOccurrences;
  private final Instant now;
  private final boolean owned;
  private final boolean runs;

  /**
   * @param owned whether its partition has an owner
   * @param runs whether a run keeps occurrences from firing until it ends
   */
  ScheduleCheckup(
      KnownSchedule entry, NextOccurrences nextOccurrences, boolean owned, boolean runs) {
    this.entry = entry;
    this.nextOccurrences = nextOccurrences;
    this.owned = owned;
    this.runs = runs;
    this.now = nextOccurrences.now();
  }

  List<Symptom> symptoms() {
    List<Symptom> symptoms = new ArrayList<>();
    rejection().ifPresent(symptoms::add);
    if (entry.status().isEmpty()) {
      symptoms.add(
          bad(
              "No scheduler has accepted or rejected it yet: is one running? If so, its record may"
                  + " wait for the schema registry."));
      return symptoms;
    }
    if (entry.definition().isEmpty()) {
      symptoms.add(bad("Its definition was deleted; the scheduler ends it when it runs."));
      return symptoms;
    }
    ScheduleStatus status = entry.status().get();
    symptoms.add(
        switch (status.getState()) {
          case ACTIVE -> active();
          case PAUSED -> Symptom.paused(entry.id(), paused(status));
          case COMPLETED -> bad("It completed at " + status.getSince() + " and never fires again.");
          case FAULTED ->
              bad(
                  "It is faulted: "
                      + Optional.ofNullable(status.getReason()).orElse("the reason is unknown")
                      + ". Each watchdog pass tries it again.");
          case REJECTED -> bad("No definition was ever accepted.");
        });
    if (status.getState() == State.ACTIVE) {
      leftOut().ifPresent(symptoms::add);
    }
    return symptoms;
  }

  private Optional<Symptom> rejection() {
    if (!entry.newestIsRejected()) {
      return Optional.empty();
    }
    ScheduleStatus status = entry.status().orElseThrow();
    String goesOn =
        status.getRevision() == null
            ? ""
            : " The one before, " + status.getRevision() + ", stays in force.";
    return Optional.of(
        bad(
            "Its newest definition was rejected: %s.%s"
                .formatted(Problems.text(status.getProblems()), goesOn)));
  }

  private String paused(ScheduleStatus status) {
    CommandedPause pause = status.getPause();
    if (pause == null) {
      return "Its definition contains \"enabled\": false, since " + status.getSince() + ".";
    }
    return "%s paused it at %s%s. waterclock resume %s ends the pause."
        .formatted(
            Optional.ofNullable(pause.getAuthor()).orElse("A command"),
            pause.getSince(),
            Optional.ofNullable(pause.getNote()).map(note -> ": " + note).orElse(""),
            entry.id());
  }

  private Symptom active() {
    Optional<List<Instant>> next = nextOccurrences.of(entry, 1);
    if (next.isEmpty()) {
      return good(
          "Its next occurrence is unknown here: its definition counts from its acceptance, and the"
              + " topic revisions no longer retains that record.");
    }
    if (next.get().isEmpty()) {
      return bad("It is active, but has no occurrence left: its bounds or calendars exclude all.");
    }
    Instant at = next.get().get(0);
    return good(
        owned && !runs
            ? "It fires next at %s, in %s."
                .formatted(at, DurationText.text(Duration.between(now, at)))
            : "It occurs next at %s%s"
                .formatted(
                    at,
                    owned
                        ? ", and fires if the run has ended by then."
                        : ", and fires when its partition has an owner."));
  }

  /** An occurrence that its trigger names, but that does not fire. */
  private Optional<Symptom> leftOut() {
    Optional<List<Instant>> next = nextOccurrences.of(entry, 1);
    if (next.isEmpty()) {
      return Optional.empty(); // unknown, also for a trigger that is invalid
    }
    Optional<Instant> named =
        nextOccurrences.trigger(entry).flatMap(trigger -> trigger.nextAfter(now));
    if (named.isEmpty() || named.equals(next.get().stream().findFirst())) {
      return Optional.empty();
    }
    String why =
        entry.skips().contains(named.get())
            ? "it is skipped."
            : entry
                    .schedule()
                    .map(Schedule::getExcept)
                    .filter(names -> !names.isEmpty())
                    .isPresent()
                ? "a calendar excludes or moves it: %s."
                    .formatted(String.join(", ", entry.schedule().orElseThrow().getExcept()))
                : "its definition takes effect later.";
    return Optional.of(
        bad("It does not fire at " + named.get() + ", which its trigger names: " + why));
  }

  private Symptom good(String text) {
    return Symptom.good(entry.id(), text);
  }

  private Symptom bad(String text) {
    return Symptom.bad(entry.id(), text);
  }
}

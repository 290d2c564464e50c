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

/** Why a schedule fires, or does not. Pure. */
final class ScheduleCheckup {
  private final KnownSchedule entry;
  private final NextOccurrences outlook;
  private final Instant now;
  private final boolean owned;
  private final boolean runs;

  /**
   * @param outlook what occurs next
   * @param owned whether its partition is looked after
   * @param runs whether a run keeps what comes due from firing until it ends
   */
  ScheduleCheckup(KnownSchedule entry, NextOccurrences outlook, boolean owned, boolean runs) {
    this.entry = entry;
    this.outlook = outlook;
    this.owned = owned;
    this.runs = runs;
    this.now = outlook.now();
  }

  List<Symptom> signs() {
    List<Symptom> signs = new ArrayList<>();
    rejection().ifPresent(signs::add);
    if (entry.status().isEmpty()) {
      signs.add(
          bad(
              "No scheduler has taken it up yet: is one running? If it is, its record may wait for"
                  + " the schema registry."));
      return signs;
    }
    if (entry.definition().isEmpty()) {
      signs.add(bad("Its definition was deleted; a scheduler that runs will end it."));
      return signs;
    }
    ScheduleStatus status = entry.status().get();
    signs.add(
        switch (status.getState()) {
          case ACTIVE -> active();
          case PAUSED -> bad(paused(status));
          case COMPLETED ->
              bad("It has been complete since " + status.getSince() + ": nothing follows.");
          case FAULTED ->
              bad(
                  "It cannot be decided: "
                      + Optional.ofNullable(status.getReason()).orElse("no reason is told")
                      + ". The watchdog tries it again each time it comes by.");
          case REJECTED -> bad("No definition of it was ever accepted.");
        });
    if (status.getState() == State.ACTIVE) {
      leftOut().ifPresent(signs::add);
    }
    return signs;
  }

  private Optional<Symptom> rejection() {
    if (!entry.newestIsRejected()) {
      return Optional.empty();
    }
    ScheduleStatus status = entry.status().orElseThrow();
    String goesOn =
        status.getRevision() == null
            ? ""
            : " The one before, " + status.getRevision() + ", goes on.";
    return Optional.of(
        bad(
            "Its newest definition was rejected: "
                + Problems.text(status.getProblems())
                + "."
                + goesOn));
  }

  private String paused(ScheduleStatus status) {
    CommandedPause pause = status.getPause();
    if (pause == null) {
      return "Its definition says \"enabled\": false, since " + status.getSince() + ".";
    }
    return Optional.ofNullable(pause.getAuthor()).orElse("A command")
        + " has paused it at "
        + pause.getSince()
        + Optional.ofNullable(pause.getNote()).map(note -> ": " + note).orElse("")
        + ". waterclock resume "
        + entry.id()
        + " ends that.";
  }

  private Symptom active() {
    Optional<List<Instant>> next = outlook.of(entry, 1);
    if (next.isEmpty()) {
      return good(
          "When it occurs next is not known here: its definition counts from its acceptance, and"
              + " that record is not retained any more.");
    }
    if (next.get().isEmpty()) {
      return bad(
          "It is active, but nothing occurs any more: its bounds or calendars leave nothing.");
    }
    Instant at = next.get().get(0);
    return good(
        owned && !runs
            ? "It fires next at "
                + at
                + ", in "
                + DurationText.text(Duration.between(now, at))
                + "."
            : "It occurs next at "
                + at
                + (owned
                    ? ", and fires if the run has ended by then."
                    : ", and fires when its partition is looked after."));
  }

  /** What its trigger names before it fires next. */
  private Optional<Symptom> leftOut() {
    Optional<Instant> named = outlook.trigger(entry).flatMap(trigger -> trigger.nextAfter(now));
    Optional<Instant> fires =
        outlook.of(entry, 1).filter(next -> !next.isEmpty()).map(next -> next.get(0));
    if (named.isEmpty() || named.equals(fires)) {
      return Optional.empty();
    }
    String why =
        entry.skips().contains(named.get())
            ? "it is to be skipped."
            : entry
                    .schedule()
                    .map(Schedule::getExcept)
                    .filter(names -> !names.isEmpty())
                    .isPresent()
                ? "a calendar excludes it or moves it: "
                    + String.join(", ", entry.schedule().orElseThrow().getExcept())
                    + "."
                : "its definition takes effect later.";
    return Optional.of(bad("It does not fire at " + named.get() + ", as its trigger says: " + why));
  }

  private Symptom good(String text) {
    return Symptom.good(entry.id(), text);
  }

  private Symptom bad(String text) {
    return Symptom.bad(entry.id(), text);
  }
}

package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.Occurrence;
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

/**
 * Why a schedule fires or does not, in sentences, the gravest first. Pure.
 *
 * @param text without the instant
 * @param at the instant that it is about
 */
public record Diagnosis(Level level, String text, Optional<Instant> at) {
  /** A watermark is written every five seconds; one that is older than this is late. */
  static final Duration LATE = Duration.ofSeconds(30);

  /** How grave it is. */
  public enum Level {
    BAD,
    WARNING,
    GOOD
  }

  /**
   * @param next the next occurrence
   * @param partition the schedule's partition, if its owner has written of it
   */
  public static List<Diagnosis> of(
      KnownSchedule known,
      Optional<Occurrence> next,
      Optional<PartitionRow> partition,
      Instant now) {
    List<Diagnosis> all = new ArrayList<>();
    known
        .schedule()
        .map(Schedule::getStartAt)
        .filter(start -> start.isAfter(now))
        .ifPresent(
            start ->
                all.add(
                    new Diagnosis(
                        Level.WARNING,
                        "It has not begun: its definition says \"start_at\"",
                        Optional.of(start))));
    known.status().ifPresentOrElse(status -> ofStatus(status, next, all), () -> unanswered(all));
    partition.ifPresent(row -> ofPartition(row, now, all));
    if (partition.isEmpty() && known.status().isPresent()) {
      all.add(bad("No scheduler has written a watermark of its partition.", Optional.empty()));
    }
    all.sort((one, other) -> one.level().compareTo(other.level()));
    return all;
  }

  private static void unanswered(List<Diagnosis> all) {
    all.add(
        bad(
            "No scheduler has answered its definition yet: none may be running with this prefix.",
            Optional.empty()));
  }

  private static void ofStatus(
      ScheduleStatus status, Optional<Occurrence> next, List<Diagnosis> all) {
    Optional<Instant> since = Optional.of(status.getSince());
    if (status.getRejectedRevision() != null) {
      boolean isInForce = status.getState() != State.REJECTED;
      all.add(
          new Diagnosis(
              isInForce ? Level.WARNING : Level.BAD,
              (isInForce
                      ? "Its newest definition was rejected, and the one before it stays in force: "
                      : "Its definition was rejected, so nothing fires: ")
                  + Problems.text(status.getProblems())
                  + ". Since",
              since));
    }
    switch (status.getState()) {
      case FAULTED -> all.add(bad("It is faulted: " + status.getReason() + ". Since", since));
      case PAUSED -> all.add(paused(status));
      case COMPLETED ->
          all.add(
              new Diagnosis(
                  Level.GOOD, "It is complete: its trigger does not occur any more. Since", since));
      case ACTIVE ->
          all.add(
              next.map(
                      occurrence ->
                          new Diagnosis(Level.GOOD, "It fires next", Optional.of(occurrence.due())))
                  .orElseGet(
                      () ->
                          new Diagnosis(
                              Level.WARNING,
                              "It is active, but no next occurrence is known: calendars or skips"
                                  + " leave out what comes, or the topics no longer hold the"
                                  + " instant from which it counts.",
                              Optional.empty())));
      case REJECTED -> {
        // said above
      }
    }
  }

  private static Diagnosis paused(ScheduleStatus status) {
    CommandedPause pause = status.getPause();
    if (pause != null) {
      String author = pause.getAuthor() == null ? "a command" : pause.getAuthor();
      String note =
          pause.getNote() == null || pause.getNote().isBlank() ? "" : ": " + pause.getNote();
      return bad(
          "It is paused by " + author + note + ". Nothing fires until it is resumed. Since",
          Optional.of(pause.getSince()));
    }
    String reason =
        status.getReason() == null ? "its definition says \"enabled\": false" : status.getReason();
    return bad(
        "It is paused: " + reason + ". Nothing fires until it is resumed. Since",
        Optional.of(status.getSince()));
  }

  private static void ofPartition(PartitionRow row, Instant now, List<Diagnosis> all) {
    if (row.writtenAt().plus(LATE).isBefore(now)) {
      all.add(
          bad(
              "Partition "
                  + row.number()
                  + " has no owner that writes: "
                  + row.instance()
                  + " wrote last",
              Optional.of(row.writtenAt())));
    } else if (row.readThrough().filter(read -> read.plus(LATE).isBefore(now)).isPresent()) {
      all.add(
          new Diagnosis(
              Level.WARNING,
              "Partition "
                  + row.number()
                  + " has input to read, and decides nothing that is due later than",
              row.readThrough()));
    } else if (row.decidedThrough().plus(LATE).isBefore(now)) {
      all.add(
          new Diagnosis(
              Level.WARNING,
              "Partition " + row.number() + " is behind: it has decided everything due up to",
              Optional.of(row.decidedThrough())));
    }
  }

  private static Diagnosis bad(String text, Optional<Instant> at) {
    return new Diagnosis(Level.BAD, text, at);
  }
}

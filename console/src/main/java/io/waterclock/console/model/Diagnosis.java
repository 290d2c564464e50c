package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Why a schedule fires or does not, as the console and {@code doctor} say it. Pure.
 *
 * @param text one or more sentences; instants are ISO-8601 in UTC
 * @param at the instant that it is about
 */
public record Diagnosis(Kind kind, String text, Optional<Instant> at) {
  /** A watermark is written every five seconds; one that is older than this is late. */
  static final Duration LATE = Duration.ofSeconds(30);

  public enum Level {
    BAD,
    WARNING,
    GOOD
  }

  public enum Kind {
    UNANSWERED(Level.BAD),
    REJECTED(Level.BAD),
    EDIT_REJECTED(Level.WARNING),
    FAULTED(Level.BAD),
    FAILING(Level.BAD),
    OVERDUE(Level.BAD),
    PAUSED(Level.WARNING),
    WAITING(Level.WARNING),
    WAITING_LONG(Level.BAD),
    UNKNOWN_LIMIT(Level.WARNING),
    COMPLETED(Level.GOOD),
    NEXT(Level.GOOD),
    NEXT_WAITS(Level.WARNING),
    NEXT_UNKNOWN(Level.WARNING),
    NONE_LEFT(Level.WARNING),
    NEVER_FIRES(Level.BAD),
    NOT_BEGUN(Level.WARNING),
    LEFT_OUT(Level.WARNING),
    UNREADABLE(Level.BAD),
    WITHOUT_OWNER(Level.BAD),
    BEHIND(Level.WARNING);

    private final Level level;

    Kind(Level level) {
      this.level = level;
    }
  }

  public Level level() {
    return kind.level;
  }

  /** What the topics say of a schedule that exists. */
  public static List<Diagnosis> of(KnownSchedule known, Upcoming upcoming, Instant now) {
    List<Diagnosis> all = new ArrayList<>();
    if (known.newestIsRejected()) {
      all.add(rejection(known.status().orElseThrow()));
    }
    known.failing().map(it -> about(Kind.FAILING, it.getSince(), failing(it))).ifPresent(all::add);
    known.overdue().forEach(it -> all.add(about(Kind.OVERDUE, it.getSince(), overdue(it))));
    known
        .status()
        .ifPresentOrElse(
            status -> ofStatus(status, known, upcoming, now, all),
            () ->
                all.add(
                    new Diagnosis(
                        Kind.UNANSWERED,
                        "No scheduler has accepted or rejected it yet: is one running? If so, its"
                            + " record may wait for the schema registry.",
                        Optional.empty())));
    return all;
  }

  /**
   * The same with what its partition lacks, the gravest first. What says that it fires next says
   * what that waits for.
   *
   * @param partition the schedule's partition, if its owner has written of it
   * @param unreadable why the topics cannot be read now, so that all is as it was before
   */
  public static List<Diagnosis> of(
      KnownSchedule known,
      Upcoming upcoming,
      Optional<PartitionRow> partition,
      Optional<String> unreadable,
      Instant now) {
    List<Diagnosis> all = new ArrayList<>(of(known, upcoming, now));
    Optional<Diagnosis> obstacle =
        unreadable
            .map(Diagnosis::unreadable)
            .or(() -> known.status().flatMap(status -> ofPartition(partition, now)));
    obstacle.ifPresent(
        found -> {
          all.replaceAll(one -> one.kind() == Kind.NEXT ? waiting(one, found) : one);
          all.add(0, found);
        });
    all.sort(Comparator.comparing(Diagnosis::level));
    return all;
  }

  private static Diagnosis unreadable(String why) {
    return new Diagnosis(
        Kind.UNREADABLE,
        "The console cannot read the topics, so what is here may be old: " + why + ".",
        Optional.empty());
  }

  private static Diagnosis waiting(Diagnosis next, Diagnosis obstacle) {
    Instant at = next.at().orElseThrow();
    String until =
        switch (obstacle.kind()) {
          case UNREADABLE -> "this console cannot see whether it fires.";
          case WITHOUT_OWNER -> "it fires when its partition has an owner that writes.";
          default -> "it fires when its partition has come so far.";
        };
    return about(Kind.NEXT_WAITS, at, "It occurs next at " + at + "; " + until);
  }

  /** How many failed, since when, and the last error; no sentence. */
  public static String text(FailingFires failing) {
    return "at least %s in a row, the last that of %s%s"
        .formatted(
            failing.getCount(),
            failing.getOccurrence(),
            failing.getError() == null ? "" : ": " + failing.getError());
  }

  /** That its fires fail, as a sentence. */
  static String failing(FailingFires failing) {
    return "Its fires fail: " + text(failing) + ".";
  }

  /** That an expectation has not come true, and whose fault it is, as a sentence. */
  public static String overdue(OverdueExpectation overdue) {
    String missing =
        switch (overdue.getExpectation()) {
          case STARTED_WITHIN -> "Its run of " + overdue.getOccurrence() + " has not started";
          case SUCCEEDED_WITHIN -> "Its run of " + overdue.getOccurrence() + " has not succeeded";
          case SUCCEEDED_EVERY -> "No run has succeeded since " + overdue.getOccurrence();
        };
    String why =
        switch (overdue.getFault()) {
          case SCHEDULER -> "the scheduler fired late";
          case WORKER -> "a worker is late";
          case NOT_REPORTED -> "no worker has reported";
        };
    return "%s, overdue since %s: %s.".formatted(missing, overdue.getSince(), why);
  }

  /**
   * Why an active schedule never fires, or not for years.
   *
   * @param next when it fires after all
   */
  public static String neverFires(List<String> calendars, Optional<Instant> next) {
    String named = "everything that its trigger names" + (next.isPresent() ? " until then" : "");
    return next.map(at -> "It does not fire before " + at).orElse("It never fires")
        + ": "
        + (calendars.isEmpty()
            ? named + " is skipped."
            : "calendars exclude " + named + ": " + String.join(", ", calendars) + ".");
  }

  /** That a schedule was complete from the beginning. */
  public static String endedAtBirth(Schedule schedule) {
    Instant end = schedule.getEndAt();
    return end == null
        ? "It never fires: its bounds name nothing after its definition took effect."
        : "It never fires: its end_at, " + end + ", had passed when its definition took effect.";
  }

  private static Diagnosis rejection(ScheduleStatus status) {
    String revision = status.getRevision();
    return about(
        revision == null ? Kind.REJECTED : Kind.EDIT_REJECTED,
        status.getSince(),
        "Its newest definition was rejected: %s.%s"
            .formatted(
                Problems.text(status.getProblems()),
                revision == null ? "" : " The one before, " + revision + ", stays in force."));
  }

  private static void ofStatus(
      ScheduleStatus status,
      KnownSchedule known,
      Upcoming upcoming,
      Instant now,
      List<Diagnosis> all) {
    Instant since = status.getSince();
    switch (status.getState()) {
      case ACTIVE -> active(known, upcoming, now, all);
      case PAUSED -> all.add(paused(status));
      case COMPLETED ->
          all.add(
              upcoming.endedAtBirth(known)
                  ? about(Kind.NEVER_FIRES, since, endedAtBirth(known.schedule().orElseThrow()))
                  : about(
                      Kind.COMPLETED,
                      since,
                      "It completed at " + since + " and never fires again."));
      case FAULTED ->
          all.add(
              about(
                  Kind.FAULTED,
                  since,
                  "It is faulted: "
                      + Optional.ofNullable(status.getReason()).orElse("the reason is unknown")
                      + ". Each watchdog pass tries it again."));
      case REJECTED -> all.add(about(Kind.REJECTED, since, "No definition was ever accepted."));
    }
  }

  private static Diagnosis paused(ScheduleStatus status) {
    CommandedPause pause = status.getPause();
    String reason = status.getReason();
    return pause == null
        ? about(
            Kind.PAUSED,
            status.getSince(),
            "%s, since %s."
                .formatted(
                    reason == null
                        ? "Its definition contains \"enabled\": false"
                        : "It is paused: " + reason,
                    status.getSince()))
        : about(
            Kind.PAUSED,
            pause.getSince(),
            "%s paused it at %s%s."
                .formatted(
                    Optional.ofNullable(pause.getAuthor()).orElse("A command"),
                    pause.getSince(),
                    Optional.ofNullable(pause.getNote()).map(note -> ": " + note).orElse("")));
  }

  private static void active(
      KnownSchedule known, Upcoming upcoming, Instant now, List<Diagnosis> all) {
    known
        .schedule()
        .map(Schedule::getStartAt)
        .filter(start -> start.isAfter(now))
        .ifPresent(
            start ->
                all.add(
                    about(
                        Kind.NOT_BEGUN,
                        start,
                        "It has not begun: its definition says \"start_at\" " + start + ".")));
    Optional<List<Instant>> found = upcoming.dueAfter(known, now, 1);
    if (found.isEmpty()) {
      all.add(
          new Diagnosis(
              Kind.NEXT_UNKNOWN,
              "Its next occurrence is unknown here: its definition counts from its acceptance, and"
                  + " the topic revisions no longer retains that record.",
              Optional.empty()));
      return; // unknown, also for a trigger that is invalid
    }
    Optional<Instant> next = found.get().stream().findFirst();
    if (upcoming.neverFires(known, now)) {
      List<String> calendars = known.schedule().map(Schedule::getExcept).orElse(List.of());
      all.add(new Diagnosis(Kind.NEVER_FIRES, neverFires(calendars, next), next));
      return;
    }
    all.add(
        next.map(at -> about(Kind.NEXT, at, "It fires next at " + at + "."))
            .orElseGet(
                () ->
                    new Diagnosis(
                        Kind.NONE_LEFT,
                        "It is active, but has no occurrence left: its bounds or calendars exclude"
                            + " all.",
                        Optional.empty())));
    Optional<List<Instant>> nominal = upcoming.withoutJitter().dueAfter(known, now, 1);
    upcoming
        .trigger(known)
        .flatMap(trigger -> trigger.nextAfter(now))
        .filter(named -> !nominal.equals(Optional.of(List.of(named))))
        .ifPresent(named -> all.add(leftOut(known, named)));
  }

  /** An occurrence that its trigger names, but that does not fire. */
  private static Diagnosis leftOut(KnownSchedule known, Instant named) {
    List<String> calendars = known.schedule().map(Schedule::getExcept).orElse(List.of());
    String why =
        known.skips().contains(named)
            ? "it is skipped."
            : calendars.isEmpty()
                ? "its definition takes effect later."
                : "a calendar excludes or moves it: " + String.join(", ", calendars) + ".";
    return about(
        Kind.LEFT_OUT, named, "It does not fire at " + named + ", which its trigger names: " + why);
  }

  private static Optional<Diagnosis> ofPartition(Optional<PartitionRow> partition, Instant now) {
    if (partition.isEmpty()) {
      return Optional.of(
          new Diagnosis(
              Kind.WITHOUT_OWNER,
              "No scheduler has written a watermark of its partition.",
              Optional.empty()));
    }
    PartitionRow row = partition.get();
    String name = "Partition " + row.number();
    if (isLate(row.writtenAt(), now)) {
      return Optional.of(
          about(
              Kind.WITHOUT_OWNER,
              row.writtenAt(),
              "%s has no owner that writes: %s wrote last at %s."
                  .formatted(name, row.instance(), row.writtenAt())));
    }
    Optional<Instant> unread = row.readThrough().filter(read -> isLate(read, now));
    if (unread.isPresent()) {
      return unread.map(
          read ->
              about(
                  Kind.BEHIND,
                  read,
                  "%s has input to read, and decides nothing that is due later than %s."
                      .formatted(name, read)));
    }
    return Optional.of(row.decidedThrough())
        .filter(decided -> isLate(decided, now))
        .map(
            decided ->
                about(
                    Kind.BEHIND,
                    decided,
                    "%s is behind: it has decided everything due up to %s."
                        .formatted(name, decided)));
  }

  private static boolean isLate(Instant at, Instant now) {
    return at.plus(LATE).isBefore(now);
  }

  private static Diagnosis about(Kind kind, Instant at, String text) {
    return new Diagnosis(kind, text, Optional.of(at));
  }
}

package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import io.waterclock.judge.Finding;
import io.waterclock.judge.Health;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges what depends on the runs of schedules with limits, by our own arithmetic: a fire of a
 * schedule that allows no overlap is not decided while the one before it waits or runs, and the
 * deadlines of alerts count from the start. Only where nothing that clients have written about the
 * schedule can have been read in between.
 */
final class LimitedRuns {
  /** Within which what was written is known to the scheduler. */
  private static final long KNOWN_MS = 15_000;

  private final LimitHistory history;
  private final Health reading;
  private final long endMs;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, List<Entry<Outcome>>> reports;
  private final Map<String, List<Entry<byte[]>>> changes;
  private final Map<String, List<Entry<Fire>>> fires;
  private final Map<String, List<Alert>> alerts;

  LimitedRuns(LimitHistory history, Health reading, long endMs) {
    this.history = history;
    this.reading = reading;
    this.endMs = endMs;
    this.reports =
        history.reports().stream()
            .collect(Collectors.groupingBy(entry -> value(entry).getFireKey()));
    this.changes = history.changes().stream().collect(Collectors.groupingBy(Entry::key));
    this.fires =
        history.fires().stream()
            .filter(LimitedRuns::isOfTrigger)
            .sorted(Comparator.comparing(entry -> value(entry).getFiredAt()))
            .collect(
                Collectors.groupingBy(
                    entry -> value(entry).getScheduleId(), TreeMap::new, Collectors.toList()));
    this.alerts =
        history.alerts().stream()
            .map(LimitedRuns::value)
            .collect(
                Collectors.groupingBy(
                    alert -> alert.getScheduleId() + " " + alert.getExpectation(),
                    TreeMap::new,
                    Collectors.toList()));
  }

  private static <T> T value(Entry<T> entry) {
    return entry.value().orElseThrow();
  }

  private static boolean isOfTrigger(Entry<Fire> entry) {
    Cause cause = value(entry).getCause();
    return cause == Cause.SCHEDULED || cause == Cause.CATCH_UP;
  }

  List<Finding> judge() {
    fires.values().forEach(this::overlap);
    alerts.values().forEach(this::alerts);
    fires.values().forEach(all -> all.forEach(fire -> notMissing(fire, all)));
    return findings;
  }

  private static long startMs(Entry<Fire> fire) {
    return fire.timestampMs();
  }

  private static long decidedMs(Entry<Fire> fire) {
    return value(fire).getFiredAt().toEpochMilli();
  }

  private void overlap(List<Entry<Fire>> all) {
    for (int i = 1; i < all.size(); i++) {
      Entry<Fire> before = all.get(i - 1);
      Entry<Fire> next = all.get(i);
      boolean mayOverlap =
          value(before).getSchedule().getOverlap() == Overlap.ALLOW
              || value(next).getSchedule().getOverlap() == Overlap.ALLOW;
      long ms = decidedMs(next);
      if (!mayOverlap
          && isUnchanged(value(next).getScheduleId(), decidedMs(before), ms)
          && (ms < startMs(before) || surelyRunsAt(before, ms))) {
        found(
            Finding.Kind.FORBIDDEN,
            next.key(),
            ms,
            "fired at %s, while %s waits or runs"
                .formatted(Instant.ofEpochMilli(ms), before.key()));
      }
    }
  }

  private boolean surelyRunsAt(Entry<Fire> fire, long ms) {
    Long timeoutMs = value(fire).getSchedule().getTimeoutMs();
    return timeoutMs != null
        && ms < startMs(fire) + timeoutMs
        && reports(fire)
            .noneMatch(
                report ->
                    value(report).getState() != OutcomeState.STARTED && report.appendedMs() <= ms);
  }

  private Stream<Entry<Outcome>> reports(Entry<Fire> fire) {
    return reports.getOrDefault(fire.key(), List.of()).stream();
  }

  /** Whether all that clients have written of a schedule was surely read before a time. */
  private boolean isUnchanged(String schedule, long fromMs, long toMs) {
    return changes.getOrDefault(schedule, List.of()).stream()
        .allMatch(
            change ->
                change.appendedMs() > toMs || knownMs(change).orElse(Long.MAX_VALUE) <= fromMs);
  }

  private OptionalLong knownMs(Entry<?> record) {
    OptionalLong read = reading.coveredFrom(record.partition(), record.visibleMs(), KNOWN_MS);
    int home = history.home(LimitHistory.schedule(record.key()));
    return read.isEmpty() || home == record.partition()
        ? read
        : reading.coveredFrom(home, read.getAsLong(), KNOWN_MS);
  }

  private void alerts(List<Alert> all) {
    boolean isOverdue = false;
    for (Alert alert : all) {
      boolean begins = alert.getKind() == AlertKind.OVERDUE;
      if (begins == isOverdue) {
        found(alert, "is %s twice in a row".formatted(alert.getKind()));
      }
      isOverdue = begins;
      if (begins && alert.getExpectation() != Expectation.SUCCEEDED_EVERY) {
        late(alert);
      }
    }
  }

  /** Its fire had started, and nothing that was known in time says otherwise. */
  private void late(Alert alert) {
    long decidedMs = alert.getDecidedAt().toEpochMilli();
    long deadlineMs = alert.getExpectedBy().toEpochMilli();
    List<Entry<Fire>> all = fires.getOrDefault(alert.getScheduleId(), List.of());
    boolean isRight =
        all.stream()
            .filter(fire -> value(fire).getOccurrence().equals(alert.getOccurrence()))
            .anyMatch(
                fire ->
                    within(fire, alert.getExpectation())
                        .filter(within -> startMs(fire) + within == deadlineMs)
                        .isPresent());
    if (!isRight || decidedMs < deadlineMs) {
      found(alert, "is overdue, expected by %s".formatted(alert.getExpectedBy()));
    }
    all.stream()
        .filter(fire -> !value(fire).getOccurrence().isBefore(alert.getOccurrence()))
        .flatMap(this::reports)
        .filter(report -> meets(report, alert.getExpectation()))
        .filter(report -> report.timestampMs() <= deadlineMs)
        .filter(report -> knownMs(report).orElse(Long.MAX_VALUE) < decidedMs)
        .findFirst()
        .ifPresent(
            report -> found(alert, "is overdue, and %s says else".formatted(report.place())));
  }

  private static boolean meets(Entry<Outcome> report, Expectation expectation) {
    OutcomeState state = value(report).getState();
    return state == OutcomeState.SUCCEEDED
        || (expectation == Expectation.STARTED_WITHIN && state != OutcomeState.DROPPED);
  }

  private static Optional<Long> within(Entry<Fire> fire, Expectation expectation) {
    Optional<Expectations> expected = Optional.ofNullable(value(fire).getSchedule().getExpect());
    return switch (expectation) {
      case STARTED_WITHIN -> expected.flatMap(it -> Optional.ofNullable(it.getStartedWithinMs()));
      case SUCCEEDED_WITHIN ->
          expected.flatMap(it -> Optional.ofNullable(it.getSucceededWithinMs()));
      case SUCCEEDED_EVERY -> Optional.empty();
    };
  }

  /** A fire that surely has not met what is expected is overdue soon after its deadline. */
  private void notMissing(Entry<Fire> fire, List<Entry<Fire>> all) {
    for (Expectation expectation : Expectation.values()) {
      within(fire, expectation).ifPresent(within -> notMissing(fire, all, expectation, within));
    }
  }

  private void notMissing(
      Entry<Fire> fire, List<Entry<Fire>> all, Expectation expectation, long within) {
    String schedule = value(fire).getScheduleId();
    long deadlineMs = startMs(fire) + within;
    long untilMs = deadlineMs + KNOWN_MS;
    int home = history.home(schedule);
    boolean isExpected =
        untilMs < endMs
            && reading.covers(home, startMs(fire), untilMs)
            && isUnchanged(schedule, decidedMs(fire), untilMs)
            && isByTheLatest(fire)
            && reports(fire).noneMatch(it -> value(it).getState() == OutcomeState.DROPPED)
            && all.stream()
                .filter(
                    other -> !value(other).getOccurrence().isBefore(value(fire).getOccurrence()))
                .flatMap(this::reports)
                .noneMatch(it -> meets(it, expectation) && it.timestampMs() <= deadlineMs);
    if (isExpected && !isOverdue(schedule + " " + expectation, deadlineMs, untilMs)) {
      found(
          Finding.Kind.ALERT,
          fire.key(),
          deadlineMs,
          "is late at %s, and no alert says so".formatted(Instant.ofEpochMilli(deadlineMs)));
    }
  }

  /** Whether no other definition has been written before it was decided. */
  private boolean isByTheLatest(Entry<Fire> fire) {
    return changes.getOrDefault(value(fire).getScheduleId(), List.of()).stream()
        .filter(change -> change.place().contains(".schedules-"))
        .filter(change -> change.appendedMs() <= decidedMs(fire))
        .max(Comparator.comparingLong(Entry::appendedMs))
        .filter(change -> change.place().equals(value(fire).getRevision()))
        .isPresent();
  }

  private boolean isOverdue(String of, long fromMs, long untilMs) {
    List<Alert> all = alerts.getOrDefault(of, List.of());
    for (int i = 0; i < all.size(); i++) {
      boolean isOver = i + 1 < all.size() && all.get(i + 1).getAt().toEpochMilli() < fromMs;
      if (all.get(i).getKind() == AlertKind.OVERDUE
          && all.get(i).getAt().toEpochMilli() <= untilMs
          && !isOver) {
        return true;
      }
    }
    return false;
  }

  private void found(Alert alert, String detail) {
    found(
        Finding.Kind.ALERT,
        alert.getScheduleId(),
        alert.getOccurrence().toEpochMilli(),
        "of %s: %s".formatted(alert.getExpectation(), detail));
  }

  private void found(Finding.Kind kind, String key, long ms, String detail) {
    findings.add(new Finding(kind, key, ms, detail));
  }
}

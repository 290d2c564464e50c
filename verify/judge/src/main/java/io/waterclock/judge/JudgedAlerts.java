package io.waterclock.judge;

import static io.waterclock.judge.Dossier.PROMPT_MS;
import static io.waterclock.judge.Dossier.at;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The alerts about one expectation of a schedule, by our own arithmetic: each is written once, none
 * is false, and none is missing while a scheduler decides, or at the end.
 */
final class JudgedAlerts {
  /** The scheduler watches a hundred runs: with fewer fires, all of them. */
  private static final int SURELY_WATCHED = 100;

  private final Dossier dossier;
  private final Holds holds;
  private final Expectation expectation;
  private final List<Entry<Alert>> alerts;
  private final List<Entry<Fire>> fires;

  JudgedAlerts(Dossier dossier, Holds holds, Expectation expectation) {
    this.dossier = dossier;
    this.holds = holds;
    this.expectation = expectation;
    this.alerts =
        dossier.evidence.alerts(dossier.id).stream()
            .filter(entry -> entry.value().orElseThrow().getExpectation() == expectation)
            .toList();
    this.fires =
        dossier.evidence.fires(dossier.id).stream()
            .filter(entry -> DecidedOccurrence.isOfTheTrigger(entry.value().orElseThrow()))
            .toList();
  }

  private boolean isEvery() {
    return expectation == Expectation.SUCCEEDED_EVERY;
  }

  void judge() {
    inTurn();
    hasRecovered();
    for (Entry<Alert> entry : alerts) {
      Alert alert = entry.value().orElseThrow();
      if (alert.getKind() == AlertKind.RECOVERED) {
        recovered(alert);
      } else if (isEvery()) {
        noSuccessSince(alert);
      } else {
        late(alert);
      }
    }
    if (fires.size() <= SURELY_WATCHED) {
      fires.forEach(this::notMissing);
    }
  }

  /** OVERDUE and RECOVERED take turns, and tell of the same occurrence. */
  private void inTurn() {
    Optional<Alert> open = Optional.empty();
    for (Entry<Alert> entry : alerts) {
      Alert alert = entry.value().orElseThrow();
      boolean begins = alert.getKind() == AlertKind.OVERDUE;
      if (begins == open.isPresent()) {
        found(ms(alert.getOccurrence()), "is %s twice in a row", alert.getKind());
      } else if (open.filter(it -> !it.getOccurrence().equals(alert.getOccurrence())).isPresent()) {
        found(ms(alert.getOccurrence()), "has recovered, and that was not overdue");
      }
      open = begins ? Optional.of(alert) : Optional.empty();
    }
  }

  /** At the end nothing is overdue that has surely been reported since. */
  private void hasRecovered() {
    if (alerts.isEmpty()) {
      return;
    }
    Alert last = alerts.get(alerts.size() - 1).value().orElseThrow();
    long occurrence = ms(last.getOccurrence());
    boolean isReported =
        meeting(occurrence, last.getRevision())
            .filter(report -> report.timestampMs() > ms(last.getAt()) + dossier.terms.aheadMs())
            .filter(report -> dossier.way.isSurelyRead(report, Dossier.COMMANDS_KEPT))
            .filter(report -> isEvery() || !isLaterFireLate(report))
            .anyMatch(
                report -> dossier.way.committedMs(report).orElseThrow() < dossier.terms.untilMs());
    if (last.getKind() == AlertKind.OVERDUE && isReported) {
      found(occurrence, "is overdue at the end, and has been reported since");
    }
  }

  /** Whether a fire after the reported one had passed its deadline: then it is overdue still. */
  private boolean isLaterFireLate(Entry<Outcome> report) {
    long reported = occurrenceMs(report);
    return fires.stream()
        .map(one -> one.value().orElseThrow())
        .filter(one -> ms(one.getOccurrence()) > reported)
        .anyMatch(
            one ->
                dossier
                    .revised(one.getRevision())
                    .flatMap(it -> it.definition.expected(expectation))
                    .filter(within -> ms(one.getDue()) + within <= report.timestampMs())
                    .isPresent());
  }

  private static long occurrenceMs(Entry<Outcome> report) {
    String key = report.value().orElseThrow().getFireKey();
    return ms(Instant.parse(key.substring(key.indexOf('|') + 1)));
  }

  /** It fired, its deadline was over, and nothing that was known by then says otherwise. */
  private void late(Alert alert) {
    long occurrence = ms(alert.getOccurrence());
    long deadline = ms(alert.getExpectedBy());
    Optional<Fire> fire =
        fires.stream()
            .map(one -> one.value().orElseThrow())
            .filter(one -> ms(one.getOccurrence()) == occurrence)
            .findFirst();
    Optional<Long> within =
        fire.flatMap(one -> dossier.revised(one.getRevision()))
            .flatMap(it -> it.definition.expected(expectation));
    if (fire.isEmpty() || within.isEmpty()) {
      found(occurrence, "is overdue, and did not fire, or nothing is expected of it");
      return;
    }
    long earliest = ms(fire.get().getDue()) + within.get();
    boolean hasWaited =
        holds.mayHaveHeld()
            || dossier.revised(fire.get().getRevision()).filter(JudgedAlerts::waits).isPresent();
    long latest = hasWaited ? ms(fire.get().getFiredAt()) + within.get() : earliest;
    if (deadline < earliest || deadline > Math.max(earliest, latest)) {
      found(occurrence, "is expected by %s, and was due at %s", at(deadline), fire.get().getDue());
    }
    notEarly(alert);
    long lateMs = Math.max(deadline, ms(fire.get().getFiredAt()));
    Stream.concat(
            meeting(occurrence, alert.getRevision()),
            reports(occurrence, occurrence, alert.getRevision())
                .filter(it -> state(it) == OutcomeState.DROPPED))
        .filter(report -> report.timestampMs() <= lateMs)
        .filter(report -> dossier.way.isKnown(report, ms(alert.getDecidedAt())))
        .findFirst()
        .ifPresent(report -> contradicts(occurrence, lateMs, report));
  }

  /** Whether its fires wait for the end of a run, and their time counts from then. */
  private static boolean waits(Revised revised) {
    return revised.definition.overlap() == Overlap.BUFFER_ONE;
  }

  /** Something was due or fired in the time, and no success that was known lies in it. */
  private void noSuccessSince(Alert alert) {
    long since = ms(alert.getOccurrence());
    long deadline = ms(alert.getExpectedBy());
    boolean hasFired =
        fires.stream()
            .map(one -> one.value().orElseThrow())
            .anyMatch(
                one ->
                    ms(one.getDue()) < deadline
                        && Math.max(ms(one.getDue()), ms(one.getFiredAt()))
                            >= since - dossier.terms.aheadMs());
    if (!hasFired) {
      found(since, "is overdue at %s, and nothing was due", at(deadline));
    }
    notEarly(alert);
    meeting(Long.MIN_VALUE, alert.getRevision())
        .filter(report -> report.timestampMs() > since + dossier.terms.aheadMs())
        .filter(report -> report.timestampMs() <= deadline)
        .filter(report -> dossier.way.isKnown(report, ms(alert.getDecidedAt())))
        .findFirst()
        .ifPresent(report -> contradicts(since, deadline, report));
  }

  private void notEarly(Alert alert) {
    if (ms(alert.getDecidedAt()) + dossier.terms.aheadMs() < ms(alert.getExpectedBy())) {
      found(ms(alert.getOccurrence()), "is overdue before its deadline, %s", alert.getExpectedBy());
    }
  }

  private void contradicts(long occurrence, long lateMs, Entry<Outcome> report) {
    found(
        occurrence,
        "is overdue since %s, and %s has reported %s at %s",
        at(lateMs),
        report.place(),
        state(report),
        at(report.timestampMs()));
  }

  /** A worker has reported what was missing, or it is not expected any more. */
  private void recovered(Alert alert) {
    long decided = ms(alert.getDecidedAt()) + dossier.terms.aheadMs();
    long occurrence = ms(alert.getOccurrence());
    boolean isFounded =
        alert.getWithdrawn()
            ? dossier.revised.stream()
                .anyMatch(
                    it ->
                        it.definition.mayComplete()
                            || it.endedBy.filter(end -> end.appendedMs() <= decided).isPresent())
            : Stream.concat(
                    meeting(isEvery() ? Long.MIN_VALUE : occurrence, alert.getRevision()),
                    reports(occurrence, occurrence, alert.getRevision())
                        .filter(it -> state(it) == OutcomeState.DROPPED))
                .anyMatch(report -> report.appendedMs() <= decided);
    if (!isFounded) {
      found(occurrence, "has recovered at %s, and nothing says so", alert.getAt());
    }
  }

  /** The reports that meet the expectation, of a fire and of later ones of its life of the id. */
  private Stream<Entry<Outcome>> meeting(long fromMs, String revision) {
    return reports(fromMs, Long.MAX_VALUE, revision)
        .filter(
            report ->
                state(report) == OutcomeState.SUCCEEDED
                    || (expectation == Expectation.STARTED_WITHIN
                        && state(report) != OutcomeState.DROPPED));
  }

  private Stream<Entry<Outcome>> reports(long fromMs, long toMs, String revision) {
    Optional<Integer> life = life(revision);
    return fires.stream()
        .filter(fire -> life(fire.value().orElseThrow().getRevision()).equals(life))
        .filter(fire -> ms(fire.value().orElseThrow().getOccurrence()) >= fromMs)
        .filter(fire -> ms(fire.value().orElseThrow().getOccurrence()) <= toMs)
        .flatMap(fire -> dossier.evidence.reports(fire.key()).stream());
  }

  private Optional<Integer> life(String revision) {
    return dossier.revised(revision).map(it -> it.life);
  }

  private static OutcomeState state(Entry<Outcome> report) {
    return report.value().orElseThrow().getState();
  }

  /**
   * A fire that surely has not met it in time is overdue soon after its deadline; at the end it is,
   * whenever a scheduler decided. With SUCCEEDED_EVERY: no success lies in the time from when it
   * was due, so whenever the time began in which it was due, something is overdue when this one has
   * passed.
   */
  private void notMissing(Entry<Fire> entry) {
    Fire fire = entry.value().orElseThrow();
    Optional<Revised> by = dossier.revised(fire.getRevision());
    Optional<Long> within = by.flatMap(it -> it.definition.expected(expectation));
    if (within.isEmpty()) {
      return;
    }
    Revised it = by.get();
    long occurrence = ms(fire.getOccurrence());
    long from = ms(waits(it) ? fire.getFiredAt() : fire.getDue());
    long late = Math.max(from + within.get(), ms(fire.getFiredAt()));
    long until = late + 2 * PROMPT_MS;
    boolean isPrompt =
        dossier.terms.health().covers(dossier.way.home(), late, until)
            && it.endedBy.filter(end -> end.appendedMs() <= until).isEmpty()
            && it.endedMs().filter(end -> end <= until).isEmpty();
    boolean isDecided =
        late <= dossier.terms.untilMs() && it.endedBy.isEmpty() && it.endedMs().isEmpty();
    boolean isUndisturbed =
        dossier.terms.aheadMs() == 0
            && until < dossier.terms.endMs()
            && (isPrompt || isDecided)
            && !holds.mayHaveHeld();
    if (isUndisturbed && !isMet(fire, late) && !isOverdueAt(late, until)) {
      found(occurrence, "is late at %s, and no alert says so", at(late));
    }
  }

  private boolean isMet(Fire fire, long lateMs) {
    long occurrence = ms(fire.getOccurrence());
    if (isEvery()) {
      return dossier.revised(fire.getRevision()).orElseThrow().definition.mayComplete()
          || meeting(Long.MIN_VALUE, fire.getRevision())
              .mapToLong(this::endedMs)
              .anyMatch(end -> end > ms(fire.getDue()) && end <= lateMs);
    }
    return meeting(occurrence, fire.getRevision())
            .anyMatch(report -> report.timestampMs() <= lateMs)
        || reports(occurrence, occurrence, fire.getRevision())
            .anyMatch(report -> state(report) == OutcomeState.DROPPED);
  }

  /** A run cannot end before its occurrence, whatever the clock of its worker shows. */
  private long endedMs(Entry<Outcome> report) {
    return Math.max(report.timestampMs(), occurrenceMs(report) + 1);
  }

  /** Whether something was overdue soon after an instant that had not recovered by then. */
  private boolean isOverdueAt(long ms, long untilMs) {
    for (int i = 0; i < alerts.size(); i++) {
      Alert alert = alerts.get(i).value().orElseThrow();
      boolean hasRecovered =
          i + 1 < alerts.size() && ms(alerts.get(i + 1).value().orElseThrow().getAt()) < ms;
      if (alert.getKind() == AlertKind.OVERDUE && ms(alert.getAt()) <= untilMs && !hasRecovered) {
        return true;
      }
    }
    return false;
  }

  private static long ms(Instant instant) {
    return instant.toEpochMilli();
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of the module
  private void found(long atMs, String format, Object... arguments) {
    dossier.found(Finding.Kind.ALERT, atMs, format, arguments);
  }
}

package io.waterclock.judge;

import static io.waterclock.judge.Dossier.PROMPT_MS;
import static io.waterclock.judge.Dossier.at;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The alerts of a schedule whose fires are expected to succeed in time, by our own arithmetic: each
 * is told once, none is false, and none is missing while a scheduler decides.
 */
final class JudgedAlerts {
  private final Dossier dossier;
  private final Holds holds;
  private final List<Entry<Alert>> alerts;
  private final List<Entry<Fire>> fires;

  JudgedAlerts(Dossier dossier, Holds holds) {
    this.dossier = dossier;
    this.holds = holds;
    this.alerts = dossier.evidence.alerts(dossier.id);
    this.fires =
        dossier.evidence.fires(dossier.id).stream()
            .filter(entry -> DecidedOccurrence.isOfTheTrigger(entry.value().orElseThrow()))
            .toList();
  }

  void judge() {
    inTurn();
    for (Entry<Alert> entry : alerts) {
      if (entry.value().orElseThrow().getKind() == AlertKind.OVERDUE) {
        notFalse(entry);
      }
    }
    fires.forEach(this::notMissing);
  }

  /** What is overdue is told once, before it recovers. */
  private void inTurn() {
    boolean isOverdue = false;
    for (Entry<Alert> entry : alerts) {
      Alert alert = entry.value().orElseThrow();
      boolean begins = alert.getKind() == AlertKind.OVERDUE;
      if (begins == isOverdue) {
        found(ms(alert.getOccurrence()), "is told as %s twice in a row", alert.getKind());
      }
      isOverdue = begins;
    }
  }

  /** It fired, its deadline was over, and no success that was known by then says otherwise. */
  private void notFalse(Entry<Alert> entry) {
    Alert alert = entry.value().orElseThrow();
    long occurrence = ms(alert.getOccurrence());
    long deadline = ms(alert.getExpectedBy());
    Optional<Fire> fire =
        fires.stream()
            .map(one -> one.value().orElseThrow())
            .filter(one -> ms(one.getOccurrence()) == occurrence)
            .findFirst();
    Optional<Long> within =
        dossier.revised(alert.getRevision()).stream()
            .flatMapToLong(it -> it.definition.succeededWithinMs().stream())
            .boxed()
            .findFirst();
    if (fire.isEmpty() || within.isEmpty()) {
      found(occurrence, "is overdue, and did not fire, or nothing is expected of it");
      return;
    }
    if (deadline != ms(fire.get().getDue()) + within.get()) {
      found(occurrence, "is expected by %s, and was due at %s", at(deadline), fire.get().getDue());
    }
    if (ms(alert.getDecidedAt()) + dossier.terms.aheadMs() < deadline) {
      found(occurrence, "is overdue before its deadline, %s", at(deadline));
    }
    successes(occurrence)
        .filter(success -> success.timestampMs() <= deadline)
        .filter(success -> dossier.way.isKnown(success, ms(alert.getDecidedAt())))
        .findFirst()
        .ifPresent(
            success ->
                found(
                    occurrence,
                    "is overdue since %s, and %s told at %s that it has succeeded",
                    at(deadline),
                    success.place(),
                    at(success.timestampMs())));
  }

  /** The reports of success of a fire and of later ones. */
  private Stream<Entry<Outcome>> successes(long fromMs) {
    return fires.stream()
        .filter(fire -> ms(fire.value().orElseThrow().getOccurrence()) >= fromMs)
        .flatMap(fire -> dossier.evidence.reports(fire.key()).stream())
        .filter(
            report -> report.value().orElseThrow().getState() == OutcomeState.SUCCEEDED);
  }

  /** A fire that surely has not succeeded in time is overdue soon after its deadline. */
  private void notMissing(Entry<Fire> entry) {
    Fire fire = entry.value().orElseThrow();
    Optional<Revised> by = dossier.revised(fire.getRevision());
    if (by.isEmpty() || by.get().definition.succeededWithinMs().isEmpty()) {
      return;
    }
    Revised it = by.get();
    long occurrence = ms(fire.getOccurrence());
    long deadline =
        Math.max(
            ms(fire.getDue()) + it.definition.succeededWithinMs().getAsLong(),
            ms(fire.getFiredAt()));
    long until = deadline + 2 * PROMPT_MS;
    boolean isUndisturbed =
        dossier.terms.aheadMs() == 0
            && until < dossier.terms.endMs()
            && dossier.terms.health().covers(dossier.way.home(), deadline, until)
            && it.endedBy.filter(end -> end.appendedMs() <= until).isEmpty()
            && it.endedMs().filter(end -> end <= until).isEmpty()
            && !holds.mayHaveHeld();
    boolean mayHaveEnded =
        dossier.evidence.reports(entry.key()).stream()
            .anyMatch(
                report -> report.value().orElseThrow().getState() == OutcomeState.DROPPED);
    if (!isUndisturbed
        || mayHaveEnded
        || successes(occurrence).anyMatch(success -> success.timestampMs() <= deadline)) {
      return;
    }
    if (!isOverdueAt(deadline, until)) {
      found(occurrence, "has not succeeded by %s, and nothing tells it", at(deadline));
    }
  }

  /** Whether something was told as overdue that had not recovered by an instant. */
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

package io.waterclock.judge;

import static io.waterclock.judge.Dossier.PROMPT_MS;
import static io.waterclock.judge.Dossier.at;

import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Overlap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The account of one schedule: what its records demand, and what was done. */
final class ScheduleAccount {
  private final Dossier dossier;
  private final Terms terms;
  private final List<Verdict.Decided> tally = new ArrayList<>();
  private final Map<Revised, List<List<DecidedOccurrence>>> ranges = new HashMap<>();

  ScheduleAccount(Terms terms, Evidence evidence, String id, List<Finding> findings) {
    this.terms = terms;
    this.dossier = new Dossier(terms, evidence, id, findings);
  }

  /** The definitions that were accepted. */
  List<Revised> revised() {
    return dossier.revised;
  }

  /** Every outcome that the schedulers wrote, also of an occurrence that has two. */
  List<Verdict.Decided> decided() {
    return tally;
  }

  /** How long its revisions were in force, in milliseconds. */
  long ownedMs() {
    return dossier.revised.stream()
        .mapToLong(it -> Math.max(0, it.endedMs().orElse(terms.endMs()) - it.effectiveMs()))
        .sum();
  }

  void judge() {
    new AcceptedDefinitions(dossier).read();
    JudgedRuns runs = new JudgedRuns(dossier);
    Holds holds = new Holds(dossier);
    dossier.evidence.fires(dossier.id).forEach(this::take);
    dossier.evidence.missed(dossier.id).forEach(this::takeRange);
    new RevisionClaims(dossier).judge();
    decidedOnce();
    owned(runs, holds);
    LawfulReasons reasons = new LawfulReasons(dossier, holds, runs);
    for (DecidedOccurrence decision : dossier.all()) {
      if (decision.isFired()) {
        dossier.revised(decision.revision()).ifPresent(by -> reasons.judge(decision, by));
      }
    }
    ranges.forEach((by, all) -> all.forEach(range -> reasons.judge(range, by)));
    prompt(runs, holds);
    ends();
    status();
    holds.judge();
    runs.judge(dossier);
    for (Expectation each : Expectation.values()) {
      new JudgedAlerts(dossier, holds, each).judge();
    }
    new Executions(dossier).judge();
  }

  private void take(Entry<Fire> entry) {
    Fire fire = entry.value().orElseThrow();
    if (!DecidedOccurrence.isOfTheTrigger(fire)) {
      return;
    }
    DecidedOccurrence decision = DecidedOccurrence.of(entry);
    Optional<Revised> by = dossier.revised(fire.getRevision());
    tally(decision, by);
    if (by.isEmpty()) {
      dossier.found(
          Finding.Kind.FOREIGN,
          decision.nominalMs(),
          "fire of %s, which is no revision",
          fire.getRevision());
      return;
    }
    ObservedDefinition definition = by.get().definition;
    if (!payload(fire).equals(definition.payload().toString())) {
      dossier.found(
          Finding.Kind.FOREIGN,
          decision.nominalMs(),
          "fire of %s carries the payload %s",
          by.get().name,
          payload(fire));
    }
    boolean asks = definition.overlap() != Overlap.ALLOW || !definition.expected().isEmpty();
    if (fire.getWantsOutcome() != asks) {
      dossier.found(
          Finding.Kind.FOREIGN,
          decision.nominalMs(),
          "fire of %s: wants_outcome is %s",
          by.get().name,
          fire.getWantsOutcome());
    }
    if (terms.aheadMs() == 0
        && Math.abs(decision.appendedMs() - decision.decidedMs()) > PROMPT_MS) {
      dossier.found(
          Finding.Kind.LATE,
          decision.nominalMs(),
          "fired at %s, and was sent at %s",
          at(decision.decidedMs()),
          at(decision.appendedMs()));
    }
    dossier.add(decision);
  }

  private static String payload(Fire fire) {
    return Optional.ofNullable(fire.getSchedule().getPayload())
        .map(bytes -> StandardCharsets.UTF_8.decode(bytes.duplicate()).toString())
        .orElse("");
  }

  private void takeRange(Entry<Missed> entry) {
    Missed range = entry.value().orElseThrow();
    long firstMs = range.getFirst().toEpochMilli();
    Optional<Revised> by = dossier.revised(range.getRevision());
    if (by.isEmpty()) {
      dossier.found(
          Finding.Kind.FOREIGN, firstMs, "missed of %s, which is no revision", range.getRevision());
      return;
    }
    List<Long> occurrences = dossier.occurrences(range, by.get());
    if (!by.get().times().names(firstMs)
        || !by.get().times().names(range.getLast().toEpochMilli())) {
      dossier.found(Finding.Kind.FOREIGN, firstMs, "%s missed a range off its grid", by.get().name);
    }
    if (occurrences.size() != range.getCount() && !range.getCountIsLowerBound()) {
      dossier.found(
          Finding.Kind.UNLAWFUL,
          firstMs,
          "%s missed %s occurrences through %s, which has %s",
          by.get().name,
          range.getCount(),
          range.getLast(),
          occurrences.size());
    }
    List<DecidedOccurrence> decisions =
        occurrences.stream().map(ms -> DecidedOccurrence.of(entry, ms)).toList();
    decisions.forEach(dossier::add);
    decisions.forEach(decision -> tally(decision, by));
    ranges.computeIfAbsent(by.get(), any -> new ArrayList<>()).add(decisions);
  }

  private void tally(DecidedOccurrence decision, Optional<Revised> by) {
    long jitterMs = by.map(it -> it.definition.jitterMs()).orElse(0L);
    tally.add(
        new Verdict.Decided(
            dossier.id, decision.nominalMs(), decision.nominalMs() + jitterMs, decision.isFired()));
  }

  private void decidedOnce() {
    dossier.decisions.forEach(
        (nominal, all) -> {
          if (all.size() > 1) {
            dossier.found(
                Finding.Kind.DOUBLED, nominal, "was decided %s times: %s", all.size(), all);
          }
        });
  }

  /** Each occurrence that a revision owns has an outcome, and there is no other. */
  private void owned(JudgedRuns runs, Holds holds) {
    Set<Long> allowed = new HashSet<>();
    long last = dossier.decisions.isEmpty() ? 0 : dossier.decisions.lastKey();
    for (Revised it : dossier.revised) {
      long endedMs = it.endedMs().orElse(Long.MAX_VALUE);
      allowed.addAll(it.in(it.ownsAfterMs(), Math.min(endedMs, last)));
      long surely =
          it.ended.isPresent()
              ? Math.min(endedMs, untilMs(it))
              : Math.min(untilMs(it), holds.heldSince(it));
      boolean handsOver = it.isOnce() && dossier.revised.indexOf(it) < dossier.revised.size() - 1;
      for (long nominal : it.in(it.ownsAfterMs(), surely)) {
        if (!dossier.decisions.containsKey(nominal)
            && !handsOver
            && !runs.holdsAtEnd(it, nominal)
            && !holds.isHeldSinceBefore(Math.max(nominal, it.record.visibleMs()))) {
          dossier.found(Finding.Kind.LOST, nominal, "of %s was never decided", it.name);
        }
      }
      if (it.isOnce() && it.ended.isEmpty() && it.endedBy.isEmpty()) {
        once(it, runs, holds);
      }
    }
    dossier.decisions.forEach(
        (nominal, all) -> {
          if (!allowed.contains(nominal) || nominal > terms.endMs() + terms.aheadMs()) {
            dossier.found(
                Finding.Kind.FOREIGN, nominal, "is no occurrence that any revision owns: %s", all);
          }
        });
  }

  /** Fires come in order: what precedes a fire is decided, unless a run may hold it back. */
  private long untilMs(Revised it) {
    return it.definition.overlap() == Overlap.ALLOW
        ? dossier.all().stream()
            .filter(decision -> decision.isFired() && decision.revision().equals(it.name))
            .mapToLong(DecidedOccurrence::nominalMs)
            .reduce(terms.untilMs(), Math::max)
        : terms.untilMs();
  }

  /** A single instant in the past fires at its acceptance, unless an earlier life had it. */
  private void once(Revised it, JudgedRuns runs, Holds holds) {
    OptionalLong at = it.times().next(Long.MIN_VALUE / 2);
    if (at.isEmpty()
        || at.getAsLong() > it.ownsAfterMs() // else it is owned
        || dossier.revised.get(0) != it
        || at.getAsLong() > Math.min(terms.untilMs(), holds.heldSince(it))
        || runs.holdsAtEnd(it, at.getAsLong())
        || dossier.decisions.containsKey(at.getAsLong())) {
      return;
    }
    dossier.found(
        Finding.Kind.LOST, at.getAsLong(), "the single instant of %s, was never decided", it.name);
  }

  /** While a scheduler decides, it decides at once. */
  private void prompt(JudgedRuns runs, Holds holds) {
    int home = dossier.way.home();
    for (DecidedOccurrence decision : dossier.all()) {
      Optional<Revised> by = dossier.revised(decision.revision());
      long nominal = decision.nominalMs();
      boolean isAhead = decision.appendedMs() < nominal; // by the clock of the scheduler
      if (by.isEmpty()
          || isAhead
          || nominal < Math.max(by.get().beganMs, by.get().record.visibleMs())
          || !terms.health().covers(home, nominal, nominal + PROMPT_MS)
          || !by.get().definition.enabled()) {
        continue;
      }
      Revised it = by.get();
      boolean isDeleted =
          decision.isMissedAs(MissedReason.DELETED)
              && it.endedBy.filter(end -> end.visibleMs() <= nominal + PROMPT_MS).isPresent();
      boolean wasHeld = holds.mayHaveHeldBefore(decision.appendedMs());
      long until = Math.max(nominal, runs.heldUntil(it, decision));
      if (decision.isFired()
          && decision.appendedMs() > until + PROMPT_MS
          && terms.health().covers(home, until, until + PROMPT_MS)
          && !(wasHeld && it.isOnce())) {
        dossier.found(
            Finding.Kind.LATE,
            nominal,
            "fired only at %s, while a scheduler decides",
            at(decision.appendedMs()));
      } else if (!decision.isFired()
          && !decision.isMissedAs(MissedReason.PAUSED)
          && !isDeleted
          && !wasHeld
          && until == nominal
          && !runs.mayOverlap(it, decision)) {
        dossier.found(
            Finding.Kind.LATE, nominal, "was missed while a scheduler decides: %s", decision);
      }
    }
  }

  /** What was deleted or replaced does not fire afterwards. */
  private void ends() {
    for (DecidedOccurrence decision : dossier.all()) {
      Optional<Revised> by = dossier.revised(decision.revision());
      if (!decision.isFired() || by.flatMap(it -> it.endedBy).isEmpty()) {
        continue;
      }
      Revised it = by.get();
      Entry<String> end = it.endedBy.orElseThrow();
      boolean isInPlace = it.endedByStray.filter(end::equals).isPresent();
      boolean isAfter = it.isDeleted || decision.nominalMs() > it.endedMs().orElse(Long.MAX_VALUE);
      boolean isLate =
          !isInPlace && decision.appendedMs() > end.visibleMs() + terms.patience().deliveryMs();
      boolean isKnown =
          it.endedByStray
              .filter(stray -> dossier.way.isKnown(stray, decision.decidedMs()))
              .isPresent();
      boolean isOfItsOwn =
          !isInPlace
              && dossier.way.knownMs(end).orElse(Long.MAX_VALUE) + terms.aheadMs()
                  < decision.nominalMs();
      if ((isAfter && (isLate || isKnown)) || isOfItsOwn) {
        dossier.found(
            Finding.Kind.FOREIGN,
            decision.nominalMs(),
            "of %s fired at %s, and %s ended it at %s",
            it.name,
            at(decision.appendedMs()),
            end.place(),
            at(end.visibleMs()));
      }
    }
  }

  /** The status topic shows the schedule that is in force, or a tombstone. */
  private void status() {
    Optional<String> shown = dossier.evidence.status(dossier.id);
    if (dossier.revised.isEmpty() || !dossier.evidence.hasStatus(dossier.id)) {
      return;
    }
    Revised last = dossier.revised.get(dossier.revised.size() - 1);
    if (last.isDeleted && last.ended.isPresent() && shown.isPresent()) {
      dossier.found(
          Finding.Kind.STATUS,
          last.effectiveMs(),
          "%s is deleted, and the status shows %s",
          last.name,
          shown.get());
    }
    boolean isCurrent = last.endedBy.isEmpty() && !last.isOnce();
    if (isCurrent
        && last.acceptedMs() < terms.endMs() - 2 * PROMPT_MS
        && !shown.equals(Optional.of(last.name))) {
      dossier.found(
          Finding.Kind.STATUS,
          last.effectiveMs(),
          "%s is in force, and the status shows %s",
          last.name,
          shown.orElse("a tombstone"));
    }
  }
}

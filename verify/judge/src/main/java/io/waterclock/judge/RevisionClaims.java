package io.waterclock.judge;

import static io.waterclock.judge.Dossier.HOUR;
import static io.waterclock.judge.Dossier.at;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether what the schedulers say of revisions follows from their records. */
final class RevisionClaims {
  private final Dossier dossier;
  private final long aheadMs;
  private final long endMs;

  RevisionClaims(Dossier dossier) {
    this.dossier = dossier;
    this.aheadMs = dossier.terms.aheadMs();
    this.endMs = dossier.terms.endMs();
  }

  void judge() {
    Optional<Revised> before = Optional.empty();
    for (Revised it : dossier.revised) {
      judge(it, before);
      before = Optional.of(it);
    }
  }

  private void found(Revised it, String format, Object... arguments) {
    dossier.found(Finding.Kind.REVISION, it.effectiveMs(), format, arguments);
  }

  private void judge(Revised it, Optional<Revised> before) {
    long accepted = it.acceptedMs();
    long effective = it.effectiveMs();
    long said = said(it.record, accepted, it.beganMs);
    Optional<Revised> sameLife = before.filter(last -> last.life == it.life);
    long least = sameLife.map(last -> Math.max(said, last.effectiveMs())).orElse(said);
    boolean isBounded = before.isPresent() || accepted - effective > HOUR;
    if (accepted < it.record.appendedMs() && aheadMs == 0) {
      found(it, "%s was accepted before it was written", it.name);
    }
    long bound =
        before
            .map(
                last ->
                    Math.max(
                        last.endedMs().orElse(last.effectiveMs()),
                        Optional.ofNullable(dossier.decisions.lowerKey(accepted + 1)).orElse(0L)))
            .orElse(0L);
    if (effective < least) {
      found(it, "%s took effect at %s, before %s", it.name, at(effective), at(least));
    }
    long most = Math.max(least, Math.max(bound, it.deletedBeforeMs));
    if (effective > most && !(isBounded && effective <= accepted - HOUR)) {
      found(it, "%s took effect at %s, after %s", it.name, at(effective), at(most));
    }
    boolean hasSameTrigger =
        sameLife
            .filter(last -> last.definition.trigger().equals(it.definition.trigger()))
            .isPresent();
    if (!it.isOnce()
        && (it.ownsAfterMs() > effective || (it.ownsAfterMs() < effective && !hasSameTrigger))) {
      found(
          it,
          "%s owns what comes after %s, and took effect at %s",
          it.name,
          at(it.ownsAfterMs()),
          at(effective));
    }
    sameLife
        .filter(last -> last.ended.isEmpty())
        .ifPresent(last -> found(it, "%s was replaced by %s, and never ended", last.name, it.name));
    resolved(it, sameLife, hasSameTrigger);
    counted(it, sameLife, hasSameTrigger);
    if (it.ended.isPresent()) {
      ended(it);
    } else if (it.isDeleted
        && it.endedBy
            .filter(by -> endMs - by.appendedMs() > Evidence.MIN_COMPACTION_LAG)
            .isEmpty()) {
      found(it, "%s was deleted, and never ended", it.name);
    }
  }

  /**
   * The earliest that a record takes effect: its timestamp, but at most the time at which a
   * scheduler heeded it. A clock that is behind by more than a trusted one may be does not count.
   */
  private long said(Entry<String> record, long heededMs, long writtenMs) {
    return Math.min(record.timestampMs(), Math.max(heededMs, writtenMs - aheadMs));
  }

  private void resolved(Revised it, Optional<Revised> sameLife, boolean hasSameTrigger) {
    long resolved = it.resolvedMs();
    Trigger trigger = it.definition.trigger();
    if (hasSameTrigger) {
      boolean mayBeginAnew = it.definition.mayComplete(); // after it was over
      if (trigger.isResolved()
          && resolved != sameLife.orElseThrow().resolvedMs()
          && !mayBeginAnew) {
        found(
            it,
            "%s counts anew from %s, and has the trigger of its predecessor",
            it.name,
            at(resolved));
      }
      return;
    }
    if (trigger instanceof Trigger.Grid && resolved != it.effectiveMs()) {
      found(
          it,
          "%s counts from %s, and took effect at %s",
          it.name,
          at(resolved),
          at(it.effectiveMs()));
    }
    if (trigger instanceof Trigger.Delayed in) {
      long from = resolved - in.delayMs();
      long last = Optional.ofNullable(dossier.decisions.lowerKey(resolved)).orElse(0L);
      if (from < it.effectiveMs() || from > Math.max(it.effectiveMs(), last + 1)) {
        found(
            it,
            "%s counts from %s, and took effect at %s",
            it.name,
            at(from),
            at(it.effectiveMs()));
      }
    }
  }

  /** Where max_occurrences ends it: behind the last of them, before the next. */
  private void counted(Revised it, Optional<Revised> sameLife, boolean hasSameTrigger) {
    boolean goesOn =
        hasSameTrigger
            && sameLife
                .filter(
                    last -> last.definition.maxOccurrences().equals(it.definition.maxOccurrences()))
                .isPresent();
    if (it.definition.maxOccurrences().isEmpty() || goesOn) {
      return;
    }
    Trigger trigger = it.definition.trigger().resolved(it.resolvedMs());
    OptionalLong last = OptionalLong.of(it.ownsAfterMs());
    for (long n = it.definition.maxOccurrences().getAsLong(); n > 0 && last.isPresent(); n--) {
      last = trigger.next(last.getAsLong());
    }
    long bound =
        Optional.ofNullable(it.began.orElseThrow().getBoundedBy())
            .map(Instant::toEpochMilli)
            .orElse(Long.MAX_VALUE);
    if (last.isPresent()
        && (bound <= last.getAsLong()
            || trigger.next(last.getAsLong()).orElse(Long.MAX_VALUE) < bound)) {
      found(
          it,
          "%s has its last occurrence at %s, and says %s",
          it.name,
          at(last.getAsLong()),
          bound);
    }
  }

  private void ended(Revised it) {
    Revision end = it.ended.orElseThrow();
    long through = it.endedMs().orElseThrow();
    if (end.getEndedBy() == RevisionEnd.COMPLETED) {
      if (!it.definition.mayComplete() || it.times().next(through).isPresent()) {
        found(it, "%s is complete, and recurs", it.name);
      }
      return;
    }
    if (it.endedBy.isEmpty()) {
      found(it, "%s ended as %s, and no record ends it", it.name, end.getEndedBy());
      return;
    }
    long said = said(it.endedBy.get(), end.getAcceptedAt().toEpochMilli(), it.endWrittenMs);
    long least = Math.max(said, it.effectiveMs());
    if (through < least && endMs - it.record.timestampMs() < Evidence.MIN_COMPACTION_LAG) {
      found(it, "%s ended at %s, before %s", it.name, at(through), at(least));
    }
    if (through > least
        && !dossier.decisions.containsKey(through)
        && !AcceptedDefinitions.isOld(dossier, it.endedBy.get())) {
      found(it, "%s ended at %s, after %s", it.name, at(through), at(least));
    }
  }
}

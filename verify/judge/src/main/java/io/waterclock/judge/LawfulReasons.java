package io.waterclock.judge;

import static io.waterclock.judge.Dossier.at;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Overlap;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether the reason of a missed range, or the way in which a fire came, holds. */
final class LawfulReasons {
  private final Dossier dossier;
  private final Holds holds;
  private final JudgedRuns runs;
  private final long aheadMs;

  LawfulReasons(Dossier dossier, Holds holds, JudgedRuns runs) {
    this.dossier = dossier;
    this.holds = holds;
    this.runs = runs;
    this.aheadMs = dossier.terms.aheadMs();
  }

  /** Of a fire. */
  void judge(DecidedOccurrence decision, Revised by) {
    judge(decision, decision.fire().orElseThrow(), by);
  }

  /** Of a missed range: the decisions of its occurrences. */
  void judge(List<DecidedOccurrence> range, Revised by) {
    range.stream()
        .filter(one -> !isLawful(one, one.missed().orElseThrow(), by))
        .findFirst()
        .ifPresent(one -> found(Finding.Kind.UNLAWFUL, one, "must not be missed: %s", one));
  }

  private void found(
      Finding.Kind kind, DecidedOccurrence decision, String format, Object... arguments) {
    dossier.found(kind, decision.nominalMs(), format, arguments);
  }

  private void judge(DecidedOccurrence decision, Fire fire, Revised by) {
    long nominalMs = decision.nominalMs();
    Revised owner = owner(decision, by);
    ObservedDefinition definition = owner.definition;
    long dueMs = fire.getDue().toEpochMilli();
    long lateMs = decision.decidedMs() - dueMs;
    if (lateMs < 0
        || dueMs < nominalMs
        || Math.min(decision.appendedMs(), decision.by().visibleMs()) + aheadMs < dueMs) {
      found(
          Finding.Kind.EARLY,
          decision,
          "due at %s, fired at %s by its clock and at %s by the brokers'",
          at(dueMs),
          at(decision.decidedMs()),
          at(decision.appendedMs()));
      return;
    }
    if (!owner.isOnce() && !mayBeDue(owner, nominalMs, dueMs)) {
      found(Finding.Kind.UNLAWFUL, decision, "due at %s", at(dueMs));
    }
    boolean isLate = lateMs > definition.graceMs();
    boolean isCaughtUp = fire.getCause() == Cause.CATCH_UP;
    if (isCaughtUp != (isLate || fire.getCollapsed() != null)) {
      found(Finding.Kind.UNLAWFUL, decision, "%s, %s ms late", fire.getCause(), lateMs);
    }
    if (definition.catchUp() == CatchUp.SKIP
        && isLate
        && !holds.mayHaveHeld()
        && !runs.mayOverlap(owner, decision)
        && nominalMs > Math.max(owner.acceptedMs(), owner.ownsAfterMs())) {
      found(Finding.Kind.UNLAWFUL, decision, "fired by SKIP, %s ms late", lateMs);
    }
    if (definition.isExcluded() || definition.skips().contains(nominalMs) || isSkipped(nominalMs)) {
      found(Finding.Kind.FORBIDDEN, decision, "fired although skipped");
    }
    Optional.ofNullable(fire.getCollapsed())
        .ifPresent(
            others ->
                judgeCollapsed(
                    decision, others.getCount(), others.getCountIsLowerBound(), others.getFirst()));
  }

  /** Jitter stays before the next occurrence, also when that is of a revision that replaces it. */
  private boolean mayBeDue(Revised owner, long nominalMs, long dueMs) {
    long jitterMs = owner.definition.jitterMs();
    long nextMs = owner.times().next(nominalMs).orElse(Long.MAX_VALUE / 2);
    long spreadMs = Math.min(jitterMs, nextMs - nominalMs);
    long expectedMs = nominalMs + Jitter.offsetMs(dossier.id, nominalMs, spreadMs);
    return dueMs == expectedMs || (dueMs < expectedMs && owner.endedBy.isPresent());
  }

  /**
   * The revision whose occurrence fired. What was missed under COLLAPSE when an edit came fires as
   * the newest revision, whatever that one's own policy is and whether it names the occurrence.
   */
  private Revised owner(DecidedOccurrence decision, Revised by) {
    long nominalMs = decision.nominalMs();
    if (by.owns(nominalMs)) {
      return by;
    }
    Optional<Revised> owner =
        dossier.revised.stream()
            .takeWhile(it -> it != by)
            .filter(it -> it.life == by.life && it.owns(nominalMs))
            .reduce((a, b) -> b);
    boolean isOwned = dossier.revised.stream().anyMatch(it -> it.owns(nominalMs));
    if (isOwned && owner.filter(it -> it.definition.catchUp() == CatchUp.COLLAPSE).isEmpty()) {
      found(
          Finding.Kind.FOREIGN,
          decision,
          "%s fired what %s owns",
          by.name,
          owner.map(it -> it.name).orElse("no revision before it"));
    }
    return owner.orElse(by);
  }

  private List<Missed> collapsedInto(long nominalMs) {
    return dossier.evidence.missed(dossier.id).stream()
        .map(entry -> entry.value().orElseThrow())
        .filter(
            range ->
                Optional.ofNullable(range.getCollapsedInto())
                    .filter(into -> into.toEpochMilli() == nominalMs)
                    .isPresent())
        .toList();
  }

  private void judgeCollapsed(
      DecidedOccurrence decision, long count, boolean isLeast, Instant first) {
    List<Missed> ranges = collapsedInto(decision.nominalMs());
    long missedFor =
        ranges.stream()
            .mapToLong(
                range ->
                    dossier
                        .revised(range.getRevision())
                        .map(of -> dossier.occurrences(range, of).size())
                        .orElse(0))
            .sum();
    if (isLeast ? missedFor < count : missedFor != count) {
      found(
          Finding.Kind.UNLAWFUL,
          decision,
          "stands for %s others, but %s were missed for it",
          count,
          missedFor);
    }
    if (!ranges.stream()
        .map(Missed::getFirst)
        .min(Comparator.naturalOrder())
        .orElse(first)
        .equals(first)) {
      found(
          Finding.Kind.UNLAWFUL,
          decision,
          "stands for others from %s on, which was not missed first",
          first);
    }
  }

  private boolean isSkipped(long nominalMs) {
    return dossier.orders.skips().stream()
        .anyMatch(
            skip ->
                skip.nominalMs() == nominalMs
                    && dossier.isKnownAt(skip.by().timestampMs())
                    && dossier.way.knownMs(skip.by()).orElse(Long.MAX_VALUE / 2) + aheadMs
                        < nominalMs);
  }

  private boolean isLawful(DecidedOccurrence decision, Missed range, Revised of) {
    ObservedDefinition definition = of.definition;
    long nominalMs = decision.nominalMs();
    return switch (range.getReason()) {
      case GRACE ->
          definition.catchUp() == CatchUp.SKIP
              && isOld(decision, range.getLast().toEpochMilli(), definition);
      case COLLAPSED_INTO ->
          definition.catchUp() == CatchUp.COLLAPSE
              && range.getCollapsedInto() != null
              && isCollapsed(decision, range.getCollapsedInto().toEpochMilli());
      case OUT_OF_WINDOW ->
          definition.replays()
              && isOld(decision, range.getLast().toEpochMilli(), definition)
              && (isBeforeWindow(decision, range, definition) || isBeyondNumber(range, of));
      case SKIPPED ->
          definition.isExcluded()
              || definition.skips().contains(nominalMs)
              || dossier.orders.skips().stream().anyMatch(skip -> skip.nominalMs() == nominalMs);
      case OVERLAP -> definition.overlap() != Overlap.ALLOW && runs.mayOverlap(of, decision);
      case PAUSED -> holds.mayHold(decision);
      case DELETED -> isDeleted(decision, of);
      case EXPIRED -> false; // no history has limits
    };
  }

  private static boolean isOld(
      DecidedOccurrence decision, long dueMs, ObservedDefinition definition) {
    return decision.decidedMs() - dueMs > definition.graceMs();
  }

  /**
   * Whether there is a later fire that stands for others. Of all that it stands for, which may be
   * of several revisions, the first was older than the grace of its own revision; younger ones go
   * with it.
   */
  private boolean isCollapsed(DecidedOccurrence decision, long intoMs) {
    Missed first =
        collapsedInto(intoMs).stream().min(Comparator.comparing(Missed::getFirst)).orElseThrow();
    return intoMs > decision.nominalMs()
        && dossier.decisions.getOrDefault(intoMs, List.of()).stream()
            .flatMap(other -> other.fire().stream())
            .anyMatch(fire -> fire.getCollapsed() != null)
        && dossier
            .revised(first.getRevision())
            .filter(its -> isOld(decision, first.getFirst().toEpochMilli(), its.definition))
            .isPresent();
  }

  private static boolean isBeforeWindow(
      DecidedOccurrence decision, Missed range, ObservedDefinition definition) {
    return definition.catchUpWindowMs().isPresent()
        && decision.decidedMs() - range.getLast().toEpochMilli()
            > definition.catchUpWindowMs().getAsLong();
  }

  /**
   * Whether a replay that takes the newest missed occurrences of the revision had enough of them
   * after the range.
   */
  private boolean isBeyondNumber(Missed range, Revised of) {
    ObservedDefinition definition = of.definition;
    if (definition.maxReplay().isEmpty() || definition.isExcluded()) {
      return false;
    }
    long missedMs = range.getDecidedAt().toEpochMilli() - definition.graceMs() - 1;
    return of
            .in(
                range.getLast().toEpochMilli(),
                Math.min(of.endedMs().orElse(Long.MAX_VALUE), missedMs))
            .stream()
            .filter(ms -> !definition.skips().contains(ms))
            .count()
        >= definition.maxReplay().getAsLong();
  }

  private boolean isDeleted(DecidedOccurrence decision, Revised of) {
    return dossier.revised.stream()
        .filter(it -> it.life == of.life && it.isDeleted)
        .flatMap(it -> it.endedBy.stream())
        .anyMatch(delete -> delete.timestampMs() <= decision.decidedMs() + aheadMs);
  }

  /** Whether it is missed although it was not late, as no catch-up did it. */
  static boolean isOfATick(DecidedOccurrence decision) {
    return decision.isFired()
        || decision.isMissedAs(MissedReason.GRACE)
        || decision.isMissedAs(MissedReason.OVERLAP);
  }
}

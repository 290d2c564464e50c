package io.waterclock.bench.chaos.account;

import io.waterclock.bench.chaos.account.Emitted.Fired;
import io.waterclock.bench.chaos.account.Emitted.MissedRange;
import io.waterclock.bench.chaos.account.ObservedDefinition.CatchUp;
import io.waterclock.bench.chaos.account.ObservedDefinition.Overlap;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether the reason of a missed range, or the way in which a fire came, holds. */
final class Reasons {
  private final Facts facts;
  private final long readingMs;
  private final long skewMs;

  Reasons(Facts facts, Terms terms) {
    this.facts = facts;
    this.readingMs = terms.reading().toMillis();
    this.skewMs = terms.skew().toMillis();
  }

  /**
   * What is wrong with a missed range.
   *
   * @param occurrences those that it stands for, in order
   */
  Optional<String> problem(
      MissedRange range, ObservedDefinition definition, List<Long> occurrences) {
    boolean isLawful =
        switch (range.reason()) {
          case "GRACE" ->
              definition.catchUp() == CatchUp.SKIP && isOld(range, range.lastMs(), definition);
          case "COLLAPSED_INTO" ->
              definition.catchUp() == CatchUp.COLLAPSE
                  && range.collapsedIntoMs().isPresent()
                  && isCollapsed(range, range.collapsedIntoMs().getAsLong());
          case "OUT_OF_WINDOW" ->
              definition.catchUp() == CatchUp.REPLAY
                  && isOld(range, range.lastMs(), definition)
                  && (isBeforeWindow(range, definition) || isBeyondNumber(range, definition));
          case "SKIPPED" ->
              definition.isExcluded()
                  || occurrences.stream()
                      .allMatch(one -> definition.skips().contains(one) || isSkipped(one));
          case "OVERLAP" ->
              definition.overlap() != Overlap.ALLOW
                  && occurrences.stream()
                      .allMatch(one -> isOverlapped(one, range.revision(), definition));
          case "PAUSED" -> isPaused(range);
          case "DELETED" -> isDeleted(range);
          default -> false;
        };
    return isLawful
        ? Optional.empty()
        : Optional.of(
            "missed as %s through %d, decided at %d"
                .formatted(range.reason(), range.lastMs(), range.decidedMs()));
  }

  private static boolean isOld(Emitted emitted, long dueMs, ObservedDefinition definition) {
    return emitted.decidedMs() - dueMs > definition.graceMs();
  }

  /**
   * Whether there is a later fire that stands for others. Of all that it stands for, which may be
   * of several revisions, the first was older than the grace of its own revision; younger ones go
   * with it.
   */
  private boolean isCollapsed(MissedRange range, long intoMs) {
    MissedRange first =
        facts.collapsedInto(intoMs).stream()
            .min(Comparator.comparingLong(MissedRange::firstMs))
            .orElseThrow();
    return intoMs > range.lastMs()
        && facts.fires().stream()
            .filter(fire -> fire.isScheduled() && fire.occurrenceMs() == intoMs)
            .anyMatch(fire -> fire.collapsed().isPresent())
        && facts
            .definition(first.revision())
            .filter(its -> isOld(range, first.firstMs(), its))
            .isPresent();
  }

  private static boolean isBeforeWindow(MissedRange range, ObservedDefinition definition) {
    return definition.catchUpWindowMs().isPresent()
        && range.decidedMs() - range.lastMs() > definition.catchUpWindowMs().getAsLong();
  }

  /**
   * Whether a replay that takes the newest missed occurrences of the revision had enough of them
   * after the range.
   */
  private boolean isBeyondNumber(MissedRange range, ObservedDefinition definition) {
    if (definition.maxReplay().isEmpty() || definition.isExcluded()) {
      return false;
    }
    long ownedMs =
        facts
            .next(range.revision())
            .map(change -> change.readMs() + readingMs + skewMs)
            .orElse(Long.MAX_VALUE / 2);
    long missedMs = range.decidedMs() - definition.graceMs() - 1;
    return definition.trigger().between(range.lastMs(), Math.min(ownedMs, missedMs)).stream()
            .filter(at -> !definition.skips().contains(at))
            .count()
        >= definition.maxReplay().getAsInt();
  }

  boolean isSkipped(long occurrenceMs) {
    return facts.commands().skips().stream().anyMatch(skip -> skip.occurrenceMs() == occurrenceMs);
  }

  private boolean isOverlapped(long occurrenceMs, String revision, ObservedDefinition definition) {
    return facts.fires().stream()
        .filter(fire -> fire.isScheduled() && fire.occurrenceMs() < occurrenceMs)
        .filter(fire -> facts.life(fire.revision()) == facts.life(revision))
        .anyMatch(fire -> mayCover(fire, definition.timeoutMs().orElseThrow(), occurrenceMs));
  }

  /** Whether the run of a fire may have covered an instant, as it was or with a fire in time. */
  private boolean mayCover(Fired fire, long timeoutMs, long ms) {
    long endMs = facts.runs().latestEndMs(fire, timeoutMs, readingMs) + skewMs;
    return ms <= endMs
        && (ms >= fire.decidedMs() - skewMs
            || ms <= fire.occurrenceMs() + endMs - fire.decidedMs());
  }

  private boolean isPaused(MissedRange range) {
    return facts.commands().pauses().stream()
        .anyMatch(
            pause ->
                pause.from().writtenMs() <= range.decidedMs() + skewMs
                    && pause
                        .to()
                        .map(to -> range.lastMs() <= to.readMs() + readingMs + skewMs)
                        .orElse(true));
  }

  private boolean isDeleted(MissedRange range) {
    return facts.revisions().stream()
        .filter(change -> change.definition().isEmpty())
        .anyMatch(
            change ->
                change.fromMs() <= range.decidedMs() + skewMs
                    && range.lastMs() <= change.readMs() + readingMs + skewMs);
  }

  /**
   * What is wrong with the time of a fire.
   *
   * @param definition that owns the occurrence
   */
  Optional<Finding> problem(Fired fire, ObservedDefinition definition) {
    boolean isOnce = definition.trigger() instanceof Trigger.Once;
    long lateMs = fire.decidedMs() - fire.dueMs();
    if (fire.entry().receivedMs() + skewMs < fire.dueMs()
        || lateMs < 0
        || fire.dueMs() < fire.occurrenceMs()) {
      return found(
          Finding.Kind.EARLY,
          fire,
          "due at %d, fired at %d, seen at %d"
              .formatted(fire.dueMs(), fire.decidedMs(), fire.entry().receivedMs()));
    }
    if (!isOnce && fire.dueMs() > fire.occurrenceMs() + Math.max(0, definition.jitterMs() - 1)) {
      return found(Finding.Kind.UNLAWFUL, fire, "due at " + fire.dueMs());
    }
    boolean isOld = isOld(fire, fire.dueMs(), definition);
    boolean isCaughtUp = fire.cause().equals("CATCH_UP");
    boolean isFree = definition.overlap() == Overlap.ALLOW;
    if (definition.catchUp() == CatchUp.SKIP && isFree && isOld) {
      return found(Finding.Kind.UNLAWFUL, fire, "fired by SKIP, " + lateMs + " ms late");
    }
    if ((isOld && !isCaughtUp) || (isCaughtUp && !isOld && fire.collapsed().isEmpty())) {
      return found(Finding.Kind.UNLAWFUL, fire, fire.cause() + ", although " + lateMs + " ms late");
    }
    return Optional.empty();
  }

  private Optional<Finding> found(Finding.Kind kind, Fired fire, String detail) {
    return Optional.of(new Finding(kind, facts.id(), fire.revision(), fire.occurrenceMs(), detail));
  }
}

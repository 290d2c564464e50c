package io.waterclock.occurrences;

import io.waterclock.occurrences.ClockEffect.Kind;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the changes of clocks that touch a trigger.
 *
 * <p>Idea: a change skips or repeats a stretch of wall-clock time. Which times the trigger names in
 * it, the trigger itself tells when it is read in a zone that stays at the offset from before the
 * change. What becomes of them follows from how the trigger follows the clock, see {@link
 * ClockRule}.
 *
 * <p>Cost: some microseconds for each change of clocks in the range. Pure and thread-safe.
 */
public final class ClockEffects {

  private ClockEffects() {}

  /**
   * What changes of clocks after one instant up to another do to a trigger, in order. A trigger at
   * exact distances, or at one instant, is touched by none.
   */
  public static List<ClockEffect> of(Trigger trigger, Instant after, Instant through) {
    ClockRule rule = ClockRule.of(trigger);
    Optional<ZoneId> zone = rule == ClockRule.EXACT ? Optional.empty() : ClockRule.zone(trigger);
    List<ClockEffect> effects = new ArrayList<>();
    if (zone.isPresent()) {
      Instant at = after;
      ZoneOffsetTransition change = zone.get().getRules().nextTransition(at);
      while (change != null && !change.getInstant().isAfter(through)) {
        effect(trigger, rule, change).ifPresent(effects::add);
        change = zone.get().getRules().nextTransition(change.getInstant());
      }
    }
    return effects;
  }

  private static Optional<ClockEffect> effect(
      Trigger trigger, ClockRule rule, ZoneOffsetTransition change) {
    ZoneOffset before = change.getOffsetBefore();
    Instant from =
        change.isGap() ? change.getInstant() : change.getInstant().plus(change.getDuration());
    Instant to =
        change.isGap() ? change.getInstant().plus(change.getDuration()) : change.getInstant();
    Trigger unchanged = rule.at(trigger, before);
    Optional<Instant> first =
        unchanged.nextAfter(from.minusMillis(1)).filter(instant -> instant.isBefore(to));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    Kind kind = rule.kind(change);
    boolean occurs =
        switch (kind) {
          case MOVED -> occurs(trigger, change.getInstant());
          case DOUBLED, FIRST_PASS -> occurs(trigger, first.get());
          case DROPPED -> true;
        };
    Instant last = unchanged.lastAtOrBefore(to.minusMillis(1)).orElseThrow();
    long times = unchanged.count(from.minusMillis(1), to.minusMillis(1), Long.MAX_VALUE).value();
    return occurs
        ? Optional.of(
            new ClockEffect(change, kind, local(first.get(), before), local(last, before), times))
        : Optional.empty();
  }

  private static boolean occurs(Trigger trigger, Instant at) {
    return trigger.lastAtOrBefore(at).filter(at::equals).isPresent();
  }

  private static LocalDateTime local(Instant instant, ZoneOffset offset) {
    return LocalDateTime.ofInstant(instant, offset);
  }
}

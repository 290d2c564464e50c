package io.waterclock.occurrences;

import io.waterclock.occurrences.ClockEffect.Kind;
import io.waterclock.occurrences.Trigger.Bounded;
import io.waterclock.occurrences.core.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the clock changes that affect a trigger.
 *
 * <p>Idea: a change skips or repeats a stretch of wall-clock time. The trigger, read in a zone that
 * keeps the offset from before the change, gives the times that it names in that stretch. The
 * trigger's {@link ClockRule} decides the effect on these times.
 *
 * <p>Cost: some microseconds for each clock change in the range. Pure and thread-safe.
 */
public final class ClockEffects {
  private static final Duration LONGEST_GAP = Duration.ofSeconds(ClockRule.LONGEST_GAP);

  private ClockEffects() {}

  /**
   * The effects on a trigger of the clock changes in (after, through], in order. A clock change
   * affects neither a trigger at exact distances nor one at a single instant.
   */
  public static List<ClockEffect> of(Trigger trigger, Instant after, Instant through) {
    ClockRule rule = rule(trigger);
    Optional<ZoneId> zone = rule == ClockRule.EXACT ? Optional.empty() : zone(trigger);
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
    Trigger unchanged = at(rule, trigger, before);
    Optional<Instant> first =
        unchanged.nextAfter(from.minusMillis(1)).filter(instant -> instant.isBefore(to));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    Kind kind = kind(rule, change);
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

  private static ClockRule rule(Trigger trigger) {
    if (trigger instanceof Cron cron) {
      return cron.clockRule();
    }
    if (trigger instanceof Every every) {
      return every.unit().isExact() ? ClockRule.EXACT : ClockRule.FIXED;
    }
    if (trigger instanceof RRule rule) {
      return rule.clockRule();
    }
    return trigger instanceof Bounded bounded ? rule(bounded.trigger()) : ClockRule.EXACT;
  }

  /** Empty for a trigger that has none. */
  private static Optional<ZoneId> zone(Trigger trigger) {
    if (trigger instanceof Cron cron) {
      return Optional.of(cron.zone());
    }
    if (trigger instanceof Every every) {
      return Optional.of(every.zone());
    }
    if (trigger instanceof RRule rule) {
      return Optional.of(rule.zone());
    }
    return trigger instanceof Bounded bounded ? zone(bounded.trigger()) : Optional.empty();
  }

  private static Kind kind(ClockRule rule, ZoneOffsetTransition change) {
    if (change.isOverlap()) {
      return rule == ClockRule.SHOWN ? Kind.DOUBLED : Kind.FIRST_PASS;
    }
    boolean waits = rule == ClockRule.FIXED && change.getDuration().compareTo(LONGEST_GAP) <= 0;
    return waits ? Kind.MOVED : Kind.DROPPED;
  }

  /**
   * The same trigger in a zone with a constant offset. Fixed times keep the local time of the
   * anchor, others its instant.
   */
  private static Trigger at(ClockRule rule, Trigger trigger, ZoneOffset offset) {
    if (trigger instanceof Cron cron) {
      return cron.in(offset);
    }
    if (trigger instanceof Every every) {
      return rule == ClockRule.FIXED
          ? Every.of(every.localAnchor(), every.n(), every.unit(), offset)
          : Every.of(every.anchor(), every.n(), every.unit(), offset);
    }
    if (trigger instanceof RRule recurring) {
      return rule == ClockRule.FIXED
          ? RRule.parse(recurring.rule(), recurring.localAnchor(), offset)
          : RRule.parse(recurring.rule(), recurring.anchor(), offset);
    }
    Bounded bounded = (Bounded) trigger;
    return at(rule, bounded.trigger(), offset).within(bounded.start(), bounded.end());
  }
}

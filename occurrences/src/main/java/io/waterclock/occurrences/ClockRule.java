package io.waterclock.occurrences;

import io.waterclock.occurrences.ClockEffect.Kind;
import io.waterclock.occurrences.search.ZoneTimeline;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/** How a trigger follows the wall clock when clocks change. */
enum ClockRule {
  /** At exact distances, whatever the clock shows. */
  EXACT,
  /** Whenever the clock shows a match. */
  SHOWN,
  /** Once for each match: at the end of a gap, at the first pass of an overlap. */
  FIXED;

  private static final Duration LONGEST_GAP = Duration.ofSeconds(ZoneTimeline.LONGEST_GAP);

  static ClockRule of(Trigger trigger) {
    if (trigger instanceof Cron cron) {
      return cron.followsTheClock() ? SHOWN : FIXED;
    }
    if (trigger instanceof Every every) {
      return every.unit().isExact() ? EXACT : FIXED;
    }
    if (trigger instanceof RRule rule) {
      return rule.clockRule();
    }
    return trigger instanceof Bounded bounded ? of(bounded.trigger()) : EXACT;
  }

  /** Empty for a trigger that has none. */
  static Optional<ZoneId> zone(Trigger trigger) {
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

  Kind kind(ZoneOffsetTransition change) {
    if (change.isOverlap()) {
      return this == SHOWN ? Kind.DOUBLED : Kind.FIRST_PASS;
    }
    boolean waits = this == FIXED && change.getDuration().compareTo(LONGEST_GAP) <= 0;
    return waits ? Kind.MOVED : Kind.DROPPED;
  }

  /** The same trigger where clocks always have one offset. */
  Trigger at(Trigger trigger, ZoneOffset offset) {
    if (trigger instanceof Cron cron) {
      return Cron.parse(cron.expression(), offset);
    }
    if (trigger instanceof Every every) {
      return Every.of(
          anchor(every.anchor(), every.zone(), offset), every.n(), every.unit(), offset);
    }
    if (trigger instanceof RRule rule) {
      return RRule.parse(rule.rule(), anchor(rule.anchor(), rule.zone(), offset), offset);
    }
    Bounded bounded = (Bounded) trigger;
    return at(bounded.trigger(), offset).within(bounded.start(), bounded.end());
  }

  /** Fixed times keep what the clock shows at the anchor, others the anchor itself. */
  private Instant anchor(Instant anchor, ZoneId zone, ZoneOffset offset) {
    return this == FIXED ? anchor.atZone(zone).toLocalDateTime().toInstant(offset) : anchor;
  }
}

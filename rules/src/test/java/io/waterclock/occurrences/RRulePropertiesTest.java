package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Properties of random recurrence rules in random zones, their anchors round clock changes. */
class RRulePropertiesTest {

  @Test
  void rules_agree_with_their_expansion_and_hold_the_properties_of_triggers() {
    Seeds.forEach(
        Seeds.COUNT / 25,
        random -> {
          Place place = Place.near(random);
          ZoneId zone = place.zone();
          Instant anchor = place.instant().truncatedTo(ChronoUnit.MILLIS);
          anchor = random.nextInt(3) > 0 ? anchor.truncatedTo(ChronoUnit.SECONDS) : anchor;
          RRuleSpec spec = until(RandomRRule.of(random), anchor, zone, random);
          Duration reach = reach(spec);
          Instant t = anchor.plusMillis(random.nextLong(-100_000, reach.toMillis()));
          Instant near = Place.near(random, zone, anchor).instant();
          t =
              Duration.between(anchor, near).compareTo(reach) < 0 && random.nextBoolean()
                  ? near
                  : t;
          String what = spec.text() + " from " + anchor + " in " + zone + " after " + t;
          Optional<RRule> rule = parse(spec, anchor, zone);
          Instant end = anchor.plus(reach).plus(reach.dividedBy(2));
          var expected = new RRuleReference(spec, anchor, zone).through(end);
          if (rule.isEmpty()) {
            assertThat(expected).as(what).isEmpty();
            return;
          }
          Optional<Instant> next = Optional.ofNullable(expected.higher(t));
          if (next.isPresent()) {
            assertThat(rule.get().nextAfter(t)).as(what).isEqualTo(next);
          } else {
            assertThat(rule.get().nextAfter(t).filter(n -> !n.isAfter(end))).as(what).isEmpty();
          }
          assertThat(rule.get().lastAtOrBefore(t))
              .as(what)
              .isEqualTo(Optional.ofNullable(expected.floor(t)));
          assertThat(rule.get().count(anchor.minusMillis(1), end, Long.MAX_VALUE))
              .as(what)
              .isEqualTo(new Count(expected.size(), true));
          TriggerProperties.hold(rule.get(), t, random, what);
        });
  }

  private static Optional<RRule> parse(RRuleSpec spec, Instant anchor, ZoneId zone) {
    try {
      return Optional.of(RRule.parse(spec.text(), anchor, zone).requireOccurrence());
    } catch (InvalidTriggerException e) {
      assertThat(e.neverOccurs()).as("%s: %s", spec.text(), e.getMessage()).isTrue();
      return Optional.empty();
    }
  }

  private static RRuleSpec until(
      RRuleSpec spec, Instant anchor, ZoneId zone, SplittableRandom random) {
    if (spec.count() > 0 || random.nextInt(8) > 0) {
      return spec;
    }
    Instant end = anchor.plusMillis(random.nextLong(reach(spec).toMillis()));
    String pattern = random.nextBoolean() ? "uuuuMMdd" : "uuuuMMdd'T'HHmmss";
    boolean utc = pattern.contains("T") && random.nextBoolean();
    String text =
        DateTimeFormatter.ofPattern(pattern).withZone(utc ? ZoneId.of("UTC") : zone).format(end);
    return new RRuleSpec(
        spec.frequency(),
        spec.interval(),
        spec.numbers(),
        spec.weekdays(),
        spec.weekStart(),
        0,
        utc ? text + "Z" : text);
  }

  /** As far as walking is cheap. */
  private static Duration reach(RRuleSpec spec) {
    return switch (spec.frequency()) {
      case "SECONDLY" -> Duration.ofHours(2);
      case "MINUTELY" -> Duration.ofHours(spec.has("BYSECOND") ? 8 : 60);
      case "HOURLY" -> Duration.ofHours(spec.has("BYMINUTE") || spec.has("BYSECOND") ? 20 : 2000);
      case "DAILY" -> Duration.ofDays(500);
      case "WEEKLY" -> Duration.ofDays(800);
      case "MONTHLY" -> Duration.ofDays(1500);
      default -> Duration.ofDays(2500);
    };
  }
}

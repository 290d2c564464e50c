package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Properties of cron, grids and bounds, on random ones in random zones round clock changes. */
class PropertiesTest {

  private static final Instant HORIZON = Instant.parse("+10000-01-01T00:00:00Z");
  private static final List<IntervalUnit> UNITS = List.of(IntervalUnit.values());

  @Test
  void cron_agrees_with_a_walk_through_time() {
    Seeds.forEach(
        Seeds.COUNT * 6 / 10,
        random -> {
          Place place = Place.near(random);
          ZoneId zone = place.zone();
          Instant t = place.instant();
          RandomCron cron = RandomCron.of(random);
          Optional<Cron> trigger = parse(cron, zone);
          if (trigger.isEmpty()) {
            assertThat(occursIn28Years(cron)).as("%s was rejected", cron.text()).isFalse();
            return;
          }
          String what = cron.text() + " in " + zone + " after " + t;
          Optional<Instant> expected = Reference.next(cron.spec(), zone, t);
          Optional<Instant> next = trigger.get().nextAfter(t);
          if (expected.isPresent()) {
            assertThat(next).as(what).isEqualTo(expected);
          } else {
            assertThat(next.filter(n -> n.isBefore(t.plus(Reference.HORIZON)))).as(what).isEmpty();
          }
          TriggerProperties.hold(trigger.get(), t, random, what);
        });
  }

  @Test
  void grids_agree_with_a_walk_along_them() {
    Seeds.forEach(
        Seeds.COUNT * 3 / 10,
        random -> {
          Place place = Place.near(random);
          ZoneId zone = place.zone();
          Instant anchor = place.instant().truncatedTo(ChronoUnit.MILLIS);
          IntervalUnit unit = UNITS.get(random.nextInt(UNITS.size()));
          long n = random.nextInt(4) == 0 ? random.nextInt(1, 100) : random.nextInt(1, 4);
          Instant t = anchor.plus(lengthOf(unit, n * random.nextInt(-2, 100)));
          t = t.plusMillis(random.nextLong(-100_000_000, 100_000_000) / random.nextInt(1, 1000));
          if (random.nextInt(2) == 0) {
            Instant near = Place.near(random, zone, anchor).instant();
            t = Duration.between(anchor, near).toDays() < 40_000 ? near : t;
          }
          Every every = Every.of(anchor, n, unit, zone);
          String what = every + " after " + t;
          Optional<Instant> expected =
              unit.isExact()
                  ? Optional.of(Reference.nextOnExactGrid(anchor, lengthOf(unit, n), t))
                  : Reference.nextOnGrid(anchor, n, unit, zone, t, walk(unit, n, anchor, t));
          assertThat(every.nextAfter(t))
              .as(what)
              .isEqualTo(expected.filter(point -> point.isBefore(HORIZON)));
          TriggerProperties.hold(every, t, random, what);
        });
  }

  @Test
  void bounds_are_respected() {
    Seeds.forEach(
        Seeds.COUNT / 10,
        random -> {
          Place place = Place.near(random);
          ZoneId zone = place.zone();
          Instant t = place.instant();
          Trigger trigger =
              random.nextBoolean()
                  ? parse(RandomCron.of(random), zone).<Trigger>map(c -> c).orElse(Once.of(t))
                  : Every.of(
                      t.minus(Duration.ofDays(40)), 1 + random.nextInt(3), IntervalUnit.DAY, zone);
          Instant start = t.plusSeconds(random.nextLong(-3_000_000, 3_000_000));
          start = trigger.nextAfter(start).filter(s -> random.nextBoolean()).orElse(start);
          Instant end = start.plusSeconds(random.nextLong(-1000, 3_000_000));
          end = trigger.nextAfter(end).filter(e -> random.nextBoolean()).orElse(end);
          Trigger bounded = trigger.within(Optional.of(start), Optional.of(end));
          String what = bounded + " after " + t;

          Instant first = start;
          Instant last = end;
          assertThat(bounded.nextAfter(t).filter(n -> n.isBefore(first) || !n.isBefore(last)))
              .as(what)
              .isEmpty();
          assertThat(bounded.nextAfter(Instant.MIN))
              .as(what)
              .isEqualTo(trigger.nextAfter(start.minusNanos(1)).filter(n -> n.isBefore(last)));
          assertThat(bounded.lastAtOrBefore(Instant.MAX))
              .as(what)
              .isEqualTo(trigger.lastAtOrBefore(end.minusNanos(1)).filter(n -> !n.isBefore(first)));
          assertThat(bounded.nthAtOrBefore(Instant.MAX, 1, Instant.MIN))
              .as(what)
              .isEqualTo(bounded.lastAtOrBefore(Instant.MAX));
          TriggerProperties.hold(bounded, t, random, what);
        });
  }

  private static Optional<Cron> parse(RandomCron cron, ZoneId zone) {
    try {
      return Optional.of(Cron.parse(cron.text(), zone));
    } catch (InvalidTriggerException e) {
      assertThat(e).hasMessageContaining("names no day of any year");
      return Optional.empty();
    }
  }

  private static boolean occursIn28Years(RandomCron cron) {
    return LocalDate.of(1980, 1, 1)
        .datesUntil(LocalDate.of(2008, 1, 1))
        .anyMatch(cron.spec().days());
  }

  private static Duration lengthOf(IntervalUnit unit, long units) {
    return switch (unit) {
      case MILLISECOND -> Duration.ofMillis(units);
      case SECOND -> Duration.ofSeconds(units);
      case MINUTE -> Duration.ofMinutes(units);
      case HOUR -> Duration.ofHours(units);
      case DAY -> Duration.ofDays(units);
      case WEEK -> Duration.ofDays(7 * units);
      case MONTH -> Duration.ofDays(30 * units);
      case YEAR -> Duration.ofDays(365 * units);
    };
  }

  /** Enough steps to get from the anchor past t. */
  private static int walk(IntervalUnit unit, long n, Instant anchor, Instant t) {
    long distance = Math.max(0, Duration.between(anchor, t).toHours() + 100);
    long step = Math.max(1, lengthOf(unit, n).toHours());
    return (int) (distance / step + 5);
  }
}

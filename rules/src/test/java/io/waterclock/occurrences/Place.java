package io.waterclock.occurrences;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** A random zone, any of the time-zone database, and an instant near one of its clock changes. */
record Place(ZoneId zone, Instant instant) {

  private static final List<ZoneId> ZONES =
      ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList();

  /** Changes by other than an hour, and at midnight: few, and where rules are easily wrong. */
  private static final List<Place> ODD = places(Place::isOdd);

  /** Changes by three hours or more: a few dozen, one on the very border of the rule for gaps. */
  private static final List<Place> LARGE =
      places(change -> change.getDuration().abs().compareTo(Duration.ofHours(3)) >= 0);

  private static List<Place> places(Predicate<ZoneOffsetTransition> wanted) {
    return ZONES.stream()
        .flatMap(
            zone ->
                zone.getRules().getTransitions().stream()
                    .filter(wanted)
                    .map(change -> new Place(zone, change.getInstant())))
        .toList();
  }

  static Place near(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> near(random, LARGE);
      case 1, 2 -> near(random, ODD);
      default -> {
        ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
        yield near(random, zone, someTime(random));
      }
    };
  }

  /** Near the first clock change after an instant, or the last before it. */
  static Place near(SplittableRandom random, ZoneId zone, Instant from) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition next = rules.nextTransition(from);
    ZoneOffsetTransition change = next == null ? rules.previousTransition(from) : next;
    return new Place(zone, around(random, change == null ? from : change.getInstant()));
  }

  private static Place near(SplittableRandom random, List<Place> changes) {
    Place change = changes.get(random.nextInt(changes.size()));
    return new Place(change.zone, around(random, change.instant));
  }

  /** Mostly of the past and the near future. */
  private static Instant someTime(SplittableRandom random) {
    int kind = random.nextInt(10);
    int year =
        kind == 0
            ? random.nextInt(1, 9990)
            : kind < 4 ? random.nextInt(1850, 1970) : random.nextInt(1970, 2100);
    return LocalDate.of(year, 1, 1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .plusSeconds(random.nextLong(366L * 86_400));
  }

  private static Instant around(SplittableRandom random, Instant near) {
    return switch (random.nextInt(6)) {
      case 0 -> near;
      case 1 -> near.minusSeconds(random.nextInt(4));
      case 2 -> near.plusMillis(random.nextLong(-4_000_000, 4_000_000));
      case 3 -> near.plusSeconds(random.nextLong(-30_000, 30_000));
      case 4 -> near.plusNanos(random.nextLong(-100_000_000_000_000L, 100_000_000_000_000L));
      default -> near.plusSeconds(random.nextLong(-40L * 86_400, 40L * 86_400));
    };
  }

  private static boolean isOdd(ZoneOffsetTransition change) {
    return !change.getDuration().abs().equals(Duration.ofHours(1))
        || change.getDateTimeBefore().getHour() == 0
        || change.getDateTimeAfter().getHour() == 0;
  }
}

package io.waterclock.testkit.model;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Cron by trying every minute, or every second: numbers, lists, ranges and steps in six fields.
 * Only day fields that begin with a star are known, so that both must match.
 */
final class CronModel {
  private final List<String> fields;
  private final ZoneId zone;
  private final boolean bySecond;

  CronModel(String expression, ZoneId zone) {
    List<String> given = List.of(expression.split(" "));
    this.bySecond = given.size() == 6;
    this.fields = bySecond ? given : prepend(given);
    this.zone = zone;
  }

  private static List<String> prepend(List<String> five) {
    List<String> six = new java.util.ArrayList<>(List.of("0"));
    six.addAll(five);
    return six;
  }

  /** Both bounds inclusive. */
  NavigableSet<Long> between(long fromMs, long toMs) {
    boolean interval =
        (bySecond && fields.get(0).startsWith("*"))
            || fields.get(1).startsWith("*")
            || fields.get(2).startsWith("*");
    TreeSet<Long> found = new TreeSet<>();
    long stepMs = bySecond ? 1_000 : 60_000;
    BitSet[] allowed = new BitSet[6];
    int[] limits = {59, 59, 23, 31, 12, 7};
    for (int i = 0; i < 6; i++) {
      allowed[i] = numbers(fields.get(i), limits[i]);
    }
    long slackMs = interval ? 0 : 6 * 3_600_000L;
    long first = Math.floorDiv(fromMs, stepMs) * stepMs;
    for (long ms = first - slackMs; ms <= toMs + slackMs; ms += stepMs) {
      if (interval) {
        Instant instant = Instant.ofEpochMilli(ms);
        if (matches(allowed, instant.atZone(zone).toLocalDateTime())) {
          found.add(ms);
        }
      } else {
        LocalDateTime local = LocalDateTime.ofEpochSecond(ms / 1_000, 0, ZoneOffset.UTC);
        if (matches(allowed, local)) {
          found.add(WallClock.occurrence(local, zone));
        }
      }
    }
    return found.subSet(fromMs, true, toMs, true);
  }

  private static boolean matches(BitSet[] allowed, LocalDateTime local) {
    int day = local.getDayOfWeek().getValue();
    return allowed[0].get(local.getSecond())
        && allowed[1].get(local.getMinute())
        && allowed[2].get(local.getHour())
        && allowed[3].get(local.getDayOfMonth())
        && allowed[4].get(local.getMonthValue())
        && (allowed[5].get(day) || (day == 7 && allowed[5].get(0)));
  }

  private static BitSet numbers(String field, int limit) {
    BitSet numbers = new BitSet();
    for (String part : field.split(",")) {
      String[] rangeAndStep = part.split("/");
      int step = rangeAndStep.length > 1 ? Integer.parseInt(rangeAndStep[1]) : 1;
      int from = 0;
      int to = limit;
      if (!rangeAndStep[0].equals("*")) {
        String[] ends = rangeAndStep[0].split("-");
        from = Integer.parseInt(ends[0]);
        to = Integer.parseInt(ends[ends.length - 1]);
      }
      for (int n = from; n <= to; n += step) {
        numbers.set(n);
      }
    }
    return numbers;
  }

  /** What becomes of a fixed wall-clock time when the clocks change. */
  static final class WallClock {
    private WallClock() {}

    /** The first pass where there are two, the end of the gap where there is none. */
    static long occurrence(LocalDateTime local, ZoneId zone) {
      ZoneOffsetTransition change = zone.getRules().getTransition(local);
      if (change != null && change.isGap()) {
        return change.getInstant().toEpochMilli();
      }
      return local.toInstant(zone.getRules().getValidOffsets(local).get(0)).toEpochMilli();
    }
  }
}

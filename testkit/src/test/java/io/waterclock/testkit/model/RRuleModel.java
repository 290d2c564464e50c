package io.waterclock.testkit.model;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Recurrence rules by walking from the anchor: intervals of minutes and hours, and days with hours
 * and minutes, each with COUNT.
 */
final class RRuleModel {
  private final Map<String, String> parts = new HashMap<>();
  private final ZoneId zone;

  RRuleModel(String rule, ZoneId zone) {
    for (String part : rule.split(";")) {
      parts.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
    }
    this.zone = zone;
  }

  /** Both bounds inclusive. */
  NavigableSet<Long> between(long anchorMs, long fromMs, long toMs) {
    TreeSet<Long> found = new TreeSet<>();
    int interval = Integer.parseInt(parts.getOrDefault("INTERVAL", "1"));
    switch (parts.getOrDefault("FREQ", "")) {
      case "DAILY" -> days(anchorMs, interval, toMs, found);
      case "HOURLY" -> walk(anchorMs, interval * 3_600_000L, toMs, found);
      case "MINUTELY" -> walk(anchorMs, interval * 60_000L, toMs, found);
      default -> throw new IllegalArgumentException("not modelled: " + parts);
    }
    found.removeIf(ms -> ms < anchorMs);
    int count = Integer.parseInt(parts.getOrDefault("COUNT", "1000000"));
    while (found.size() > count) {
      found.pollLast();
    }
    return found.subSet(fromMs, true, toMs, true);
  }

  private static void walk(long anchorMs, long stepMs, long toMs, Set<Long> found) {
    for (long ms = Math.floorDiv(anchorMs, 1_000L) * 1_000; ms <= toMs; ms += stepMs) {
      found.add(ms);
    }
  }

  private void days(long anchorMs, int interval, long toMs, Set<Long> found) {
    LocalDateTime start = Instant.ofEpochMilli(anchorMs).atZone(zone).toLocalDateTime();
    LocalDateTime end = Instant.ofEpochMilli(toMs).atZone(zone).toLocalDateTime().plusDays(1);
    for (LocalDateTime day = start; day.isBefore(end); day = day.plusDays(interval)) {
      for (int hour : numbers("BYHOUR", start.getHour())) {
        for (int minute : numbers("BYMINUTE", start.getMinute())) {
          LocalDateTime local = day.withHour(hour).withMinute(minute).withNano(0);
          found.add(CronModel.WallClock.occurrence(local, zone));
        }
      }
    }
  }

  private List<Integer> numbers(String part, int otherwise) {
    return parts.containsKey(part)
        ? Stream.of(parts.get(part).split(",")).map(Integer::valueOf).toList()
        : List.of(otherwise);
  }
}

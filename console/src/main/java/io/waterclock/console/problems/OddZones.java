package io.waterclock.console.problems;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds schedules whose time zone differs from that of nearly all others of their owner: UTC, where
 * Berlin is meant. Takes an entry for each owner and zone. Not thread-safe.
 */
public final class OddZones {
  /** So many of an owner must have the usual zone. */
  private static final int SIBLINGS = 4;

  /** Of ten of its schedules, so many at least. */
  private static final int MOST_OF_TEN = 8;

  private final Map<String, Map<String, Integer>> byFamily = new HashMap<>();

  /** Whether the occurrences of a schedule depend on its zone at all. */
  public static boolean isZoned(Schedule schedule) {
    return schedule.getTrigger() instanceof CronTrigger
        || schedule.getTrigger() instanceof RRuleTrigger
        || (schedule.getTrigger() instanceof EveryTrigger every
            && every.getUnit().compareTo(Unit.DAY) >= 0);
  }

  /** Its owner, or the part of its id before the first slash; empty if it has neither. */
  public static String family(String id, String owner) {
    int slash = id.indexOf('/');
    return owner.isBlank() && slash > 0 ? id.substring(0, slash) : owner;
  }

  /** Counts a schedule whose occurrences depend on its zone. */
  public void add(String family, String zone) {
    if (!family.isBlank()) {
      byFamily.computeIfAbsent(family, name -> new HashMap<>(2)).merge(zone, 1, Integer::sum);
    }
  }

  /** What is odd about a zone, among the schedules that were counted; empty if nothing is. */
  public Optional<String> text(String family, String zone) {
    Map<String, Integer> zones = byFamily.getOrDefault(family, Map.of());
    if (zones.size() < 2) {
      return Optional.empty();
    }
    Map.Entry<String, Integer> usual =
        zones.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    int all = zones.values().stream().mapToInt(Integer::intValue).sum();
    boolean isOdd =
        !usual.getKey().equals(zone)
            && usual.getValue() >= SIBLINGS
            && usual.getValue() * 10L >= (long) all * MOST_OF_TEN;
    return isOdd
        ? Optional.of(
            "Its time zone is %s; %s of %s schedules of %s have %s."
                .formatted(zone, usual.getValue(), all, family, usual.getKey()))
        : Optional.empty();
  }
}

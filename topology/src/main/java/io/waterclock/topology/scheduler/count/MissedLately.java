package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.MissedRange;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What was missed lately by each owner, and a few of the schedules, so that an alert goes to the
 * owner and names come with it. Keeps the first schedules, each until it has missed nothing for an
 * hour, so that few names come and go even if many schedules miss occurrences. Ignores occurrences
 * that a request left out (a pause, a skip, a delete), and those that the policy of their schedule
 * gives up (a collapse, an overlap).
 */
final class MissedLately {
  /** The largest number of schedules of a partition at a time. */
  static final int MOST = 20;

  static final Duration KEPT = Duration.ofHours(1);

  private record Tally(long count, Instant latest) {
    static Tally and(Tally one, Tally later) {
      return new Tally(one.count() + later.count(), later.latest());
    }
  }

  private final Map<ScheduleId, Tally> tallies = new HashMap<>();
  private final Map<String, Tally> ofOwners = new HashMap<>();

  /**
   * @param owner a label, of which there are few
   */
  void add(ScheduleId id, String owner, MissedRange range, Instant now) {
    if (isWanted(range.reason())) {
      return;
    }
    Tally missed = new Tally(range.count(), now);
    ofOwners.merge(owner, missed, Tally::and);
    if (tallies.containsKey(id) || tallies.size() < MOST) {
      tallies.merge(id, missed, Tally::and);
    }
  }

  /** The missed occurrences of each schedule since it was added. */
  Map<ScheduleId, Long> at(Instant now) {
    return counts(tallies, now);
  }

  /** The missed occurrences of the schedules of each owner, until none was missed for an hour. */
  Map<String, Long> byOwner(Instant now) {
    return counts(ofOwners, now);
  }

  private static <K> Map<K, Long> counts(Map<K, Tally> tallies, Instant now) {
    tallies.values().removeIf(tally -> !now.isBefore(tally.latest().plus(KEPT)));
    Map<K, Long> counts = new HashMap<>();
    tallies.forEach((key, tally) -> counts.put(key, tally.count()));
    return counts;
  }

  private static boolean isWanted(MissedReason reason) {
    return switch (reason) {
      case SKIPPED, PAUSED, DELETED, COLLAPSED_INTO, OVERLAP -> true;
      case GRACE, OUT_OF_WINDOW, EXPIRED -> false;
    };
  }
}

package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.MissedRange;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
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

  private final Lately<ScheduleId> tallies = new Lately<>();
  private final Lately<String> ofOwners = new Lately<>();

  /**
   * @param owner a label, of which there are few
   */
  void add(ScheduleId id, String owner, MissedRange range, Instant now) {
    if (isWanted(range.reason())) {
      return;
    }
    ofOwners.add(owner, range.count(), now);
    if (tallies.has(id) || tallies.size() < MOST) {
      tallies.add(id, range.count(), now);
    }
  }

  /** The missed occurrences of each schedule since it was added. */
  Map<ScheduleId, Long> at(Instant now) {
    return tallies.at(now);
  }

  /** The missed occurrences of the schedules of each owner, until none was missed for an hour. */
  Map<String, Long> byOwner(Instant now) {
    return ofOwners.at(now);
  }

  private static boolean isWanted(MissedReason reason) {
    return switch (reason) {
      case SKIPPED, PAUSED, DELETED, COLLAPSED_INTO, OVERLAP -> true;
      case GRACE, OUT_OF_WINDOW, EXPIRED -> false;
    };
  }
}

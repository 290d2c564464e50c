package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.MissedRange;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A few schedules that have missed occurrences lately, so that an alert can name them. Keeps the
 * first ones, each until it has missed none for an hour, so that few names come and go even if many
 * schedules miss occurrences. Ignores occurrences that a request left out (a pause, a skip, a
 * delete).
 */
final class MissedLately {
  /** The largest number of schedules of a partition at a time. */
  static final int MOST = 20;

  static final Duration KEPT = Duration.ofHours(1);

  private record Tally(long count, Instant latest) {}

  private final Map<ScheduleId, Tally> tallies = new HashMap<>();

  void add(ScheduleId id, MissedRange range, Instant now) {
    if (isRequested(range.reason())) {
      return;
    }
    Tally tally = tallies.get(id);
    if (tally != null) {
      tallies.put(id, new Tally(tally.count() + range.count(), now));
    } else if (tallies.size() < MOST) {
      tallies.put(id, new Tally(range.count(), now));
    }
  }

  /** The missed occurrences of each schedule since it was added. */
  Map<ScheduleId, Long> at(Instant now) {
    tallies.values().removeIf(tally -> !now.isBefore(tally.latest().plus(KEPT)));
    Map<ScheduleId, Long> counts = new HashMap<>();
    tallies.forEach((id, tally) -> counts.put(id, tally.count()));
    return counts;
  }

  private static boolean isRequested(MissedReason reason) {
    return switch (reason) {
      case SKIPPED, PAUSED, DELETED -> true;
      case GRACE, COLLAPSED_INTO, OUT_OF_WINDOW, OVERLAP -> false;
    };
  }
}

package io.waterclock.topology.scheduler.count;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.model.MissedRange;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A few of the schedules that have missed an occurrence lately, so that an alert can name them. The
 * first ones are kept, each until it has not missed any for an hour: however many schedules miss
 * theirs, few names come and go. What somebody asked for (a pause, a skip, a delete) is left out.
 */
final class MissedLately {
  /** How many schedules of a partition are named at the same time. */
  static final int MOST = 20;

  static final Duration KEPT = Duration.ofHours(1);

  private record Tally(long count, Instant latest) {}

  private final Map<ScheduleId, Tally> tallies = new HashMap<>();

  void add(ScheduleId id, MissedRange range, Instant now) {
    if (wasAskedFor(range.reason())) {
      return;
    }
    Tally tally = tallies.get(id);
    if (tally != null) {
      tallies.put(id, new Tally(tally.count() + range.count(), now));
    } else if (tallies.size() < MOST) {
      tallies.put(id, new Tally(range.count(), now));
    }
  }

  /** How many occurrences of each schedule were missed since it was taken in. */
  Map<ScheduleId, Long> at(Instant now) {
    tallies.values().removeIf(tally -> !now.isBefore(tally.latest().plus(KEPT)));
    Map<ScheduleId, Long> counts = new HashMap<>();
    tallies.forEach((id, tally) -> counts.put(id, tally.count()));
    return counts;
  }

  private static boolean wasAskedFor(MissedReason reason) {
    return switch (reason) {
      case SKIPPED, PAUSED, DELETED -> true;
      case GRACE, COLLAPSED_INTO, OUT_OF_WINDOW, OVERLAP -> false;
    };
  }
}

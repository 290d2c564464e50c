package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Effort;

/**
 * A recurrence of fixed times on the wall clock of a zone: at the end of a gap of up to three
 * hours, at the first pass of an overlap, and not at all in a longer jump.
 *
 * <p>The mapping from wall-clock times to instants keeps their order, so a search for instants is a
 * search for wall-clock times from the first future one.
 */
final class RecurringTimes implements Search {

  private final Recurrence recurrence;
  private final ZoneTimeline zone;
  private final int[] longGaps;

  RecurringTimes(Recurrence recurrence, ZoneTimeline zone) {
    this.recurrence = recurrence;
    this.zone = zone;
    this.longGaps = zone.longGaps();
  }

  @Override
  public ClockRule clockRule() {
    return ClockRule.FIXED;
  }

  @Override
  public long next(long after, Effort effort) {
    long local = recurrence.next(zone.firstLocalAfter(after), effort);
    for (int gap : longGaps) {
      if (isLeftOut(local, gap)) {
        local = recurrence.next(zone.firstShown(gap), effort);
      }
    }
    return local == Recurrence.AFTER_ALL ? local : zone.instantOfLocal(local);
  }

  @Override
  public long previous(long upTo, Effort effort) {
    long local = recurrence.previous(zone.firstLocalAfter(upTo) - 1, effort);
    for (int i = longGaps.length - 1; i >= 0; i--) {
      if (isLeftOut(local, longGaps[i])) {
        local = recurrence.previous(zone.firstSkipped(longGaps[i]) - 1, effort);
      }
    }
    return local == Recurrence.BEFORE_ALL ? local : zone.instantOfLocal(local);
  }

  private boolean isLeftOut(long local, int gap) {
    return local >= zone.firstSkipped(gap) && local < zone.firstShown(gap);
  }
}

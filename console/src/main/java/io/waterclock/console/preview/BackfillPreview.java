package io.waterclock.console.preview;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Upcoming;
import io.waterclock.schemas.avro.Revision;
import java.time.Instant;
import java.util.List;

/**
 * The occurrences that a backfill would fire: those of the trigger in force that are decided, since
 * the trigger was accepted, without those that the definition or a calendar leaves out.
 *
 * @param occurrences the first {@value #MOST} of them
 * @param isCut whether there are more
 */
public record BackfillPreview(List<Instant> occurrences, boolean isCut) {
  private static final int MOST = 1_000;

  public BackfillPreview {
    occurrences = List.copyOf(occurrences);
  }

  /**
   * @param from inclusive
   * @param to exclusive
   * @param decided inclusive: how far the schedule's partition is decided
   */
  public static BackfillPreview of(
      KnownSchedule known, Upcoming upcoming, Instant from, Instant to, Instant decided) {
    Instant since = known.currentRevision().map(Revision::getOwnsAfter).orElse(Instant.MIN);
    Instant after = from.minusMillis(1).isAfter(since) ? from.minusMillis(1) : since;
    List<Instant> found =
        upcoming
            .named(known, after)
            .takeWhile(at -> at.isBefore(to) && !at.isAfter(decided))
            .limit(MOST + 1)
            .toList();
    boolean isCut = found.size() > MOST;
    return new BackfillPreview(isCut ? found.subList(0, MOST) : found, isCut);
  }
}

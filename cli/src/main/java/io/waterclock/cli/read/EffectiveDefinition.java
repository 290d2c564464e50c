package io.waterclock.cli.read;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.util.Optional;

/** Whether the topics tell which definition of a schedule is in force. */
public final class EffectiveDefinition {
  private EffectiveDefinition() {}

  /** Whether {@link KnownSchedule#schedule()} is there, and may be another one than is in force. */
  static boolean isUnsure(KnownSchedule entry) {
    return entry.schedule().isPresent() && !isKnown(entry);
  }

  /**
   * False where {@link KnownSchedule#schedule()} is but the newest record, which may have been
   * rejected: the revision in force is older than the topic of revisions goes back, and not the
   * newest record; or there is only that, and it cannot be read here.
   */
  public static boolean isKnown(KnownSchedule entry) {
    Optional<WrittenDefinition> newest = entry.definition();
    if (newest.isEmpty() || entry.currentRevision().isPresent()) {
      return true; // deleted, or known
    }
    boolean isReadable = newest.flatMap(WrittenDefinition::schedule).isPresent();
    if (entry.status().isEmpty()) {
      return isReadable; // to be taken up
    }
    Optional<String> revision = entry.status().map(ScheduleStatus::getRevision);
    return revision.isEmpty()
        || (isReadable && revision.equals(newest.map(WrittenDefinition::revision)));
  }
}

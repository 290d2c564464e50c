package io.waterclock.cli.read;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.util.Optional;

/** Whether the topics show which definition of a schedule is in force. */
public final class EffectiveDefinition {
  private EffectiveDefinition() {}

  /** Whether {@link KnownSchedule#schedule()} is present but perhaps not the one in force. */
  static boolean isUnsure(KnownSchedule entry) {
    return entry.schedule().isPresent() && !isKnown(entry);
  }

  /**
   * False if {@link KnownSchedule#schedule()} is only the newest record, which may have been
   * rejected: the topic revisions no longer retains the revision in force, and either the newest
   * record is another one, or it cannot be read here.
   */
  public static boolean isKnown(KnownSchedule entry) {
    Optional<WrittenDefinition> newest = entry.definition();
    if (newest.isEmpty() || entry.currentRevision().isPresent()) {
      return true; // deleted, or known
    }
    boolean isReadable = newest.flatMap(WrittenDefinition::schedule).isPresent();
    if (entry.status().isEmpty()) {
      return isReadable; // the scheduler has not read it yet
    }
    Optional<String> revision = entry.status().map(ScheduleStatus::getRevision);
    return revision.isEmpty()
        || (isReadable && revision.equals(newest.map(WrittenDefinition::revision)));
  }
}

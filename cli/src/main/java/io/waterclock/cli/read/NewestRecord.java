package io.waterclock.cli.read;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;

/** The newest record of a schedule, which may be an edit that was rejected. */
public final class NewestRecord {
  private NewestRecord() {}

  /**
   * Whether it was accepted, or says what was in force before. A status after the one of a
   * rejection says nothing of the rejection any more.
   */
  public static boolean isInForce(KnownSchedule entry) {
    Optional<String> accepted = entry.status().map(ScheduleStatus::getRevision);
    if (accepted.isEmpty() || entry.newestIsRejected()) {
      return false;
    }
    return entry.definition().map(WrittenDefinition::revision).equals(accepted)
        || entry.currentRevision().isEmpty()
        || entry
            .definition()
            .flatMap(WrittenDefinition::schedule)
            .filter(one -> isSame(one, entry.currentRevision().get().getSchedule()))
            .isPresent();
  }

  private static boolean isSame(Schedule newest, Schedule accepted) {
    Schedule copy = Schedule.newBuilder(newest).build();
    if (copy.getTimezone() == null) {
      copy.setTimezone(accepted.getTimezone());
    }
    Validation same = new Validation(Duration.ofMillis(1), ZoneOffset.UTC);
    return same.normalise(copy).equals(same.normalise(accepted));
  }
}

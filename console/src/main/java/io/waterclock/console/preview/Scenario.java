package io.waterclock.console.preview;

import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.schemas.avro.Calendar;
import java.time.Duration;

/** What might happen to many schedules at once. */
public sealed interface Scenario {
  /** The time for which it is computed, from now on. */
  Duration window();

  /** No scheduler runs for that long. */
  record Down(Duration window) implements Scenario {}

  /**
   * A calendar is created or replaced now.
   *
   * @param forAll whether schedules name it that do not now
   */
  record OtherCalendar(String name, Calendar calendar, boolean forAll, Duration window)
      implements Scenario {}

  /** The scheduler gets another version of the time-zone data. */
  record OtherZones(ZoneData data, Duration window) implements Scenario {}
}

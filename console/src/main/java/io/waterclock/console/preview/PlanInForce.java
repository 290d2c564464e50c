package io.waterclock.console.preview;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.Side;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Triggers;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** What the topics show of the occurrences of a schedule to come. */
public final class PlanInForce {
  private PlanInForce() {}

  /**
   * The plan of a schedule in force. Empty if there is none, or if it is unknown: the topics do not
   * show which definition is in force or from when it counts, or no scheduler has decided about an
   * invalid one.
   *
   * @param zone of schedules without a time zone
   */
  public static Optional<Plan> of(KnownSchedule entry, ZoneId zone, Instant now) {
    boolean isNone =
        entry.schedule().isEmpty() || entry.state().filter(State.REJECTED::equals).isPresent();
    if (isNone || !entry.isDefinitionKnown()) {
      return Optional.empty();
    }
    Schedule schedule = normal(entry.schedule().get(), zone);
    Optional<Revision> revision = entry.currentRevision();
    if (Triggers.countsFromRecord(schedule.getTrigger())
        && revision.map(Revision::getResolvedAt).isEmpty()) {
      return Optional.empty();
    }
    if (revision.isPresent()) {
      Revision normal = Revision.newBuilder(revision.get()).setSchedule(schedule).build();
      return Optional.of(Plan.inForce(entry.id(), normal, entry.status().orElseThrow()));
    }
    try {
      return Optional.of(Plan.established(entry.id(), schedule, now, Side.of(Calendars.NONE)));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  /** The definition with its defaults. */
  public static Schedule normal(Schedule schedule, ZoneId zone) {
    return new Validation(Duration.ofMillis(1), zone).normalise(schedule);
  }
}

package io.waterclock.definition;

import io.waterclock.occurrences.RRule;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Validates triggers independently of the limits of a scheduler: a trigger must be readable, must
 * occur, and must allow searching and counting in a bounded number of steps.
 */
public final class TriggerRules {
  private TriggerRules() {}

  /**
   * The problem of the trigger of a definition; empty if it is valid or missing.
   *
   * @param timestamp of the record, from which a trigger without an anchor counts
   */
  public static Optional<Problem> problem(
      String id, Schedule schedule, ZoneId zone, Instant timestamp) {
    return problem(id, schedule, zone, timestamp, Effort.unlimited());
  }

  /**
   * As above.
   *
   * @param effort counts the steps
   */
  static Optional<Problem> problem(
      String id, Schedule schedule, ZoneId zone, Instant timestamp, Effort effort) {
    Object trigger = schedule.getTrigger();
    if (trigger == null) {
      return Optional.empty();
    }
    if (trigger instanceof OnceTrigger once && (once.getAt() == null) == (once.getInMs() == null)) {
      return Optional.of(
          Problems.of(
              "at", "exactly one of at and in is needed", "\"at\":\"2027-01-01T09:00:00Z\""));
    }
    if (Triggers.anchor(trigger).isPresent() && Triggers.localAnchor(trigger).isPresent()) {
      return Optional.of(
          Problems.of(
              "anchor",
              "is both an instant and a local time; only one of anchor and local_anchor is right",
              "\"anchor\":\"2026-01-31T09:00:00Z\""));
    }
    try {
      Trigger defined = Triggers.define(id, schedule, zone, at(schedule, zone, timestamp), effort);
      return findable(defined.metered(effort.beside(Effort.SEARCH)), timestamp)
          .or(() -> countable(schedule, defined, timestamp));
    } catch (InvalidTriggerException e) {
      return Optional.of(Problems.of(e.field(), e.problem(), e.example()));
    }
  }

  /** Only the interval of a grid matters if the definition gives no anchor. */
  private static Optional<Instant> at(Schedule schedule, ZoneId zone, Instant timestamp) {
    Object trigger = schedule.getTrigger();
    boolean isOpen = Triggers.countsFromRecord(trigger) && !(trigger instanceof RRuleTrigger);
    return isOpen ? Optional.of(Instant.EPOCH) : Triggers.resolve(schedule, zone, timestamp);
  }

  /** Each decision searches the occurrences around it, so the search must be short. */
  private static Optional<Problem> findable(Trigger metered, Instant timestamp) {
    try {
      metered.nextAfter(timestamp).ifPresent(metered::nextAfter);
      metered.lastAtOrBefore(timestamp);
      return Optional.empty();
    } catch (EffortSpentException e) {
      return Optional.of(
          Problems.of(
              "rrule",
              ("takes more than %s steps to find the occurrences around %s: they lie too"
                      + " far apart for the interval")
                  .formatted(Effort.SEARCH, timestamp),
              "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"));
    }
  }

  /** Acceptance searches the last of max_occurrences, so the search must be short. */
  private static Optional<Problem> countable(
      Schedule schedule, Trigger trigger, Instant timestamp) {
    Long most = schedule.getMaxOccurrences();
    Instant start = schedule.getStartAt();
    Instant after = start != null && start.isAfter(timestamp) ? start : timestamp;
    return trigger instanceof RRule rule && most != null && !rule.countsTo(after, most)
        ? Optional.of(
            Problems.of(
                "max_occurrences",
                most + " occurrences take too long to count for this rule; use end_at",
                "\"end_at\":\"2027-01-01T00:00:00Z\""))
        : Optional.empty();
  }
}

package io.waterclock.definition.whatif;

import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the occurrences of a schedule if no scheduler decides for a while, by the rules
 * of catch-up. It knows nothing of {@code overlap}, and of what was undecided before.
 *
 * @param due how many occurrences come due in that time
 * @param fires how many of them fire when a scheduler is back
 * @param first the first that comes due
 * @param last the last one
 * @param countedUntil exclusive: a limit of the effort or of the number of occurrences ended the
 *     count here; empty if it is complete
 * @param problem why nothing is known
 */
public record Outage(
    int due,
    int fires,
    Optional<Instant> first,
    Optional<Instant> last,
    Optional<Instant> countedUntil,
    Optional<String> problem) {

  /**
   * Costs as much as one side of a {@link WhatIf}.
   *
   * @param window the outage: the scheduler is back in its last millisecond
   * @param most the largest number of occurrences to count
   */
  public static Outage of(Plan plan, Side side, TimeFrame window, int most) {
    try {
      Forecast forecast = Forecast.of(plan, side, window, most);
      List<Instant> due = forecast.fires().stream().map(Occurrence::due).toList();
      return new Outage(
          due.size(),
          fires(plan.schedule(), due, window.end().minusMillis(1)),
          due.stream().findFirst(),
          due.isEmpty() ? Optional.empty() : Optional.of(due.get(due.size() - 1)),
          forecast.brokenOffAt(),
          Optional.empty());
    } catch (InvalidTriggerException e) {
      return new Outage(
          0,
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** How many of the others are missed. */
  public int missed() {
    return due - fires;
  }

  /**
   * @param due ascending
   * @param back when the scheduler decides again
   */
  private static int fires(Schedule schedule, List<Instant> due, Instant back) {
    int missed = before(due, back.minusMillis(schedule.getGraceMs()));
    int late = due.size() - missed;
    if (missed == 0) {
      return late;
    }
    return switch (schedule.getCatchUp()) {
      case SKIP -> late;
      case COLLAPSE -> 1;
      case REPLAY -> late + replayed(schedule, due.subList(0, missed), back);
    };
  }

  private static int replayed(Schedule schedule, List<Instant> missed, Instant back) {
    Long window = schedule.getCatchUpWindowMs();
    int inWindow =
        window == null ? missed.size() : missed.size() - before(missed, back.minusMillis(window));
    return (int) Math.min(inWindow, Math.min(schedule.getMaxReplay(), Validation.MAX_REPLAY));
  }

  private static int before(List<Instant> ascending, Instant limit) {
    return (int) ascending.stream().takeWhile(at -> at.isBefore(limit)).count();
  }
}

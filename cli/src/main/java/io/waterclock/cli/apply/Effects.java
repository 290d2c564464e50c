package io.waterclock.cli.apply;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.preview.PlanInForce;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.WhatIf;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The effect of definitions on the next occurrences.
 *
 * @param before with the calendars of the cluster
 * @param after with those of the files, too
 * @param zone of schedules without a time zone
 */
record Effects(Side before, Side after, ZoneId zone, Instant now) {
  private static final int SHOWN = 3;

  /**
   * The next occurrences, or those before and after if they differ.
   *
   * @param wanted the new one, normalised
   */
  List<String> of(KnownSchedule entry, Optional<Schedule> inForce, Schedule wanted) {
    try {
      Optional<Plan> old =
          inForce.isPresent() ? PlanInForce.of(entry, zone, now) : Optional.empty();
      if (old.filter(Plan::isPaused).isPresent()) {
        return List.of("it is paused");
      }
      Plan planned =
          old.map(plan -> plan.edited(wanted, now, after))
              .orElseGet(() -> Plan.accepted(entry.id(), wanted, now, after));
      String then = text(WhatIf.next(planned, after, now, SHOWN));
      if (inForce.isEmpty()) {
        return List.of("next: " + then);
      }
      String today = old.map(plan -> text(WhatIf.next(plan, before, now, SHOWN))).orElse("unknown");
      return today.equals(then) ? List.of() : List.of("next: " + today + " -> " + then);
    } catch (InvalidTriggerException e) {
      return List.of("next: unknown"); // the scheduler has other time-zone data
    }
  }

  private static String text(List<Occurrence> occurrences) {
    return occurrences.isEmpty()
        ? "never"
        : occurrences.stream().map(one -> one.due().toString()).collect(Collectors.joining(", "));
  }
}

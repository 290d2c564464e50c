package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.problems.OddZones;
import io.waterclock.definition.TargetRules;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is valid and probably not meant. Pure; costs a search for each schedule.
 *
 * @param upcoming by the calendars in force
 * @param herd how many schedules without jitter may share a cron expression
 */
record Lint(Upcoming upcoming, Instant now, int herd) {
  /** What is wrong is listed first by kind, then by id. */
  List<Symptom> of(Collection<KnownSchedule> all) {
    List<KnownSchedule> known =
        all.stream()
            .filter(
                entry ->
                    entry.schedule().filter(it -> !TargetRules.isDelayedRecord(it)).isPresent())
            .filter(
                entry ->
                    entry
                        .state()
                        .filter(state -> state == State.COMPLETED || state == State.REJECTED)
                        .isEmpty())
            .sorted(Comparator.comparing(KnownSchedule::id))
            .toList();
    List<Symptom> found = new ArrayList<>();
    known.stream().filter(this::neverFires).map(Lint::never).forEach(found::add);
    found.addAll(zones(known));
    found.addAll(herds(known));
    known.stream()
        .filter(entry -> owner(entry).isEmpty())
        .map(entry -> Symptom.bad(entry.id(), "Its definition has no owner."))
        .forEach(found::add);
    return found;
  }

  /** Also of a paused one, which would not fire after a resume. */
  private boolean neverFires(KnownSchedule entry) {
    try {
      return upcoming.trigger(entry).flatMap(trigger -> trigger.nextAfter(now)).isPresent()
          && upcoming.named(entry, now).findFirst().isEmpty();
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  private static Symptom never(KnownSchedule entry) {
    List<String> calendars = entry.schedule().map(Schedule::getExcept).orElse(List.of());
    return Symptom.bad(
        entry.id(),
        calendars.isEmpty()
            ? "It never fires: everything that its trigger names is skipped."
            : "It never fires: calendars exclude everything that its trigger names: "
                + String.join(", ", calendars)
                + ".");
  }

  private List<Symptom> zones(List<KnownSchedule> known) {
    List<KnownSchedule> zoned =
        known.stream()
            .filter(entry -> entry.schedule().filter(OddZones::isZoned).isPresent())
            .toList();
    OddZones zones = new OddZones();
    zoned.forEach(entry -> zones.add(family(entry), upcoming.zoneName(entry)));
    return zoned.stream()
        .flatMap(
            entry ->
                zones.text(family(entry), upcoming.zoneName(entry)).stream()
                    .map(text -> Symptom.bad(entry.id(), text)))
        .toList();
  }

  private List<Symptom> herds(List<KnownSchedule> known) {
    Map<String, Long> numbers = new HashMap<>();
    known.stream()
        .filter(entry -> entry.schedule().orElseThrow().getJitterMs() == 0)
        .filter(entry -> entry.schedule().orElseThrow().getTrigger() instanceof CronTrigger)
        .forEach(
            entry ->
                numbers.merge(
                    TriggerLine.of(entry.schedule().orElseThrow()) + " " + upcoming.zoneName(entry),
                    1L,
                    Long::sum));
    return numbers.entrySet().stream()
        .filter(one -> one.getValue() >= herd)
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(
            one ->
                Symptom.bad(
                    one.getKey(),
                    one.getValue()
                        + " schedules fire at the same instants, without jitter to spread them."))
        .toList();
  }

  private static String family(KnownSchedule entry) {
    return OddZones.family(entry.id(), owner(entry).orElse(""));
  }

  private static Optional<String> owner(KnownSchedule entry) {
    return entry.schedule().map(Schedule::getOwner).filter(owner -> !owner.isBlank());
  }
}

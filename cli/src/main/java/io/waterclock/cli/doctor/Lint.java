package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Diagnosis;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.problems.OddZones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.TargetRecord;
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
import java.util.stream.Stream;

/**
 * What is valid and probably not meant. Pure; costs a search for each schedule.
 *
 * @param upcoming by the calendars in force
 * @param herd how many schedules without jitter may share a cron expression
 */
record Lint(Upcoming upcoming, Instant now, int herd) {
  /** What is wrong is listed first by kind, then by id. */
  List<Symptom> of(Collection<KnownSchedule> all) {
    List<KnownSchedule> known = sorted(all).filter(Lint::isInForce).toList();
    List<Symptom> found = new ArrayList<>(never(all));
    found.addAll(zones(all));
    found.addAll(herds(known));
    known.stream()
        .filter(entry -> owner(entry).isEmpty())
        .map(entry -> Symptom.bad(entry.id(), "Its definition has no owner."))
        .forEach(found::add);
    return found;
  }

  /** Those that never fire, by id. */
  List<Symptom> never(Collection<KnownSchedule> all) {
    return sorted(all).flatMap(entry -> never(entry).stream()).toList();
  }

  private static Stream<KnownSchedule> sorted(Collection<KnownSchedule> all) {
    return all.stream()
        .filter(entry -> entry.schedule().filter(it -> !TargetRecord.isDelayed(it)).isPresent())
        .sorted(Comparator.comparing(KnownSchedule::id));
  }

  private static boolean isInForce(KnownSchedule entry) {
    return !isIn(entry, State.COMPLETED) && !isIn(entry, State.REJECTED);
  }

  private static boolean isIn(KnownSchedule entry, State state) {
    return entry.state().filter(state::equals).isPresent();
  }

  /** Also of a paused one, which would not fire after a resume. */
  private Optional<Symptom> never(KnownSchedule entry) {
    Schedule schedule = entry.schedule().orElseThrow();
    if (isIn(entry, State.COMPLETED)) {
      return Optional.of(entry)
          .filter(upcoming::endedAtBirth)
          .map(one -> Symptom.bad(one.id(), Diagnosis.endedAtBirth(schedule)));
    }
    if (isIn(entry, State.REJECTED)) {
      return Optional.empty();
    }
    try {
      Optional<Instant> next = upcoming.named(entry, now).findFirst();
      return upcoming
          .trigger(entry)
          .flatMap(trigger -> trigger.nextAfter(now))
          .filter(named -> !Upcoming.isFar(named, now))
          .filter(named -> next.filter(at -> !Upcoming.isFar(at, now)).isEmpty())
          .map(named -> Symptom.bad(entry.id(), Diagnosis.neverFires(schedule.getExcept(), next)));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  /** Those whose zone differs from that of nearly all others of their owner, by id. */
  List<Symptom> zones(Collection<KnownSchedule> all) {
    List<KnownSchedule> zoned =
        sorted(all)
            .filter(Lint::isInForce)
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

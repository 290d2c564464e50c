package io.waterclock.console.preview;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.LoadAhead;
import io.waterclock.console.model.PartitionRow;
import io.waterclock.decide.whatif.OccurrenceChange;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.ScheduleDifference;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.TimeFrame;
import io.waterclock.decide.whatif.WhatIf;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.ClockEffect;
import io.waterclock.occurrences.ClockEffects;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.policy.CatchUpPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What becomes of the occurrences of the next year if a schedule is defined, edited or deleted now.
 *
 * <p>Cost: at most {@value #MOST} occurrences on each side, and some seconds; the difference says
 * where it ends. The load covers the coming week.
 *
 * @param trigger afterwards
 * @param next the first occurrences afterwards
 * @param clocks the clock changes of the year that affect the trigger
 * @param joined the fullest minutes to which it adds occurrences, the fullest first
 * @param undecided what becomes of occurrences that are not decided yet, and of a pause, in
 *     sentences
 */
public record EditPreview(
    ScheduleDifference difference,
    TimeFrame window,
    Optional<Trigger> trigger,
    List<Occurrence> next,
    List<ClockEffect> clocks,
    List<JoinedMinute> joined,
    List<String> undecided) {
  public static final int MOST = 20_000;

  private static final Duration WINDOW = Duration.ofDays(366);
  private static final int NEXT = 5;
  private static final int JOINED = 10;

  /** A partition that is decided up to less than this has nothing undecided worth a word. */
  private static final Duration BEHIND = Duration.ofSeconds(10);

  /**
   * A minute to which a schedule adds occurrences.
   *
   * @param others that are due in it already
   */
  public record JoinedMinute(Instant at, long added, long others) {}

  /**
   * What the preview is computed with.
   *
   * @param zone of definitions that name none
   * @param now a whole millisecond
   * @param partition the schedule's, if its owner has written of it
   */
  public record Setting(
      Side side, ZoneId zone, Instant now, LoadAhead load, Optional<PartitionRow> partition) {}

  /**
   * @param known empty for a new schedule
   * @param wanted normalised and valid; empty to delete
   */
  public static EditPreview of(
      String id, Optional<KnownSchedule> known, Optional<Schedule> wanted, Setting setting) {
    Instant now = setting.now();
    TimeFrame window = new TimeFrame(now, now.plus(WINDOW));
    Optional<Plan> old = known.flatMap(one -> PlanInForce.of(one, setting.zone(), now));
    Optional<Plan> running = old.map(Plan::resumed);
    Optional<Plan> after =
        wanted.map(
            schedule ->
                running
                    .map(plan -> plan.edited(schedule, now, setting.side()))
                    .orElseGet(() -> Plan.accepted(id, schedule, now, setting.side())));
    ScheduleDifference difference =
        new WhatIf(setting.side(), setting.side(), window, MOST).compare(id, running, after);
    Optional<Trigger> trigger = after.map(EditPreview::trigger);
    return new EditPreview(
        difference,
        window,
        trigger,
        after.map(plan -> first(plan, setting, window)).orElse(List.of()),
        trigger.map(one -> ClockEffects.of(one, now, window.end())).orElse(List.of()),
        joined(difference, setting.load()),
        undecided(old, running, wanted, setting));
  }

  private static Trigger trigger(Plan plan) {
    Schedule schedule = plan.schedule();
    return Triggers.of(plan.id(), schedule, Zones.parse(schedule.getTimezone()), plan.resolvedAt())
        .within(Optional.ofNullable(schedule.getStartAt()), plan.endsAt());
  }

  private static List<Occurrence> first(Plan plan, Setting setting, TimeFrame window) {
    return new WhatIf(setting.side(), setting.side(), window, NEXT)
        .compare(plan.id(), Optional.empty(), Optional.of(plan)).changes().stream()
            .flatMap(change -> change.after().stream())
            .toList();
  }

  private static List<JoinedMinute> joined(ScheduleDifference difference, LoadAhead load) {
    Map<Instant, Long> added = new TreeMap<>();
    for (OccurrenceChange change : difference.changes()) {
      change
          .after()
          .map(one -> one.due().truncatedTo(ChronoUnit.MINUTES))
          .filter(minute -> load.at(minute).isPresent())
          .ifPresent(minute -> added.merge(minute, 1L, Long::sum));
    }
    return added.entrySet().stream()
        .map(
            one -> new JoinedMinute(one.getKey(), one.getValue(), load.at(one.getKey()).orElse(0L)))
        .sorted(
            Comparator.comparing(JoinedMinute::others).reversed().thenComparing(JoinedMinute::at))
        .limit(JOINED)
        .toList();
  }

  private static List<String> undecided(
      Optional<Plan> old, Optional<Plan> running, Optional<Schedule> wanted, Setting setting) {
    List<String> said = new ArrayList<>();
    Optional<PartitionRow> behind =
        setting
            .partition()
            .filter(row -> row.decidedThrough().plus(BEHIND).isBefore(setting.now()));
    if (old.isPresent()) {
      said.add(
          wanted.isEmpty()
              ? "What is undecided when the scheduler reads the delete does not fire; it is listed"
                  + " as missed (deleted)."
              : "Occurrences up to the moment of the edit stay with the definition in force; the"
                  + " new one has those after it.");
      behind.ifPresent(
          row -> said.add(behind(running.orElseThrow(), row, wanted.isEmpty(), setting)));
      if (old.get().isPaused() && wanted.isPresent()) {
        said.add(
            "A command pauses it, and no definition ends that pause: nothing fires until it is"
                + " resumed. The occurrences shown are those without the pause.");
      }
    }
    wanted
        .filter(schedule -> !schedule.getEnabled())
        .ifPresent(
            schedule ->
                said.add(
                    "\"enabled\": false pauses it: what occurs from then on is missed (paused)."));
    wanted
        .filter(schedule -> isInPast(schedule, setting.now()))
        .ifPresent(schedule -> said.add("Its instant has passed: it fires at once."));
    return said;
  }

  private static boolean isInPast(Schedule schedule, Instant now) {
    return schedule.getTrigger() instanceof OnceTrigger once
        && Stream.ofNullable(once.getAt()).anyMatch(at -> !at.isAfter(now));
  }

  private static String behind(Plan plan, PartitionRow row, boolean isDelete, Setting setting) {
    ScheduleDifference open =
        new WhatIf(
                setting.side(),
                setting.side(),
                new TimeFrame(row.decidedThrough().plusMillis(1), setting.now()),
                MOST)
            .compare(plan.id(), Optional.empty(), Optional.of(plan));
    CatchUpPolicy policy = CatchUpPolicy.of(plan.schedule());
    String fate =
        policy.firesOneForAll()
            ? "become one fire, of the new definition"
            : policy.firesEach()
                ? "fire one by one, by the definition in force, before the new one begins"
                : "are missed where they are older than its grace";
    String name = plan.schedule().getCatchUp().name().toLowerCase(Locale.ROOT);
    return "Its partition is decided up to %s only. %s%s of its occurrences since then are undecided%s."
        .formatted(
            row.decidedThrough(),
            open.comparedUntil().isPresent() ? "At least " : "",
            open.firesAfter(),
            isDelete ? "" : ": with catch_up " + name + " they " + fate);
  }
}

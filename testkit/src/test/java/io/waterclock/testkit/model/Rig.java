package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.testkit.SchedulerHarness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The scheduler and the reference, side by side: what happens to one happens to the other. */
final class Rig implements AutoCloseable {
  private static final Duration BETWEEN_SLICES = Duration.ofMillis(200);
  private static final int MOST_TICKS_TO_DRAIN = 3_000;

  /** A record on its way. */
  private record Input(String id, String revision, Optional<Schedule> schedule, long atMs) {}

  private final SchedulerHarness scheduler;
  private final Judge judge;
  private final boolean exact;
  private final long horizonMs;
  private final Map<String, ScheduleModel> lives = new LinkedHashMap<>();
  private final List<Input> waiting = new ArrayList<>();
  private final CalendarModel calendars = new CalendarModel();
  private long nowMs;
  private long tickedMs;
  private long offset;

  /**
   * @param exact true when every tick has time for all that is due, so that the reference can
   *     foretell each; false when it can only say what is lawful
   * @param horizonMs nothing that occurs later is looked at
   */
  Rig(SchedulerHarness scheduler, Judge judge, boolean exact, long horizonMs) {
    this.scheduler = scheduler;
    this.judge = judge;
    this.exact = exact;
    this.horizonMs = horizonMs;
    this.nowMs = scheduler.now().toEpochMilli();
  }

  SchedulerHarness scheduler() {
    return scheduler;
  }

  Optional<ScheduleModel> life(String id) {
    return Optional.ofNullable(lives.get(id));
  }

  /** Occurrences to come of a definition, for whoever wants to name some. */
  List<Long> occurrences(Schedule schedule) {
    return new ScheduleModel("x", "x@0", schedule, nowMs, nowMs, horizonMs, calendars)
        .current()
        .occurrences;
  }

  void put(String id, Schedule schedule, Instant timestamp) {
    send(new Input(id, name(), Optional.of(schedule), timestamp.toEpochMilli()));
    scheduler.put(id, schedule, timestamp);
    judge();
  }

  /** Counts from now, but not from before the last tick, which has decided what was due. */
  void putCalendar(String name, Calendar calendar) {
    calendars.put(name, calendar, Math.max(scheduler.now().toEpochMilli(), tickedMs));
    scheduler.putCalendar(name, calendar);
  }

  /** True while the clock shows less than the scheduler has seen. */
  boolean isSetBack() {
    return scheduler.now().toEpochMilli() < nowMs;
  }

  void delete(String id) {
    send(new Input(id, name(), Optional.empty(), scheduler.now().toEpochMilli()));
    scheduler.delete(id);
    judge();
  }

  void step(Duration duration) {
    scheduler.step(duration);
    ticked();
  }

  void setClock(Instant instant) {
    scheduler.setClock(instant);
    ticked();
  }

  void stop() {
    scheduler.stop();
  }

  void start() {
    if (scheduler.isRunning()) {
      return;
    }
    scheduler.start();
    clock();
    waiting.forEach(this::apply);
    waiting.clear();
    ticked();
  }

  /** Lets the scheduler work off what is due, without time passing. */
  void drain() {
    for (int i = 0; i < MOST_TICKS_TO_DRAIN && isBehind(); i++) {
      step(Duration.ZERO);
    }
    if (isBehind()) {
      throw new AssertionError("what is due at " + Instant.ofEpochMilli(nowMs) + " is not decided");
    }
  }

  /** Lets the walk come by, and sees to it that nothing is left over. */
  void settle(Duration walk) {
    drain();
    step(walk);
    drain();
    for (int i = 0; i < 3; i++) {
      step(BETWEEN_SLICES);
      drain();
    }
    judge.leavesNothing(lives.values(), nowMs);
  }

  @Override
  public void close() {
    scheduler.close();
  }

  private boolean isBehind() {
    return lives.values().stream().anyMatch(life -> life.isBehind(nowMs));
  }

  private String name() {
    return scheduler.topics().schedules() + "-0@" + offset++;
  }

  private void send(Input input) {
    if (scheduler.isRunning()) {
      clock();
      apply(input);
    } else {
      waiting.add(input);
    }
  }

  private void clock() {
    nowMs = Math.max(nowMs, scheduler.now().toEpochMilli());
  }

  private void apply(Input input) {
    ScheduleModel life = lives.get(input.id());
    if (input.schedule().isEmpty()) {
      if (life != null) {
        judge.expect(life, life.delete(input.atMs(), nowMs));
        judge.ended(life);
        lives.remove(input.id());
      }
      return;
    }
    Schedule schedule = input.schedule().get();
    if (life == null) {
      life =
          new ScheduleModel(
              input.id(), input.revision(), schedule, input.atMs(), nowMs, horizonMs, calendars);
      lives.put(input.id(), life);
      judge.began(life, life.current());
      return;
    }
    RevisionModel before = life.current();
    judge.expect(life, life.put(input.revision(), schedule, input.atMs(), nowMs));
    if (life.current() != before) {
      judge.began(life, life.current());
    }
  }

  private void ticked() {
    if (!scheduler.isRunning()) {
      return;
    }
    clock();
    tickedMs = nowMs;
    if (exact) {
      lives.values().forEach(life -> judge.expect(life, life.tick(nowMs)));
    }
    judge();
    judge.afterTick(lives.values(), nowMs);
    if (exact) {
      judge.leavesNothing(lives.values(), nowMs);
    }
  }

  private void judge() {
    if (scheduler.isRunning()) {
      judge.judge(lives.values(), nowMs, exact);
    }
  }
}

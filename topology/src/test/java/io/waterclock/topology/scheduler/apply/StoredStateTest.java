package io.waterclock.topology.scheduler.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a schedule: whether its state is stored in full or follows from the position, the
 * state that is loaded is the one that was decided. {@code -Dwaterclock.seed=N} begins elsewhere.
 */
class StoredStateTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final int LIVES = 130 * Integer.getInteger("waterclock.depth", 1);
  private static final int STEPS = 50;

  @Test
  void what_is_loaded_is_what_was_decided() {
    for (long seed = SEED; seed < SEED + LIVES; seed++) {
      try {
        new StoredLife(new SplittableRandom(seed)).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dwaterclock.seed=" + seed, e);
      }
    }
  }

  private static final class StoredLife {
    private final SplittableRandom random;
    private TaskContext task = fresh();
    private Optional<ScheduleState> decided = Optional.empty();
    private Instant now = START;
    private int records;

    StoredLife(SplittableRandom random) {
      this.random = random;
    }

    void run() {
      define();
      for (int i = 0; i < STEPS; i++) {
        now = now.plusSeconds(random.nextInt(900));
        switch (random.nextInt(8)) {
          case 0 -> define();
          case 1 -> command(PauseCommand.newBuilder().build());
          case 2, 3 -> command(resume());
          case 4 -> move();
          default -> tick();
        }
        check();
      }
    }

    private static TaskContext fresh() {
      return TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
    }

    private void define() {
      Schedule schedule =
          Schedule.newBuilder()
              .setTrigger(
                  EveryTrigger.newBuilder()
                      .setN(10)
                      .setUnit(Unit.MINUTE)
                      .setAnchor(Instant.EPOCH)
                      .build())
              .setTimezone("UTC")
              .setCatchUp(List.of(CatchUp.values()).get(random.nextInt(CatchUp.values().length)))
              .setJitterMs(random.nextInt(3) == 0 ? 300_000 : 0)
              .setEnabled(random.nextBoolean())
              .build();
      apply(new Event.Defined(schedule, "r" + records++, written()));
    }

    private void command(Object action) {
      Command command =
          Command.newBuilder().setCommandId("c" + records++).setAction(action).build();
      apply(new Event.Commanded(command, written(), "c-0@" + records));
    }

    private ResumeCommand resume() {
      OnResume onResume = random.nextInt(3) == 0 ? OnResume.FIRE_ONCE : OnResume.NOTHING;
      return ResumeCommand.newBuilder().setOnResume(onResume).build();
    }

    /** Goes to another scheduler, under the name of its revision or another. */
    private void move() {
      ScheduleState state = decided.orElseThrow();
      String revision = random.nextBoolean() ? state.current().revision() : "r" + records++;
      task = fresh();
      apply(
          new Event.Imported(
              state.current().schedule(),
              ExportedStates.of(state),
              revision,
              state.current().writtenAt()));
    }

    /** Often the clock of the writer is behind. */
    private Instant written() {
      return random.nextBoolean() ? now : now.minusSeconds(random.nextInt(3_600));
    }

    private void tick() {
      Applier applier = task.applier();
      applier.beginTick(now);
      while (pending(task.partition().load(ID))
          .filter(next -> !next.due().isAfter(now))
          .isPresent()) {
        apply(new Event.Due());
      }
      task.partition().placement().advance(Position.throughAllAt(now.toEpochMilli()));
      applier.endTick();
    }

    private void apply(Event event) {
      Optional<ScheduleState> before = task.partition().load(ID);
      EncodedDecision encoded = task.encoder().of(ID, before, event, now);
      task.applier().apply(before, encoded);
      decided = encoded.decision().state();
    }

    private Optional<Pending> pending(Optional<ScheduleState> state) {
      return state.flatMap(task.encoder().decider()::pending);
    }

    private void check() {
      Optional<ScheduleState> loaded = task.partition().load(ID);
      ExportedState actual = ExportedStates.of(loaded.orElseThrow());
      ExportedState expected = ExportedStates.of(decided.orElseThrow());
      if (!decided.orElseThrow().isHeld()) { // then as far as the next occurrence shows it
        assertThat(pending(loaded)).isEqualTo(pending(decided));
        Instant through = actual.getDecidedThrough();
        expected = ExportedState.newBuilder(expected).setDecidedThrough(through).build();
      }
      assertThat(actual).isEqualTo(expected);
    }
  }
}

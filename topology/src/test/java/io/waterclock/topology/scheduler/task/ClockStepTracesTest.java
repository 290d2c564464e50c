package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.guard.ClockWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The wall clock steps far ahead or back, and right again, between any two reads of a task: no fire
 * is early, the task's time is right again when the clock is, and no fire is lost. {@code
 * -Dwaterclock.seed=N} runs one trace, {@code -Dwaterclock.traces=N} that many.
 */
final class ClockStepTracesTest {
  private static final int IN_THE_BUILD = 20 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_REPORTED = 3;

  /** Chooses the guard that the tasks read, from the watch and the clock that it watches. */
  private interface Reads extends BiFunction<ClockWatch, SteppingClock, ClockGuard> {}

  @Test
  void a_clock_that_steps_between_two_looks_makes_nothing_early_or_lost() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    LongAdder fires = new LongAdder();
    LongAdder steps = new LongAdder();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    one.map(LongStream::of)
        .orElseGet(() -> LongStream.range(0, Long.getLong("waterclock.traces", IN_THE_BUILD)))
        .parallel()
        .filter(seed -> wrong.size() < MOST_REPORTED)
        .forEach(
            seed -> {
              Trace trace = new Trace(seed, (watch, wall) -> watch);
              try {
                trace.play();
              } catch (AssertionError e) {
                wrong.add("waterclock.seed=" + seed + "\n" + trace.story + e.getMessage());
              }
              fires.add(trace.cluster.fires().size());
              steps.add(trace.wall.steps());
            });
    assertThat(wrong).isEmpty();
    if (one.isEmpty()) {
      assertThat(fires.sum()).as("fires").isGreaterThan(IN_THE_BUILD * 250L / 3);
      assertThat(steps.sum()).as("steps of the clock").isGreaterThan(IN_THE_BUILD * 50L / 3);
    }
  }

  /** The counter-proof: the same histories, where the clock is judged and then read again. */
  @Test
  void who_judges_the_clock_and_reads_it_again_is_caught() {
    Reads twice =
        (watch, wall) ->
            () -> {
              boolean isTrusted = watch.read().isTrusted();
              return new ClockGuard.Reading(wall.instant(), isTrusted);
            };
    assertThat(LongStream.range(0, IN_THE_BUILD).filter(seed -> isCaught(seed, twice)).count())
        .isGreaterThan(IN_THE_BUILD / 2);
  }

  private static boolean isCaught(long seed, Reads reads) {
    try {
      new Trace(seed, reads).play();
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }

  /** One task, the clients that write to it, and a broker whose clock is always right. */
  private static final class Trace {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final int STEPS = 800;
    private static final int IDS = 5;

    /** Far longer than a trace takes, and nearer than the clock may step. */
    private static final Duration FAR = Duration.ofMinutes(30);

    private static final long FARTHEST_STEP_MS = Duration.ofHours(1).toMillis();
    private static final long NEAREST_STEP_MS = 2 * ClockWatch.TOLERANCE.toMillis();

    /** A watermark is written every five seconds. */
    private static final Duration WATERMARK = Duration.ofSeconds(6);

    private final SplittableRandom random;
    private final StringBuilder story = new StringBuilder();
    private final SimulatedCluster cluster;
    private SteppingClock wall = new SteppingClock(() -> SimulatedCluster.START);
    private ClockWatch watch = new ClockWatch(wall, () -> 0, Optional::empty);
    private int produced;
    private int judged;

    Trace(long seed, Reads reads) {
      this.random = new SplittableRandom(seed);
      this.cluster =
          new SimulatedCluster(
              1,
              time -> {
                wall = new SteppingClock(time);
                watch =
                    new ClockWatch(
                        wall,
                        () -> Duration.between(Instant.EPOCH, time.instant()).toNanos(),
                        () ->
                            random.nextInt(4) == 0
                                ? Optional.empty()
                                : Optional.of(time.instant()));
                return reads.apply(watch, wall);
              });
    }

    void play() {
      say("far", "{\"at\":\"" + cluster.now().plus(FAR) + "\"}");
      for (int i = 0; i < IDS; i++) {
        define(i);
      }
      for (int i = 0; i < STEPS; i++) {
        cluster.advance(STEP);
        if (random.nextInt(12) == 0) {
          write();
        }
        if (random.nextInt(25) == 0) {
          step();
        }
        if (random.nextInt(60) == 0) {
          note("the clock is right");
          wall.setRight();
        }
        if (random.nextInt(20) == 0) {
          watch.compare();
        }
        go();
      }
      settle();
    }

    private void step() {
      long farMs = NEAREST_STEP_MS + random.nextLong(FARTHEST_STEP_MS);
      Duration by = Duration.ofMillis(random.nextInt(3) == 0 ? -farMs : farMs);
      int looks = random.nextInt(8);
      int stays = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(4);
      note("the clock steps by " + by + " after " + looks + " looks, for " + stays + " more");
      wall.stepAfter(looks, by, stays);
    }

    private void write() {
      int i = random.nextInt(IDS);
      switch (random.nextInt(4)) {
        case 0 -> say("id/" + i, "");
        case 1 -> say("once/" + produced, "{\"in\":\"" + (1 + random.nextInt(10)) + "s\"}");
        default -> define(i);
      }
    }

    private void define(int i) {
      say(
          "id/" + i,
          "{\"every\":\"%dms\",\"catch_up\":\"%s\",\"payload\":%d}"
              .formatted(
                  i == 0 ? 600_000 : 300 + 250 * i, i % 2 == 0 ? "replay" : "skip", produced));
    }

    private void say(String id, String json) {
      note(id + " " + (json.isEmpty() ? "deleted" : json));
      cluster.produce(
          cluster.topics().schedules(),
          0,
          id,
          Optional.of(json).filter(text -> !text.isEmpty()),
          cluster.now(),
          "c-" + produced++);
    }

    /** One round of a stream thread: what is not committed is lost with the task. */
    private void go() {
      for (String topic : task().inputs()) {
        for (int left = random.nextInt(4); left > 0 && task().read(topic); left--) {}
      }
      task().tick();
      if (random.nextInt(50) == 0) {
        note("taken over");
        task().crash(random);
        assertThat(task().tooLate()).as("too late").isEmpty();
      } else {
        task().commit();
        judge();
      }
    }

    /** The clock is right and the broker says so: all that was due is decided soon. */
    private void settle() {
      wall.setRight();
      for (int i = 0; i < 50; i++) {
        watch.compare();
      }
      Instant end = cluster.now();
      while (cluster.now().isBefore(end.plus(WATERMARK))) {
        cluster.advance(STEP);
        cluster.drain();
        judge();
      }
      assertThat(watermark().orElseThrow().getDecidedThrough())
          .as("time goes on")
          .isAfterOrEqualTo(end);
      List<String> ids = new ArrayList<>(List.of("far"));
      for (int i = 0; i < IDS; i++) {
        ids.add("id/" + i);
      }
      for (int i = 0; i < produced; i++) {
        ids.add("once/" + i);
      }
      ids.forEach(id -> assertThat(cluster.committed().findings(id)).as(id).isEmpty());
    }

    /** By the right time, which the task cannot know. */
    private void judge() {
      List<Fire> fires = cluster.fires();
      for (Fire fire : fires.subList(judged, fires.size())) {
        assertThat(fire.getDue()).as("due: " + fire).isBeforeOrEqualTo(cluster.now());
        assertThat(fire.getFiredAt()).as("fired at: " + fire).isBeforeOrEqualTo(cluster.now());
      }
      judged = fires.size();
      watermark()
          .ifPresent(
              mark -> assertThat(mark.getWrittenAt()).as("time").isBeforeOrEqualTo(cluster.now()));
    }

    private Optional<Watermark> watermark() {
      return cluster.committed().watermark(0);
    }

    private SimulatedTask task() {
      return cluster.tasks().get(0);
    }

    private void note(String line) {
      story.append(cluster.now()).append(' ').append(line).append('\n');
    }
  }
}

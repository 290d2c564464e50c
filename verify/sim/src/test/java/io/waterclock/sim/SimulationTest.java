package io.waterclock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.sim.node.Fault;
import io.waterclock.sim.world.Trace;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same share of the simulation each time. {@code -Dwaterclock.seed=N} plays one trace, {@code
 * -Dwaterclock.traces=N} that many, and {@code verify/sim/run} plays them for hours.
 */
final class SimulationTest {
  private static final int IN_THE_BUILD = 2 * Integer.getInteger("waterclock.depth", 1);

  @Test
  void every_occurrence_is_accounted_for_whatever_happens_to_brokers_and_processes() {
    Long one = Long.getLong("waterclock.seed");
    long first = one != null ? one : 1;
    long traces = one != null ? 1 : Long.getLong("waterclock.traces", IN_THE_BUILD);
    System.out.println("The first trace of the simulation: waterclock.seed=" + first);
    long fires =
        LongStream.range(first, first + traces)
            .map(
                seed -> {
                  SimulationRun run = SimulationRun.of(Trace.of(seed));
                  assertThat(run.findings()).as("waterclock.seed=%d", seed).isEmpty();
                  return run.fires();
                })
            .sum();
    assertThat(fires).isGreaterThan(one != null ? -1 : IN_THE_BUILD * 40L);
  }

  /** Schedules share limits, which clients change. */
  @Test
  void each_fire_that_waits_starts_once_within_its_limit_and_no_place_is_lost() {
    Long one = Long.getLong("waterclock.seed");
    long first = one != null ? one : 1;
    long traces = one != null ? 1 : Long.getLong("waterclock.traces", IN_THE_BUILD);
    System.out.println("The first trace with limits: waterclock.seed=" + first);
    for (long seed = first; seed < first + traces; seed++) {
      assertThat(SimulationRun.of(Trace.ofLimits(seed)).findings())
          .as("waterclock.seed=%d", seed)
          .isEmpty();
    }
  }

  /** In a fifth of the events clients write records to be delivered later. */
  @Test
  void each_delayed_record_arrives_once_and_in_order_whatever_happens_to_brokers_and_processes() {
    Long one = Long.getLong("waterclock.seed");
    long first = one != null ? one : 1;
    long traces = one != null ? 1 : Long.getLong("waterclock.traces", IN_THE_BUILD);
    System.out.println("The first trace with delayed records: waterclock.seed=" + first);
    for (long seed = first; seed < first + traces; seed++) {
      assertThat(SimulationRun.of(Trace.ofLater(seed)).findings())
          .as("waterclock.seed=%d", seed)
          .isEmpty();
    }
  }

  /**
   * What retention or compaction removes unread; a definition accepted by a clock behind; a pause
   * and a resume that both waited for their schedule; a fire that is more than 24.8 days late; two
   * equal cron expressions by chance; a rebalance in which no member may commit; a definition with
   * an earlier timestamp than the one before it; a clock ahead after a time without trust.
   */
  @ParameterizedTest
  @Tag("all")
  @ValueSource(
      longs = {
        555_000_331,
        555_000_369,
        555_000_583,
        527_296_712_494L,
        727_336_296_725L,
        718_600_231_053L,
        718_600_310_378L,
        718_600_050_650L,
        718_600_280_448L,
        718_600_341_107L,
        719_100_021_390L,
        719_000_711_416L,
        719_100_740_220L,
        719_000_950_258L
      })
  void a_trace_that_the_judge_once_misread_passes(long seed) {
    assertThat(SimulationRun.of(Trace.ofSchedulers(seed)).findings()).isEmpty();
  }

  /**
   * With routers and workers: the fire of a newer revision for what an older one has left, a run by
   * another clock, an instant from before its record, a replay that holds newer revisions back.
   */
  @ParameterizedTest
  @Tag("all")
  @ValueSource(
      longs = {46_000_044, 47_000_063, 48_000_018, 48_000_154, 48_100_042, 48_200_219, 48_300_390})
  void a_trace_of_runs_that_the_judge_once_misread_passes(long seed) {
    assertThat(SimulationRun.of(Trace.of(seed)).findings()).isEmpty();
  }

  /** Clocks that are hours behind, or jump back; a stray whose delete is compacted. */
  @ParameterizedTest
  @ValueSource(longs = {718_600_031_443L, 718_600_051_447L, 718_600_320_267L, 718_600_220_119L})
  void a_trace_that_showed_a_fault_passes(long seed) {
    assertThat(SimulationRun.of(Trace.ofSchedulers(seed)).findings()).isEmpty();
  }

  @Test
  void a_trace_is_the_same_each_time_it_is_played() {
    Trace trace =
        LongStream.iterate(8, seed -> seed + 1)
            .mapToObj(Trace::of)
            .filter(drawn -> drawn.shape().hasConsumers())
            .findFirst()
            .orElseThrow();
    assertThat(story(trace)).isEqualTo(story(trace));
  }

  private static String story(Trace trace) {
    StringBuilder story = new StringBuilder();
    SimulationRun run =
        SimulationRun.of(trace, Fault::none, note -> story.append(note).append('\n'));
    return story + run.toString();
  }
}

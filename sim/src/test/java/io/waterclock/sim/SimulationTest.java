package io.waterclock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.sim.node.Fault;
import io.waterclock.sim.world.Trace;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A share of the simulation. {@code -Dwaterclock.seed=N} plays one trace, {@code
 * -Dwaterclock.traces=N} that many, and {@code sim/run} plays fresh ones for hours. About one fresh
 * trace in 400 fails for a reason that is not known yet, so the build plays the same ones each
 * time.
 */
final class SimulationTest {
  private static final int IN_THE_BUILD = 40;

  @Test
  void every_occurrence_is_accounted_for_whatever_happens_to_brokers_and_schedulers() {
    Long one = Long.getLong("waterclock.seed");
    long first = one != null ? one : 1;
    long traces = one != null ? 1 : Long.getLong("waterclock.traces", IN_THE_BUILD);
    System.out.println("The first trace of the simulation: waterclock.seed=" + first);
    long fires =
        LongStream.range(first, first + traces)
            .map(
                seed -> {
                  Run run = Run.of(Trace.of(seed));
                  assertThat(run.findings()).as("waterclock.seed=%d", seed).isEmpty();
                  return run.fires();
                })
            .sum();
    assertThat(fires).isGreaterThan(one != null ? -1 : 500);
  }

  @Test
  void a_trace_is_the_same_each_time_it_is_played() {
    Trace trace = Trace.of(8);
    assertThat(story(trace)).isEqualTo(story(trace));
  }

  private static String story(Trace trace) {
    StringBuilder story = new StringBuilder();
    Run run = Run.of(trace, Fault::none, note -> story.append(note).append('\n'));
    return story + run.toString();
  }
}

package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Uptime does not show: the same records, given to a scheduler that never stops and to one that
 * stops and returns, lead to the same fires and the same {@code missed}. See {@link Seeds} for its
 * properties.
 */
final class StoppedTest {
  private static final int IN_THE_BUILD = 8 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_FOR_A_FAULT = 100;
  private final LongAdder compared = new LongAdder();

  @Test
  void an_outage_does_not_show() {
    List<String> wrong = Seeds.find(IN_THE_BUILD, this::difference);
    System.out.println("stopped: " + compared + " fires compared");
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ReadWhenRead.class)
  void a_planted_fault_is_found(ReadWhenRead fault) {
    boolean isFound =
        LongStream.range(0, MOST_FOR_A_FAULT)
            .mapToObj(seed -> RandomHistory.of(seed, fault.features(), true))
            .anyMatch(history -> difference(history, 0, fault).isPresent());
    assertThat(isFound).isTrue();
  }

  /** Of what a scheduler that is up reads in the same millisecond, the order decides. */
  private Optional<String> difference(long seed, Set<Feature> features) {
    Set<Feature> but = EnumSet.noneOf(Feature.class);
    but.addAll(features);
    but.remove(Feature.TIES);
    return Smallest.of(
        RandomHistory.of(seed, but, true), history -> difference(history, seed, Sabotage.NONE));
  }

  private Optional<String> difference(History history, long seed, Sabotage sabotage) {
    Playback.Result always = Playback.play(history.undisturbed(), seed, Sabotage.NONE);
    Playback.Result stopped = Playback.play(history, seed, sabotage);
    compared.add(always.fires().size());
    return Uptime.shows(history, always, stopped);
  }
}

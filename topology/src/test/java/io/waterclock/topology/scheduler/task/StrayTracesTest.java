package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A stray never makes the topic disagree with the store. {@code -Dwaterclock.seed=N} runs one
 * trace, {@code -Dwaterclock.traces=N} that many.
 */
final class StrayTracesTest {
  private static final int IN_THE_BUILD = 130 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_REPORTED = 3;

  @Test
  void in_the_end_the_topic_and_the_store_say_what_the_newest_record_says() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    if (one.isPresent()) {
      StrayTrace.run(one.get());
      return;
    }
    long traces = Long.getLong("waterclock.traces", IN_THE_BUILD);
    LongAdder accounted = new LongAdder();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    LongStream.range(0, traces)
        .parallel()
        .filter(seed -> wrong.size() < MOST_REPORTED)
        .forEach(
            seed -> {
              try {
                accounted.add(StrayTrace.run(seed));
              } catch (AssertionError e) {
                wrong.add(String.valueOf(e.getMessage()));
              }
            });
    assertThat(wrong).isEmpty();
    assertThat(accounted.sum()).isGreaterThan(traces * 5 / 2);
  }
}

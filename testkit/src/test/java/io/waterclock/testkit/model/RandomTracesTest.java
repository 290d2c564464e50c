package io.waterclock.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Uptime does not show. {@code -Dwaterclock.seed=N} runs one trace, {@code -Dwaterclock.traces=N}
 * that many.
 */
class RandomTracesTest {
  private static final int IN_THE_BUILD = 130 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_TOLD = 3;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void the_scheduler_does_what_the_reference_says() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    if (one.isPresent()) {
      Trace.run(one.get());
      return;
    }
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    LongStream.range(0, Long.getLong("waterclock.traces", IN_THE_BUILD))
        .parallel()
        .filter(seed -> wrong.size() < MOST_TOLD)
        .forEach(
            seed -> {
              try {
                Trace.run(seed);
              } catch (AssertionError e) {
                wrong.add(String.valueOf(e.getMessage()));
              }
            });
    assertThat(wrong).isEmpty();
  }
}

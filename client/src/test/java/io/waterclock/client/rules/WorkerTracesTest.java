package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The rules of a worker against a model of them. {@code -Dwaterclock.seed=N} runs one trace, {@code
 * -Dwaterclock.traces=N} that many.
 */
final class WorkerTracesTest {
  private static final int IN_THE_BUILD = 70 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_TOLD = 3;

  @Test
  void workers_do_what_the_model_says_and_lose_nothing() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    if (one.isPresent()) {
      WorkerTrace.run(one.get());
      return;
    }
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    LongStream.range(0, Long.getLong("waterclock.traces", IN_THE_BUILD))
        .parallel()
        .filter(seed -> wrong.size() < MOST_TOLD)
        .forEach(
            seed -> {
              try {
                WorkerTrace.run(seed);
              } catch (AssertionError e) {
                wrong.add(String.valueOf(e.getMessage()));
              }
            });
    assertThat(wrong).isEmpty();
  }
}

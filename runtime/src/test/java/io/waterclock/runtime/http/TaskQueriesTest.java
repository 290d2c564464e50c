package io.waterclock.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.CountsOnly;
import io.waterclock.topology.scheduler.context.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

final class TaskQueriesTest {
  private static final TaskId TASK = new TaskId(0, 0);
  private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

  private final TaskQueries queries = new TaskQueries();

  @Test
  void the_gate_of_a_task_that_is_behind_its_input_is_open() {
    assertThat(isOpen(Reading.toTheEndFirst(NOON))).contains(false);
    assertThat(isOpen(Reading.through(NOON.minusSeconds(60), NOON))).contains(true);
  }

  @Test
  void a_question_that_takes_long_is_the_last_of_its_tick() {
    queries.assigned(TASK, new CountsOnly(), NOON);
    List<CompletableFuture<Boolean>> asked =
        IntStream.range(0, 2)
            .mapToObj(i -> queries.ask(TASK.partition(), task -> isLong()).orElseThrow())
            .toList();

    queries.ticked(TASK, Reading.toTheEndFirst(NOON), NOON);
    assertThat(asked).extracting(CompletableFuture::isDone).containsExactly(true, false);
    queries.ticked(TASK, Reading.toTheEndFirst(NOON), NOON);
    assertThat(asked.get(1)).isCompletedWithValue(true);
  }

  @Test
  void a_question_that_is_given_up_is_not_answered() {
    queries.assigned(TASK, new CountsOnly(), NOON);
    AtomicInteger answers = new AtomicInteger();
    queries.ask(TASK.partition(), task -> answers.incrementAndGet()).orElseThrow().cancel(false);

    queries.ticked(TASK, Reading.toTheEndFirst(NOON), NOON);

    assertThat(answers).hasValue(0);
  }

  private static boolean isLong() {
    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    return true;
  }

  private Optional<Boolean> isOpen(Reading reading) {
    queries.assigned(TASK, new CountsOnly(), NOON);
    return queries
        .ask(TASK.partition(), task -> task.reading().decides())
        .map(
            answer -> {
              queries.ticked(TASK, reading, NOON);
              return answer.join();
            });
  }
}

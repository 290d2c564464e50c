package io.waterclock.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.CountsOnly;
import io.waterclock.topology.scheduler.context.Reading;
import java.time.Instant;
import java.util.Optional;
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

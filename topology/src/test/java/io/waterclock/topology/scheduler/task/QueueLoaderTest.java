package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Event;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class QueueLoaderTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final int MANY = 30;

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final Duration horizon = task.settings().pace().horizon();
  private final QueueLoader loader =
      new QueueLoader(
          task,
          new TickBudget.OfThread(task.settings().pace().tickBudget(), () -> 0)
              .join(task.encoder().tables().effort()),
          id -> {},
          NOW);

  @Test
  void a_slice_of_entries_ends_with_some_large_definitions() {
    assertThat(loadedInSlices(1 << 20)).startsWith(4, 8, 12).endsWith(MANY);
  }

  @Test
  void small_ones_are_loaded_at_once() {
    assertThat(loadedInSlices(100)).containsExactly(MANY);
  }

  /** How many of the schedules that are due after the horizon are queued after each slice. */
  private List<Integer> loadedInSlices(int payload) {
    for (int i = 0; i < MANY; i++) {
      put("s" + i, payload);
    }
    while (!loader.hasBegun()) {
      loader.prepare(NOW);
    }
    loader.run(NOW); // it rests then
    assertThat(queued()).isZero();
    List<Integer> loaded = new ArrayList<>();
    while (queued() < MANY && loaded.size() < MANY) {
      loader.run(NOW.plus(horizon));
      loaded.add(queued());
    }
    return loaded;
  }

  private int queued() {
    return task.partition().placement().queues().due().liveSize();
  }

  private void put(String name, int payload) {
    ScheduleId id = ScheduleId.parse(name);
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new OnceTrigger(NOW.plus(horizon).plusSeconds(1), null))
            .setTimezone("UTC")
            .setPayload(ByteBuffer.allocate(payload))
            .build();
    task.partition()
        .stores()
        .schedules()
        .put(
            id.utf8(),
            new StoredSchedule(
                task.encoder()
                    .decider()
                    .decide(id, Optional.empty(), new Event.Defined(schedule, "r", NOW), NOW)
                    .state()
                    .orElseThrow()
                    .current(),
                Optional.empty()));
  }
}

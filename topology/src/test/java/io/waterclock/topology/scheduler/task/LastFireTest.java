package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.store.DueIndex;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LastFireTest {
  private final SimulatedCluster cluster = new SimulatedCluster(1);
  private final SimulatedTask task = cluster.tasks().get(0);

  @Test
  void a_schedule_that_has_fired_last_leaves_no_entry_for_the_loader() {
    cluster.produce(
        cluster.topics().schedules(),
        0,
        "once",
        Optional.of("{\"at\":\"%s\"}".formatted(cluster.now().plusMillis(200))),
        cluster.now(),
        "r");
    cluster.drain();
    task.tick();
    assertThat(entries()).hasSize(1);

    cluster.advance(Duration.ofMillis(300)); // the loader looks at what is twice as old
    for (int ticks = 0; ticks < 3; ticks++) {
      task.tick();
    }
    task.commit();

    assertThat(cluster.fires()).hasSize(1);
    assertThat(entries()).isEmpty();
  }

  private List<DueIndex.Entry> entries() {
    return task.index().range(DueIndex.Entry.before(DueIndex.ALWAYS), Long.MAX_VALUE, 10);
  }
}

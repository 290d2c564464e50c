package io.waterclock.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waterclock.client.worker.WorkerListener.WorkerView;
import io.waterclock.client.worker.WorkerStatus;
import io.waterclock.client.worker.WorkerStatus.State;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WorkerMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WorkerMetrics metrics = new WorkerMetrics(registry);

  private static final class View implements WorkerView {
    private final long lag;
    private WorkerStatus status = new WorkerStatus(State.CONNECTING, Optional.empty());

    View(long lag) {
      this.lag = lag;
    }

    @Override
    public String groupId() {
      return "service";
    }

    @Override
    public WorkerStatus status() {
      return status;
    }

    @Override
    public long lag() {
      return lag;
    }

    @Override
    public int backlog() {
      return 0;
    }
  }

  private void become(View worker, State state) {
    worker.status = new WorkerStatus(state, Optional.empty());
    metrics.onStatus(worker.status);
  }

  /** As of a bean, which is the listener of each worker that an application starts. */
  @Test
  void a_worker_that_has_ended_leaves_its_metrics_to_the_next_one() {
    View first = new View(1);
    View second = new View(2);
    metrics.onStart(first);
    become(first, State.FAILED);
    metrics.onStart(second);
    assertThat(registry.get("waterclock.worker.lag").gauges())
        .singleElement()
        .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(2));
    become(second, State.STOPPED);
    assertThat(registry.find("waterclock.worker.lag").gauges()).isEmpty();
  }

  @Test
  void a_worker_that_runs_keeps_its_metrics() {
    View first = new View(1);
    metrics.onStart(first);
    become(first, State.STOPPING);
    assertThatThrownBy(() -> metrics.onStart(new View(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("belongs to a worker already");
    assertThat(registry.get("waterclock.worker.lag").gauges()).hasSize(1);
  }
}

package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The caller has no worker to close whose start throws. */
final class FailedStartTest {
  private static FireWorker.Builder worker(String group) {
    return FireWorker.builder("127.0.0.1:1", group)
        .onAny(run -> {})
        .kafka(Map.of("client.id", group));
  }

  /** Threads of the worker have its group in their names, those of its clients their client id. */
  private static void awaitNoThreadOf(String group) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().contains(group)));
  }

  @Test
  void a_listener_that_refuses_it_leaves_no_thread_and_no_client() {
    for (Throwable refusal : new Throwable[] {new IllegalStateException(), new LinkageError()}) {
      WorkerListener refusing =
          new WorkerListener() {
            @Override
            public void onStart(WorkerView worker) {
              if (refusal instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) refusal;
            }
          };
      assertThatThrownBy(() -> worker("refused").listener(refusing).start()).isSameAs(refusal);
    }
    awaitNoThreadOf("refused");
  }

  @Test
  void neither_does_a_wrong_setting_of_its_consumers() {
    FireWorker.Builder wrong =
        worker("misset").unordered().consumer(Map.of("heartbeat.interval.ms", "soon"));
    assertThatThrownBy(wrong::start).isInstanceOf(IllegalArgumentException.class);
    awaitNoThreadOf("misset");
  }
}

package io.waterclock.spring.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.WorkerListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Restarts of a worker, without brokers: no port is so low. */
final class WorkerLifecycleTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final CompletableFuture<Void> topics = new CompletableFuture<>();
  private final List<Thread> starts = new CopyOnWriteArrayList<>();

  /** Of a worker that has failed: its thread ends when all listeners have heard of it. */
  private final BlockingQueue<Thread> failures = new LinkedBlockingQueue<>();

  private final WorkerLifecycle lifecycle =
      new WorkerLifecycle(
          this::builder, () -> true, topics, new WorkerLifecycle.Times(SHORT, SHORT));

  private FireWorker.Builder builder() {
    return FireWorker.builder("127.0.0.1:1", "service")
        .onAny(run -> {})
        .listener(new FailsAtFirst());
  }

  private final class FailsAtFirst implements WorkerListener {
    @Override
    public void onStart(WorkerView worker) {
      starts.add(Thread.currentThread());
      if (starts.size() == 1) {
        throw new IllegalStateException("not yet");
      }
    }

    @Override
    public void onFailure(Throwable cause) {
      failures.add(Thread.currentThread());
    }
  }

  /** Without a wait for the worker's clients, which look for brokers. */
  @AfterEach
  void stop() {
    lifecycle.stop(() -> {});
  }

  @Test
  void a_worker_whose_start_throws_is_started_again_once() throws InterruptedException {
    lifecycle.start();
    topics.complete(null);
    Objects.requireNonNull(failures.poll(BOUND.toSeconds(), TimeUnit.SECONDS)).join();
    await().atMost(BOUND).until(() -> starts.size() > 1);
    awaitIdle(starts.get(1));
    assertThat(starts).hasSize(2);
    assertThat(lifecycle.failure()).isEmpty();
  }

  @Test
  void a_start_that_stops_the_application_leaves_nothing_to_start_again() {
    topics.complete(null);
    assertThatThrownBy(lifecycle::start).hasMessage("not yet");
    assertThat(lifecycle.isRunning()).isFalse();
    assertThat(lifecycle.worker()).isEmpty();
  }

  /** A thread that has something to do later waits with a time. */
  private static void awaitIdle(Thread restarts) {
    await().atMost(BOUND).until(() -> restarts.getState() == Thread.State.WAITING);
  }
}

package io.waterclock.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.TaskView;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads of the web server ask while a stream thread gets, runs and loses a task: each question
 * has an end, and its stream thread alone answers it. {@code -Dwaterclock.interleavings=N} assigns
 * the task N times.
 */
@Timeout(600)
class TaskQueriesInterleavingsTest {
  private static final int ASSIGNMENTS = Integer.getInteger("waterclock.interleavings", 10_000);
  private static final int THREADS = 2;
  private static final TaskId TASK = new TaskId(0, 0);
  private static final TaskView VIEW =
      (TaskView)
          Proxy.newProxyInstance(
              TaskView.class.getClassLoader(),
              new Class<?>[] {TaskView.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final TaskQueries queries = new TaskQueries();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger answers = new AtomicInteger();

  @Test
  void each_question_is_answered_by_the_stream_thread_or_cancelled() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Thread streamThread = Thread.currentThread();
      List<Future<Void>> asked = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        asked.add(threads.submit(() -> ask(streamThread)));
      }
      for (int i = 0; i < ASSIGNMENTS || answers.get() == 0; i++) {
        queries.assigned(TASK, VIEW, Instant.EPOCH);
        queries.ticked(TASK, Reading.toTheEndFirst(Instant.EPOCH), Instant.EPOCH);
        queries.revoked(TASK);
      }
      isOver.set(true);
      for (Future<Void> each : asked) {
        each.get();
      }
    } finally {
      isOver.set(true);
      threads.shutdownNow();
    }
  }

  /** Has one question at a time, as a thread of the web server. */
  private Void ask(Thread streamThread) throws Exception {
    while (!isOver.get()) {
      Optional<CompletableFuture<Thread>> answer = queries.ask(0, task -> Thread.currentThread());
      if (answer.isPresent() && !hasEndedCancelled(answer.get())) {
        assertThat(answer.get().join()).isSameAs(streamThread);
        answers.incrementAndGet();
      }
    }
    return null;
  }

  private static boolean hasEndedCancelled(CompletableFuture<Thread> answer) throws Exception {
    try {
      var unused = answer.get(1, TimeUnit.MINUTES);
      return false;
    } catch (CancellationException e) {
      return true;
    }
  }

  @Test
  void a_task_that_another_stream_thread_takes_over_is_never_unknown() {
    queries.assigned(TASK, VIEW, Instant.EPOCH);
    AtomicBoolean isKnown = new AtomicBoolean();
    CompletableFuture<Thread> first = queries.ask(0, task -> Thread.currentThread()).orElseThrow();
    var unused =
        first.whenComplete(
            (answer, cancelled) ->
                isKnown.set(queries.ask(0, task -> Thread.currentThread()).isPresent()));
    queries.assigned(TASK, VIEW, Instant.EPOCH);
    assertThat(first).isCancelled();
    assertThat(isKnown).isTrue();
  }

  /** Loses its task at the moment at which a thread of the web server looks it up. */
  private static final class RevokedWhenLookedUp extends TaskId {
    private final TaskQueries queries;

    RevokedWhenLookedUp(TaskQueries queries) {
      super(0, 0);
      this.queries = queries;
    }

    @Override
    public int partition() {
      queries.revoked(this);
      return 0;
    }
  }

  @Test
  void a_question_to_a_task_that_is_revoked_meanwhile_is_cancelled() {
    queries.assigned(new RevokedWhenLookedUp(queries), VIEW, Instant.EPOCH);
    assertThat(queries.ask(0, task -> Thread.currentThread()))
        .get()
        .satisfies(answer -> assertThat(answer).isCancelled());
  }
}

package io.waterclock.runtime.http;

import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Asks the tasks of this instance for their current state.
 *
 * <p>Idea: the task's own stream thread answers questions after each tick, for some milliseconds.
 * So memory and stores agree in an answer, a task need not be thread-safe, and questions, however
 * many there are, leave it the time to decide. Without questions, a tick costs one look at an empty
 * queue.
 *
 * <p>Thread-safe.
 */
public final class TaskQueries implements TaskReports {
  /** A tick takes no further question after this. */
  private static final long MOST_NS = Duration.ofMillis(5).toNanos();

  private final Map<TaskId, QuestionQueue> queues = new ConcurrentHashMap<>();

  /** The waiting questions for one task. */
  private static final class QuestionQueue {
    private final TaskView task;
    private final Queue<Question<?>> waiting = new ConcurrentLinkedQueue<>();

    QuestionQueue(TaskView task) {
      this.task = task;
    }
  }

  private record Question<T>(Function<GatedTask, T> question, CompletableFuture<T> answer) {
    /** False when the one who asked waits no longer. */
    boolean isWanted() {
      return !answer.isDone();
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void ask(GatedTask view) {
      try {
        answer.complete(question.apply(view));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e); // the caller handles it; the task continues
      }
    }
  }

  /** A task during an answer. */
  public record GatedTask(TaskView task, Reading reading) {}

  @Override
  public void assigned(TaskId task, TaskView view, Instant now) {
    // its last thread may not have called revoked
    cancel(Optional.ofNullable(queues.put(task, new QuestionQueue(view))));
  }

  @Override
  public void ticked(TaskId task, Reading reading, Instant now) {
    QuestionQueue queue = queues.get(task);
    if (queue == null) {
      return;
    }
    long beganNs = System.nanoTime();
    Question<?> next = queue.waiting.poll();
    while (next != null) {
      if (next.isWanted()) {
        next.ask(new GatedTask(queue.task, reading));
      }
      next = System.nanoTime() - beganNs < MOST_NS ? queue.waiting.poll() : null;
    }
  }

  @Override
  public void revoked(TaskId task) {
    cancel(Optional.ofNullable(queues.remove(task)));
  }

  private static void cancel(Optional<QuestionQueue> gone) {
    gone.ifPresent(queue -> queue.waiting.forEach(question -> question.answer().cancel(false)));
  }

  /**
   * Asks the task of a partition.
   *
   * @param question runs on the task's thread, and must be quick
   * @return the future answer, cancelled when the task is revoked; empty if this instance does not
   *     have the partition
   */
  <T> Optional<CompletableFuture<T>> ask(int partition, Function<GatedTask, T> question) {
    return queues.entrySet().stream()
        .filter(queue -> queue.getKey().partition() == partition)
        .findFirst()
        .map(queue -> ask(queue.getKey(), queue.getValue(), question));
  }

  /** Asks every task; returns the answers by partition. */
  <T> Map<Integer, CompletableFuture<T>> askAll(Function<GatedTask, T> question) {
    return queues.entrySet().stream()
        .collect(
            Collectors.toMap(
                queue -> queue.getKey().partition(),
                queue -> ask(queue.getKey(), queue.getValue(), question)));
  }

  private <T> CompletableFuture<T> ask(
      TaskId task, QuestionQueue queue, Function<GatedTask, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    queue.waiting.add(new Question<>(question, answer));
    if (queues.get(task) != queue) {
      answer.cancel(false); // the task was revoked before it saw the question
    }
    return answer;
  }
}

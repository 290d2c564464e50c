package io.waterclock.topology.runtime.http;

import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
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
 * Asks the tasks of this instance how they stand.
 *
 * <p>Idea: a question is answered by the task's own stream thread after its next tick, so an answer
 * holds together, what is in memory with what is stored, and nothing in a task has to be
 * thread-safe. While nobody asks, a tick costs one look at an empty queue.
 *
 * <p>Thread-safe.
 */
public final class TaskQueries implements TaskReports {
  private final Map<TaskId, QuestionQueue> queues = new ConcurrentHashMap<>();

  /** Where questions to one task wait. */
  private static final class QuestionQueue {
    private final TaskView task;
    private final Queue<Question<?>> waiting = new ConcurrentLinkedQueue<>();

    QuestionQueue(TaskView task) {
      this.task = task;
    }
  }

  private record Question<T>(Function<GatedTask, T> question, CompletableFuture<T> answer) {
    @SuppressWarnings("FutureReturnValueIgnored")
    void ask(GatedTask view) {
      try {
        answer.complete(question.apply(view));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e); // the asker's to deal with; the task goes on
      }
    }
  }

  /**
   * A task while it answers a question.
   *
   * @param gateOpen whether it has read its input up to where it ended at the assignment
   */
  public record GatedTask(TaskView task, boolean gateOpen) {}

  @Override
  public void assigned(TaskId task, TaskView view, Instant now) {
    revoked(task); // should its last thread not have said so
    queues.put(task, new QuestionQueue(view));
  }

  @Override
  public void ticked(TaskId task, boolean gateOpen, Instant now) {
    QuestionQueue queue = queues.get(task);
    if (queue == null) {
      return;
    }
    Question<?> question = queue.waiting.poll();
    while (question != null) {
      question.ask(new GatedTask(queue.task, gateOpen));
      question = queue.waiting.poll();
    }
  }

  @Override
  public void revoked(TaskId task) {
    QuestionQueue queue = queues.remove(task);
    if (queue != null) {
      queue.waiting.forEach(question -> question.answer().cancel(false));
    }
  }

  /**
   * Asks the task of a partition.
   *
   * @param question is answered on the task's thread, and must be quick
   * @return the answer to come, which is cancelled when the task goes; empty when no task of this
   *     partition is here
   */
  <T> Optional<CompletableFuture<T>> ask(int partition, Function<GatedTask, T> question) {
    return queues.entrySet().stream()
        .filter(queue -> queue.getKey().partition() == partition)
        .findFirst()
        .map(queue -> ask(queue.getKey(), queue.getValue(), question));
  }

  /** Asks every task; by partition. */
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
      answer.cancel(false); // it went before it could see the question
    }
    return answer;
  }
}

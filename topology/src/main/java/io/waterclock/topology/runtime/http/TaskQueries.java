package io.waterclock.topology.runtime.http;

import io.waterclock.topology.scheduler.context.Standing;
import io.waterclock.topology.scheduler.context.TaskReports;
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
  private final Map<TaskId, Desk> desks = new ConcurrentHashMap<>();

  /** Where questions to one task wait. */
  private static final class Desk {
    private final Standing standing;
    private final Queue<Question<?>> waiting = new ConcurrentLinkedQueue<>();

    Desk(Standing standing) {
      this.standing = standing;
    }
  }

  private record Question<T>(Function<TaskView, T> question, CompletableFuture<T> answer) {
    @SuppressWarnings("FutureReturnValueIgnored")
    void ask(TaskView view) {
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
  public record TaskView(Standing standing, boolean gateOpen) {}

  @Override
  public void assigned(TaskId task, Standing standing, Instant now) {
    revoked(task); // should its last thread not have said so
    desks.put(task, new Desk(standing));
  }

  @Override
  public void ticked(TaskId task, boolean gateOpen, Instant now) {
    Desk desk = desks.get(task);
    if (desk == null) {
      return;
    }
    Question<?> question = desk.waiting.poll();
    while (question != null) {
      question.ask(new TaskView(desk.standing, gateOpen));
      question = desk.waiting.poll();
    }
  }

  @Override
  public void revoked(TaskId task) {
    Desk desk = desks.remove(task);
    if (desk != null) {
      desk.waiting.forEach(question -> question.answer().cancel(false));
    }
  }

  /**
   * Asks the task of a partition.
   *
   * @param question is answered on the task's thread, and must be quick
   * @return the answer to come, which is cancelled when the task goes; empty when no task of this
   *     partition is here
   */
  <T> Optional<CompletableFuture<T>> ask(int partition, Function<TaskView, T> question) {
    return desks.entrySet().stream()
        .filter(desk -> desk.getKey().partition() == partition)
        .findFirst()
        .map(desk -> ask(desk.getKey(), desk.getValue(), question));
  }

  /** Asks every task; by partition. */
  <T> Map<Integer, CompletableFuture<T>> askAll(Function<TaskView, T> question) {
    return desks.entrySet().stream()
        .collect(
            Collectors.toMap(
                desk -> desk.getKey().partition(),
                desk -> ask(desk.getKey(), desk.getValue(), question)));
  }

  private <T> CompletableFuture<T> ask(TaskId task, Desk desk, Function<TaskView, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    desk.waiting.add(new Question<>(question, answer));
    if (desks.get(task) != desk) {
      answer.cancel(false); // it went before it could see the question
    }
    return answer;
  }
}

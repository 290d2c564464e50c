package io.waterclock.runtime.http;

import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Decides whether this instance is ready and live.
 *
 * <p><em>Ready</em>: it has joined the group, each of its tasks has passed its gate, and if it has
 * no task, it is not about to get one. <em>Live</em>: no task's latest tick is more than ten
 * seconds old, unless there is an outage of the brokers or one ended less than half a minute ago: a
 * restart would not help then. Thread-safe.
 */
public final class HealthBoard implements TaskReports {
  /** Inclusive: the largest age of the latest tick of a live task. */
  public static final Duration LATEST_TICK = Duration.ofSeconds(10);

  /** How long a task may take to continue after an outage: it may have to restore its state. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  /**
   * How soon tasks follow an assignment without any: a member that joins gets the tasks of others
   * in a second assignment, after they have committed and closed them.
   */
  private static final Duration SETTLING = Duration.ofSeconds(10);

  private record TaskHealth(Reading reading, long tickedAtNanos) {}

  /**
   * A verdict with its problems.
   *
   * @param problems in words; empty when ok
   */
  public record Verdict(List<String> problems) {
    public boolean isOk() {
      return problems.isEmpty();
    }
  }

  private final LongSupplier nanos;
  private final Supplier<Optional<String>> joining;
  private final Supplier<Optional<String>> stopped;
  private final Supplier<Duration> answering;
  private final Supplier<Duration> assigned;
  private final Map<TaskId, TaskHealth> tasks = new ConcurrentHashMap<>();

  /**
   * @param nanos monotonic time in nanoseconds
   * @param joining why the instance has not joined yet; empty when it has
   * @param stopped why the instance has stopped; empty while it runs
   * @param answering how long the brokers have been answering without a break
   * @param assigned how long ago the latest assignment was complete
   */
  public HealthBoard(
      LongSupplier nanos,
      Supplier<Optional<String>> joining,
      Supplier<Optional<String>> stopped,
      Supplier<Duration> answering,
      Supplier<Duration> assigned) {
    this.nanos = nanos;
    this.joining = joining;
    this.stopped = stopped;
    this.answering = answering;
    this.assigned = assigned;
  }

  @Override
  public void assigned(TaskId task, TaskView view, Instant now) {
    ticked(task, Reading.toTheEndFirst(now), now);
  }

  @Override
  public void ticked(TaskId task, Reading reading, Instant now) {
    tasks.put(task, new TaskHealth(reading, nanos.getAsLong()));
  }

  @Override
  public void revoked(TaskId task) {
    tasks.remove(task);
  }

  public int tasks() {
    return tasks.size();
  }

  public Verdict ready() {
    Optional<String> notYet = stopped.get().or(joining).or(this::unassigned);
    if (notYet.isPresent()) {
      return new Verdict(List.of(notYet.get()));
    }
    return new Verdict(
        tasks.entrySet().stream()
            .flatMap(
                task ->
                    task.getValue().reading().problem().stream()
                        .map(problem -> "task " + task.getKey() + " " + problem))
            .sorted()
            .toList());
  }

  private Optional<String> unassigned() {
    return tasks.isEmpty() && assigned.get().compareTo(SETTLING) <= 0
        ? Optional.of("no assignment yet: it has joined, and has got no partition so far")
        : Optional.empty();
  }

  public Verdict live() {
    Optional<String> dead = stopped.get();
    if (dead.isPresent()) {
      return new Verdict(List.of(dead.get()));
    }
    if (answering.get().compareTo(RECOVERY) <= 0) {
      return new Verdict(List.of());
    }
    long now = nanos.getAsLong();
    return new Verdict(
        tasks.entrySet().stream()
            .filter(task -> now - task.getValue().tickedAtNanos() > LATEST_TICK.toNanos())
            .map(
                task ->
                    "the latest tick of task %s is %s s old"
                        .formatted(
                            task.getKey(),
                            Duration.ofNanos(now - task.getValue().tickedAtNanos()).toSeconds()))
            .sorted()
            .toList());
  }
}

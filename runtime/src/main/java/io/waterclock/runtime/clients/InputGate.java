package io.waterclock.runtime.clients;

import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import io.waterclock.topology.scheduler.guard.StallDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Opens by the rule of {@link GateOpening}, where an input is read when the main consumer has
 * passed its end, and the task has processed every record that the consumer returned.
 *
 * <p>While it is open, records may come faster than the task reads them. Then an occurrence waits
 * for the records that were written before it is due, for {@link #LONGEST_WAIT} at most.
 */
public final class InputGate implements Gate {
  /** How long an occurrence waits for records that are written before it is due, and unread. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  private final WatchedConsumer consumer;
  private final int partition;
  private final Map<String, InputPartition> inputs = new HashMap<>();
  private final InputPartition schedules;
  private final GateOpening opening;

  private InputGate(
      WatchedClients clients,
      List<String> topics,
      List<Others> others,
      Optional<GateOpening.Followed> followed,
      int partition) {
    this.consumer =
        clients
            .ofThisThread()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no consumer is known for " + Thread.currentThread().getName()));
    this.partition = partition;
    idleFor(Duration.ZERO);
    for (String topic : topics) {
      inputs.put(
          topic, new InputPartition(consumer, clients, new TopicPartition(topic, partition)));
    }
    this.schedules = input(topics.get(0));
    FreshEnds ends =
        new FreshEnds(
            () -> topics.stream().map(topic -> input(topic).end()).toList(),
            System::nanoTime,
            consumer.stallDetector());
    StallDetector stalls = consumer.stallDetector();
    this.opening =
        followed.isEmpty()
            ? new GateOpening(ends, stalls, others.get(0), partition, System::nanoTime)
            : GateOpening.following(
                ends, stalls, others, followed.get(), partition, System::nanoTime);
  }

  /**
   * Creates gates for the tasks of a topology.
   *
   * @param topics the inputs of users, the schedules topic first
   * @param strays the topic of strays on their way home
   * @param partitions of each topic
   * @param group of the application
   */
  public static Factory factory(
      WatchedClients clients, List<String> topics, String strays, int partitions, String group) {
    OtherPartitions others =
        new OtherPartitions(clients.reading(group), topics, partitions, System::nanoTime);
    List<String> all = Stream.concat(topics.stream(), Stream.of(strays)).toList();
    return (TaskId task) ->
        new InputGate(clients, all, List.of(others), Optional.empty(), task.partition());
  }

  /**
   * What the tasks of the scheduler show.
   *
   * @param acted since an instant, by a watermark: on all that they had read
   * @param deciding until an instant
   * @param mayLag how long a task may not read, or not decide
   */
  public record Signs(Others acted, Others deciding, Duration mayLag) {}

  /**
   * Creates gates for the tasks of the limiter: the scheduler has read what deletes and pauses the
   * schedules of fires that wait and which runs have begun or ended, each of its tasks has acted on
   * it, and the limiter has read what the scheduler has written then.
   *
   * @param partitions of each topic
   * @param group of the scheduler
   */
  public static Factory ofLimiter(
      WatchedClients clients, Topics topics, int partitions, String group, Signs signs) {
    List<String> inputs = List.of(topics.schedules(), topics.commands(), topics.outcomes());
    OtherPartitions.Brokers all = clients.reading(group);
    List<Others> scheduler =
        List.of(
            OtherPartitions.ofScheduler(all, inputs, partitions, System::nanoTime),
            OtherPartitions.ofScheduler(
                all, List.of(topics.strays()), partitions, System::nanoTime),
            signs.acted());
    Others reads =
        OtherPartitions.ofScheduler(
            clients.reading(group, IsolationLevel.READ_COMMITTED),
            inputs,
            partitions,
            System::nanoTime);
    Optional<GateOpening.Followed> followed =
        Optional.of(new GateOpening.Followed(reads, signs.deciding(), signs.mayLag()));
    return (TaskId task) ->
        new InputGate(clients, List.of(topics.waiting()), scheduler, followed, task.partition());
  }

  @Override
  public void processed(String topic, long offset) {
    consumer.stallDetector().beat();
    input(topic).processed(offset);
    idleFor(Duration.ZERO); // the record may make something due before the idle time ends
  }

  @Override
  public boolean isOpen() {
    return opening.isOpen();
  }

  @Override
  public Optional<String> waitsFor() {
    if (opening.wasOpen()) {
      return Optional.empty();
    }
    return inputs.values().stream()
        .map(InputPartition::waitsFor)
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                opening.unreadOthers().stream()
                    .findFirst()
                    .map(one -> "waits until other partitions are read, such as " + one));
  }

  @Override
  public Instant readThrough(Instant now) {
    Instant through = now;
    for (InputPartition input : inputs.values()) {
      Instant read = input.readThrough(now);
      through = read.isBefore(through) ? read : through;
    }
    Instant least = now.minus(LONGEST_WAIT);
    return through.isBefore(least) ? least : through;
  }

  @Override
  public boolean isBehind() {
    return inputs.values().stream().anyMatch(InputPartition::isBehind);
  }

  @Override
  public void idleFor(Duration time) {
    consumer.idleFor(partition, time);
  }

  @Override
  public Mark mark() {
    return schedules.end();
  }

  private InputPartition input(String topic) {
    InputPartition input = inputs.get(topic);
    if (input == null) {
      throw new IllegalArgumentException(topic + " is not one of the inputs " + inputs.keySet());
    }
    return input;
  }
}

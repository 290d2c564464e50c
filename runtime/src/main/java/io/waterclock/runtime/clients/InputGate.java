package io.waterclock.runtime.clients;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;

/**
 * Open while the main consumer has passed a fresh end of each input partition, as {@link FreshEnds}
 * defines it, and the task has processed every record that the consumer returned. No input waits
 * for another.
 *
 * <p>While it is open, records may come faster than the task reads them. Then an occurrence waits
 * for the records that were written before it is due, for {@link #LONGEST_WAIT} at most.
 */
public final class InputGate implements Gate {
  /** How long an occurrence waits for records that are written before it is due, and unread. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private static final Logger LOG = SafeLogger.of(InputGate.class);

  private final WatchedConsumer consumer;
  private final int partition;
  private final Map<String, InputPartition> inputs = new HashMap<>();
  private final InputPartition schedules;
  private final FreshEnds ends;
  private boolean open;

  private InputGate(WatchedClients clients, List<String> topics, int partition) {
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
          topic, new InputPartition(consumer, clients::end, new TopicPartition(topic, partition)));
    }
    this.schedules = input(topics.get(0));
    this.ends =
        new FreshEnds(
            () -> topics.stream().map(topic -> input(topic).end()).toList(),
            System::nanoTime,
            consumer.stallDetector());
  }

  /**
   * Creates gates for the tasks of a topology.
   *
   * @param topics the inputs, the schedules topic first
   */
  public static Factory factory(WatchedClients clients, List<String> topics) {
    return (TaskId task) -> new InputGate(clients, topics, task.partition());
  }

  @Override
  public void processed(String topic, long offset) {
    consumer.stallDetector().beat();
    input(topic).processed(offset);
    idleFor(Duration.ZERO); // the record may make something due before the idle time ends
  }

  @Override
  public boolean isOpen() {
    boolean wasOpen = open;
    open = ends.areReached();
    if (open && !wasOpen) {
      logOpening();
    }
    return open;
  }

  private void logOpening() {
    if (ends.areLagging()) {
      LOG.warn(
          "{}: records arrive faster than they are read, so deciding begins with a lag: a delete or a"
              + " pause takes effect when it is read",
          inputs.keySet());
    } else {
      LOG.info("{}: read to their ends, deciding begins", inputs.keySet());
    }
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

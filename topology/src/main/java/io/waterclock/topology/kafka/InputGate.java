package io.waterclock.topology.kafka;

import io.waterclock.topology.stream.Gate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens when the main consumer has passed the end that each input partition had when the task was
 * assigned, and every record that it has handed out is processed. No input waits for another.
 */
public final class InputGate implements Gate {
  private static final Logger LOG = LoggerFactory.getLogger(InputGate.class);

  private final WatchedConsumer consumer;
  private final int partition;
  private final Map<String, InputPartition> inputs = new HashMap<>();
  private final InputPartition schedules;
  private final List<Mark> ends;
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
    restsFor(Duration.ZERO);
    for (String topic : topics) {
      inputs.put(
          topic, new InputPartition(consumer, clients::end, new TopicPartition(topic, partition)));
    }
    this.schedules = input(topics.get(0));
    this.ends = topics.stream().map(topic -> input(topic).end()).toList();
  }

  /**
   * Gates for the tasks of a topology.
   *
   * @param topics that it reads, the schedules topic first
   */
  public static Factory factory(WatchedClients clients, List<String> topics) {
    return (TaskId task) -> new InputGate(clients, topics, task.partition());
  }

  @Override
  public void processed(String topic, long offset) {
    input(topic).processed(offset);
    restsFor(Duration.ZERO); // what was read may be due before the rest ends
  }

  @Override
  public boolean isOpen() {
    if (!open) {
      open = ends.stream().allMatch(Mark::isPassed);
      if (open) {
        LOG.info("{}: read up to where they ended, deciding begins", inputs.keySet());
      }
    }
    return open;
  }

  @Override
  public boolean isBehind() {
    return inputs.values().stream().anyMatch(InputPartition::isBehind);
  }

  @Override
  public void restsFor(Duration time) {
    consumer.restsFor(partition, time);
  }

  @Override
  public Mark mark() {
    return schedules.end();
  }

  private InputPartition input(String topic) {
    InputPartition input = inputs.get(topic);
    if (input == null) {
      throw new IllegalArgumentException(topic + " is none of the inputs " + inputs.keySet());
    }
    return input;
  }
}

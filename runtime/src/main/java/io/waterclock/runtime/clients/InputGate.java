package io.waterclock.runtime.clients;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;

/**
 * Opens when the main consumer has passed a fresh end of each input partition, as {@link FreshEnds}
 * defines it, and the task has processed every record that the consumer returned; then the other
 * partitions are read up to that moment, and then the task has read what other tasks found there
 * for it. Stays open until the thread stalls.
 *
 * <p>While it is open, records may come faster than the task reads them. Then an occurrence waits
 * for the records that were written before it is due, for {@link #LONGEST_WAIT} at most.
 */
public final class InputGate implements Gate {
  /** How long an occurrence waits for records that are written before it is due, and unread. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** How long a task that has read its own inputs waits until the other partitions are read. */
  static final Duration FOR_OTHERS = Duration.ofSeconds(30);

  /** How often a stall makes that wait begin again: a thread may stall all the time. */
  private static final int MOST_BEGUN_AGAIN = 3;

  private static final Logger LOG = SafeLogger.of(InputGate.class);

  private final WatchedConsumer consumer;
  private final int partition;
  private final Map<String, InputPartition> inputs = new HashMap<>();
  private final InputPartition schedules;
  private final FreshEnds ends;
  private final OtherPartitions others;
  private boolean open;

  /** When the task had read its own inputs; then it waits for the others. */
  private Optional<Long> readAtNanos = Optional.empty();

  private boolean othersAreRead;

  /** The stalls of the thread before that wait. */
  private long stalls;

  private int begunAgain;

  /** Of the other partitions, those that the task waits for. */
  private List<TopicPartition> unreadOthers = List.of();

  private InputGate(
      WatchedClients clients, List<String> topics, OtherPartitions others, int partition) {
    this.consumer =
        clients
            .ofThisThread()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no consumer is known for " + Thread.currentThread().getName()));
    this.others = others;
    this.partition = partition;
    idleFor(Duration.ZERO);
    for (String topic : topics) {
      inputs.put(
          topic, new InputPartition(consumer, clients, new TopicPartition(topic, partition)));
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
    return (TaskId task) -> new InputGate(clients, all, others, task.partition());
  }

  @Override
  public void processed(String topic, long offset) {
    consumer.stallDetector().beat();
    input(topic).processed(offset);
    idleFor(Duration.ZERO); // the record may make something due before the idle time ends
  }

  @Override
  public boolean isOpen() {
    boolean isReached = ends.areReached();
    if (open && !isReached) {
      open = false;
      begunAgain = 0;
      waitForOthersAgain();
    } else if (!open
        && readAtNanos.isPresent()
        && stalls != consumer.stallDetector().stalls()
        && begunAgain < MOST_BEGUN_AGAIN) {
      begunAgain++;
      waitForOthersAgain();
    } else if (!open && isReached && !othersAreRead) {
      othersAreRead = othersAreRead(System.nanoTime());
      isReached = othersAreRead && ends.areReached();
    }
    if (!open && isReached && othersAreRead) {
      open = true;
      logOpening();
    }
    return open;
  }

  /** What was written elsewhere during a stall must be read, too. */
  private void waitForOthersAgain() {
    othersAreRead = false;
    readAtNanos = Optional.empty();
  }

  /** When they are, the task reads once more to the end of its inputs: that of strays above all. */
  private boolean othersAreRead(long now) {
    if (readAtNanos.isEmpty()) {
      readAtNanos = Optional.of(now);
      stalls = consumer.stallDetector().stalls();
    }
    long since = readAtNanos.get();
    unreadOthers = others.unread(partition, since);
    if (!unreadOthers.isEmpty() && now - since <= FOR_OTHERS.toNanos()) {
      return false;
    }
    if (!unreadOthers.isEmpty()) {
      LOG.warn(
          "Partition {}: deciding begins although other partitions are not read yet, such as {}: a"
              + " delete or a pause there of one of its schedules takes effect when it is read",
          partition,
          unreadOthers.get(0));
      unreadOthers = List.of();
    }
    if (others.exist()) {
      ends.askAgain();
    }
    return true;
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
  public Optional<String> waitsFor() {
    if (open) {
      return Optional.empty();
    }
    return inputs.values().stream()
        .map(InputPartition::waitsFor)
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                unreadOthers.stream()
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

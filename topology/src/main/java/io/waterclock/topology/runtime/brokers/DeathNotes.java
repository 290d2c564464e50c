package io.waterclock.topology.runtime.brokers;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.runtime.clients.WatchedClients;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;

/**
 * Notes of which records stream threads died, where every instance finds it: as offsets of a
 * consumer group that nobody is a member of. A transaction that is rolled back does not touch them,
 * they move with their partitions, and Kafka forgets them with their topic.
 *
 * <p>What was noted is read when a task is assigned and every few seconds. Thread-safe.
 */
public final class DeathNotes implements RecordDeaths {
  private static final Logger LOG = SafeLogger.of(DeathNotes.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String group;
  private final List<String> topics;
  private final Supplier<Admin> admin;
  private final RecordMarks marks;
  private final Set<Throwable> noted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private volatile Map<TopicPartition, NotedDeaths> known = Map.of();
  private volatile long version;
  private volatile CompletableFuture<Void> asked = CompletableFuture.completedFuture(null);

  private DeathNotes(String group, List<String> topics, Supplier<Admin> admin, RecordMarks marks) {
    this.group = group;
    this.topics = List.copyOf(topics);
    this.admin = admin;
    this.marks = marks;
  }

  /** The group whose offsets are the notes. */
  public static String group(String applicationId) {
    return applicationId + "-deaths";
  }

  /**
   * The notes of an instance.
   *
   * @param topics that its tasks read, at most four
   * @param clients whose admin client is used
   * @param file that outlives the process, for this instance alone
   */
  public static DeathNotes of(
      String applicationId,
      List<String> topics,
      int partitions,
      WatchedClients clients,
      Path file) {
    return new DeathNotes(
        group(applicationId), topics, clients::admin, RecordMarks.open(file, partitions));
  }

  /** Notes the records that the last process of this instance was taking in when it ended. */
  public void noteLastProcess() {
    for (RecordMarks.Mark mark : marks.takeLeft()) {
      note(
          new TopicPartition(topics.get(mark.topic()), mark.partition()),
          mark.offset(),
          "the process ended meanwhile");
    }
  }

  @Override
  public void assigned() {
    asked = ask();
  }

  /** Asks for the notes of all instances. Does not wait for the answer. */
  public void poll() {
    var unused = ask();
  }

  private CompletableFuture<Void> ask() {
    try {
      return admin
          .get()
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .toCompletionStage()
          .thenAccept(this::learn)
          .exceptionally(
              e -> {
                LOG.debug("The notes of deaths cannot be read", e);
                return null;
              })
          .toCompletableFuture();
    } catch (KafkaException | IllegalStateException e) {
      LOG.debug("The notes of deaths cannot be asked for", e);
      return CompletableFuture.completedFuture(null);
    }
  }

  private synchronized void learn(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, NotedDeaths> found = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (offset != null) {
            found.put(partition, NotedDeaths.parse(offset.metadata()));
          }
        });
    if (!found.equals(known)) {
      known = Map.copyOf(found);
      version++;
    }
  }

  @Override
  public Optional<String> verdict(Inbound inbound) {
    if (!asked.isDone()) {
      await();
    }
    Map<TopicPartition, NotedDeaths> notes = known;
    return notes.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(notes.get(partition(inbound)))
            .flatMap(deaths -> deaths.find(inbound.offset()))
            .flatMap(NotedDeaths.Note::verdict);
  }

  /**
   * Once after an assignment: no record waits for what is asked later. Without an answer it goes on
   * with what it knows.
   */
  private void await() {
    try {
      asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("Whether stream threads have died of records cannot be told just now", e);
      asked = CompletableFuture.completedFuture(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public void begun(int task, Inbound inbound) {
    RecordMarks.Mark mark =
        new RecordMarks.Mark(
            topics.indexOf(inbound.topic()), inbound.partition(), inbound.offset());
    if (mark.topic() >= 0 && RecordMarks.fits(mark)) {
      marks.set(task, mark);
    }
  }

  @Override
  public void ended(int task) {
    marks.clear(task);
  }

  /** The mark stays when this fails as well, to be found by the next process. */
  @Override
  public void died(int task, Inbound inbound, Throwable cause) {
    if (!isOfTheRecord(cause)) {
      marks.clear(task);
    } else if (note(partition(inbound), inbound.offset(), cause.toString())) {
      noted.add(cause);
      marks.clear(task);
    }
  }

  /**
   * What Kafka's clients and stores throw tells of brokers, of rights and of disks, and comes with
   * whatever record happens to be there.
   */
  private static boolean isOfTheRecord(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof KafkaException && !(cause instanceof SerializationException)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a thread died of a record that is noted, and will be set aside before long. */
  public boolean isNoted(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (noted.contains(cause)) {
        return true;
      }
    }
    return false;
  }

  private boolean note(TopicPartition partition, long offset, String cause) {
    try {
      OffsetAndMetadata before =
          admin
              .get()
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
              .get(partition);
      NotedDeaths deaths =
          (before == null ? NotedDeaths.none() : NotedDeaths.parse(before.metadata()))
              .died(offset, cause);
      admin
          .get()
          .alterConsumerGroupOffsets(
              group, Map.of(partition, new OffsetAndMetadata(offset, deaths.text())))
          .all()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      LOG.error(
          "{}@{} has ended a stream thread or a process for the {}. time; after {} it is set aside:"
              + " {}",
          partition,
          offset,
          deaths.find(offset).map(NotedDeaths.Note::deaths).orElse(0),
          NotedDeaths.ENOUGH,
          cause);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      LOG.error("{}@{} has ended a stream thread, and that cannot be noted", partition, offset, e);
      return false;
    }
  }

  private static TopicPartition partition(Inbound inbound) {
    return new TopicPartition(inbound.topic(), inbound.partition());
  }
}

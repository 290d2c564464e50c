package io.waterclock.runtime.brokers;

import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
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
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;

/**
 * Notes the records that ended stream threads, for all instances to read: as committed offsets of a
 * consumer group without members. An aborted transaction does not roll these notes back, each
 * partition has its own, and Kafka deletes them with the topic.
 *
 * <p>A record is not blamed for memory that ran out when it met a heap that was nearly full
 * already: what has piled up before is the cause. Such a record is not marked.
 *
 * <p>Each instance reads the notes when a task is assigned and every few seconds. Thread-safe.
 */
public final class DeathNotes implements RecordDeaths {
  private static final Logger LOG = SafeLogger.of(DeathNotes.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String group;
  private final List<String> topics;
  private final WatchedClients clients;
  private final RecordMarks marks;
  private final BooleanSupplier isCrowded;
  private final Set<Throwable> noted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private volatile Map<TopicPartition, NotedDeaths> known = Map.of();
  private volatile long version;
  private volatile CompletableFuture<Void> request = CompletableFuture.completedFuture(null);

  /**
   * Opens the notes for an instance.
   *
   * @param topics the inputs of its tasks, at most four
   * @param file that survives the process; only this instance uses it
   */
  public DeathNotes(
      String applicationId,
      List<String> topics,
      int partitions,
      WatchedClients clients,
      Path file) {
    this(applicationId, topics, partitions, clients, file, new CrowdedHeap());
  }

  /**
   * @param isCrowded true while the heap is nearly full
   */
  DeathNotes(
      String applicationId,
      List<String> topics,
      int partitions,
      WatchedClients clients,
      Path file,
      BooleanSupplier isCrowded) {
    this.isCrowded = isCrowded;
    this.group = group(applicationId);
    this.topics = List.copyOf(topics);
    this.clients = clients;
    this.marks = RecordMarks.open(file, partitions);
  }

  /** The group whose offsets hold the notes. */
  public static String group(String applicationId) {
    return applicationId + "-deaths";
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
    request = request();
  }

  /** Asks for the notes of all instances. Does not wait for the answer. */
  public void poll() {
    var unused = request();
  }

  private CompletableFuture<Void> request() {
    try {
      return clients
          .admin()
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
      LOG.debug("The notes of deaths cannot be requested", e);
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
    if (!request.isDone()) {
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
   * Waits once after an assignment; later questions delay no record. Without an answer, the known
   * notes count.
   */
  private void await() {
    try {
      request.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("The notes of deaths are not available now: the notes read before count", e);
      request = CompletableFuture.completedFuture(null);
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
    if (isCrowded.getAsBoolean()) {
      marks.clear(task);
    } else if (mark.topic() >= 0 && RecordMarks.fits(mark)) {
      marks.set(task, mark);
    }
  }

  @Override
  public void ended(int task) {
    marks.clear(task);
  }

  /** If the note fails too, the mark stays in the file, and the next process notes it. */
  @Override
  public void died(int task, Inbound inbound, Throwable cause) {
    if (!isCausedByRecord(cause)) {
      marks.clear(task);
    } else if (isOfMemory(cause) && !marks.isSet(task)) {
      LOG.error(
          "Memory ran out while {} was taken in. It is not the cause: the heap was nearly full"
              + " before",
          inbound.revision(),
          cause);
    } else if (note(partition(inbound), inbound.offset(), cause.toString())) {
      noted.add(cause);
      marks.clear(task);
    }
  }

  /**
   * False for exceptions of Kafka's clients and stores: they are about brokers, rights and disks,
   * and can hit any record.
   */
  private static boolean isCausedByRecord(Throwable death) {
    return RootCause.chain(death)
        .noneMatch(
            cause -> cause instanceof KafkaException && !(cause instanceof SerializationException));
  }

  private static boolean isOfMemory(Throwable death) {
    return RootCause.chain(death).anyMatch(OutOfMemoryError.class::isInstance);
  }

  /** True if a noted record ended the thread; after a few deaths that record is set aside. */
  public boolean isNoted(Throwable death) {
    return RootCause.chain(death).anyMatch(noted::contains);
  }

  private boolean note(TopicPartition partition, long offset, String cause) {
    try {
      OffsetAndMetadata before =
          clients
              .admin()
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
              .get(partition);
      NotedDeaths deaths =
          (before == null ? NotedDeaths.none() : NotedDeaths.parse(before.metadata()))
              .died(offset, cause);
      clients
          .admin()
          .alterConsumerGroupOffsets(
              group, Map.of(partition, new OffsetAndMetadata(offset, deaths.text())))
          .all()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      LOG.error(
          "{}@{} has ended a stream thread or a process, deaths so far: {}; after {} it is set"
              + " aside: {}",
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
      LOG.error(
          "{}@{} has ended a stream thread, and the note cannot be written", partition, offset, e);
      return false;
    }
  }

  private static TopicPartition partition(Inbound inbound) {
    return new TopicPartition(inbound.topic(), inbound.partition());
  }
}

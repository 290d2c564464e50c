package io.waterclock.client.worker;

import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.LastStart;
import io.waterclock.client.rules.RetryLines;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * The state of workers that outlives them: the last starts of schedules with a tolerance, the
 * checkpoints that runs have left, and the lines of fires that wait for a retry in order. The
 * compacted topic {@code <prefix>.workers} stores both as one {@link Outcome} for each group and
 * schedule, in the home partition of the schedule. A worker that takes a partition of fires over
 * reads the same partition of this topic first; all partitions if the topic of the fires has got
 * more of them since. See docs/adr/0010.
 *
 * <p>The worker creates the topic for the first state to store. If a write fails, the worker logs
 * it, and keeps the state only until it loses the partition.
 *
 * <p>Thread-safe.
 */
final class WorkerMemory implements RetryLines.Memory<HandledRecord>, ActiveRun.Checkpoints {
  private static final Logger LOG = SafeLogger.of(WorkerMemory.class);
  private static final Duration BOUND = Duration.ofSeconds(30);

  private static final class Remembered {
    private final int partition;

    /** Empty if nothing is left, and that is not written yet. */
    private final Optional<Outcome> outcome;

    private final Optional<RetryLines.Line> line;

    /** Empty until it is sent, and once the write has failed; complete once it is written. */
    private volatile Optional<CompletableFuture<Void>> written = Optional.empty();

    Remembered(int partition, Optional<Outcome> outcome) {
      this.partition = partition;
      this.outcome = outcome;
      this.line =
          outcome
              .flatMap(it -> Optional.ofNullable(it.getOutput()))
              .flatMap(RetryLines.Line::parse);
    }
  }

  private final Outbox outbox;
  private final MemoryTopic topic;
  private final Map<String, Object> consumerSettings;
  private final String keyPrefix;
  private final boolean isOrdered;
  private final Map<String, Remembered> schedules = new ConcurrentHashMap<>();

  /** Held while a thread that runs a handler sends: no write overtakes an earlier one. */
  private final ReentrantLock sending = new ReentrantLock();

  /**
   * @param consumerSettings the settings of a consumer without a group
   * @param isOrdered false for a worker without order: it stores nothing
   */
  WorkerMemory(
      Outbox outbox,
      MemoryTopic topic,
      Map<String, Object> consumerSettings,
      String groupId,
      boolean isOrdered) {
    this.outbox = outbox;
    this.topic = topic;
    this.isOrdered = isOrdered;
    this.consumerSettings = consumerSettings;
    this.keyPrefix = groupId + "|";
  }

  /** The last start of a schedule; empty if the worker does not know it. */
  Optional<LastStart> lastStart(String scheduleId) {
    return Optional.ofNullable(schedules.get(scheduleId))
        .flatMap(known -> known.outcome)
        .flatMap(
            outcome ->
                Optional.ofNullable(outcome.getStartedAt())
                    .map(at -> new LastStart(outcome.getFireId(), at)));
  }

  @Override
  public Optional<byte[]> checkpoint(String scheduleId) {
    return Optional.ofNullable(schedules.get(scheduleId))
        .flatMap(known -> known.outcome)
        .flatMap(outcome -> Optional.ofNullable(outcome.getCheckpoint()))
        .map(WorkerMemory::bytes);
  }

  @Override
  public Optional<RetryLines.Line> line(String scheduleId) {
    return Optional.ofNullable(schedules.get(scheduleId)).flatMap(known -> known.line);
  }

  @Override
  public void line(BufferedFire<HandledRecord> work, Optional<RetryLines.Line> line) {
    Fire fire = work.fire();
    if (line.equals(line(fire.getScheduleId()))) {
      return;
    }
    ConsumerRecord<byte[], byte[]> record = work.attachment().record();
    Optional<LastStart> last = lastStart(fire.getScheduleId());
    Optional<ByteBuffer> checkpoint = checkpoint(fire.getScheduleId()).map(ByteBuffer::wrap);
    Outcome outcome = outcome(fire, record);
    outcome.setOutput(null);
    line.map(RetryLines.Line::text).ifPresent(outcome::setOutput);
    last.ifPresent(start -> withLast(outcome, start));
    checkpoint.ifPresent(outcome::setCheckpoint);
    boolean isEmpty = line.isEmpty() && last.isEmpty() && checkpoint.isEmpty();
    schedules.put(
        fire.getScheduleId(),
        new Remembered(record.partition(), isEmpty ? Optional.empty() : Optional.of(outcome)));
  }

  /**
   * Stores the line of the schedule of a fire in whose plan order counts. May wait for the brokers,
   * not for the write.
   *
   * @return complete once the line, or a newer one, is written, the write has failed, or there is
   *     nothing to write
   */
  CompletableFuture<Void> storeLine(BufferedFire<HandledRecord> work) {
    String scheduleId = work.fire().getScheduleId();
    return work.policy().retry().isInOrder() && schedules.containsKey(scheduleId)
        ? store(
            scheduleId,
            () -> Optional.ofNullable(schedules.get(scheduleId)),
            work.attachment().fireKey())
        : CompletableFuture.completedFuture(null);
  }

  /** Stores the start of a run; returns when it is written. */
  void started(Fire fire, ConsumerRecord<byte[], byte[]> record, Instant at) {
    Outcome outcome = outcome(fire, record);
    outcome.setStartedAt(at);
    checkpoint(fire.getScheduleId()).map(ByteBuffer::wrap).ifPresent(outcome::setCheckpoint);
    try {
      var unused =
          remember(fire, record, Optional.of(outcome))
              .get()
              .get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The start of {} may not be stored", Partitions.key(record), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Remembers a run's checkpoint. Does not wait.
   *
   * @return stores it, and may wait for the brokers
   * @throws IllegalStateException if the worker has no order, and so no next run
   */
  @Override
  public Runnable leave(Fire fire, ConsumerRecord<byte[], byte[]> record, byte[] checkpoint) {
    if (!isOrdered) {
      throw new IllegalStateException(
          "a worker without order keeps no checkpoints: leave unordered() out, or keep the progress"
              + " in a database");
    }
    Outcome outcome = outcome(fire, record);
    lastStart(fire.getScheduleId()).ifPresent(last -> withLast(outcome, last));
    outcome.setCheckpoint(ByteBuffer.wrap(checkpoint.clone()));
    Supplier<CompletableFuture<Void>> store = remember(fire, record, Optional.of(outcome));
    return () -> {
      var unused = store.get();
    };
  }

  /** Removes the checkpoint that a run has used. May wait for the brokers, not for the write. */
  void clear(Fire fire, ConsumerRecord<byte[], byte[]> record) {
    String scheduleId = fire.getScheduleId();
    if (checkpoint(scheduleId).isPresent()) {
      Optional<LastStart> last = lastStart(scheduleId);
      Outcome rest = outcome(fire, record);
      last.ifPresent(start -> withLast(rest, start));
      boolean isEmpty = last.isEmpty() && line(scheduleId).isEmpty();
      var unused = remember(fire, record, isEmpty ? Optional.empty() : Optional.of(rest)).get();
    }
  }

  private static Outcome withLast(Outcome outcome, LastStart last) {
    outcome.setFireId(last.fireId());
    outcome.setStartedAt(last.at());
    return outcome;
  }

  /** With the line of the schedule, which only its own methods change. */
  private Outcome outcome(Fire fire, ConsumerRecord<byte[], byte[]> record) {
    Outcome outcome =
        Outcome.newBuilder()
            .setFireId(fire.getFireId())
            .setFireKey(Partitions.key(record))
            .setState(OutcomeState.STARTED)
            .build();
    line(fire.getScheduleId()).map(RetryLines.Line::text).ifPresent(outcome::setOutput);
    return outcome;
  }

  /**
   * @return stores the state, and may wait for the brokers; its result is complete once the state
   *     is written, the write has failed, or nothing is to be written any more
   */
  private Supplier<CompletableFuture<Void>> remember(
      Fire fire, ConsumerRecord<byte[], byte[]> record, Optional<Outcome> outcome) {
    String scheduleId = fire.getScheduleId();
    Remembered state = new Remembered(record.partition(), outcome);
    schedules.put(scheduleId, state);
    return () ->
        store(
            scheduleId,
            () -> Optional.ofNullable(schedules.get(scheduleId)).filter(state::equals),
            Partitions.key(record));
  }

  /**
   * Writes a schedule's state, unless the worker has replaced or forgotten it while this waited: so
   * the newest state of a schedule is the last one written, and none of a partition that the worker
   * has handed back. Only a write that is past this check may come late.
   *
   * @param latest what to write; empty if that is not to be written any more
   */
  private CompletableFuture<Void> store(
      String scheduleId, Supplier<Optional<Remembered>> latest, String fireKey) {
    Optional<Integer> partitions = topic.ensure();
    CompletableFuture<Void> done = new CompletableFuture<>();
    sending.lock();
    try {
      Optional<Remembered> state = latest.get();
      if (partitions.isEmpty() || state.isEmpty()) {
        state.ifPresent(known -> forgetEmpty(scheduleId, known));
        done.complete(null);
        return done;
      }
      Remembered remembered = state.get();
      if (remembered.written.isPresent()) {
        return remembered.written.get();
      }
      remembered.written = Optional.of(done);
      byte[] value =
          remembered
              .outcome
              .map(known -> RecordCodecs.outcome().encode(known, WireFormat.AVRO))
              .orElse(null);
      byte[] key = (keyPrefix + scheduleId).getBytes(StandardCharsets.UTF_8);
      int home = home(scheduleId, partitions.get());
      outbox.send(
          new ProducerRecord<>(topic.name(), home, key, value),
          error -> {
            error.ifPresent(
                why -> {
                  LOG.warn("The state that {} has left is not stored", fireKey, why);
                  remembered.written = Optional.empty();
                });
            done.complete(null);
          });
      forgetEmpty(scheduleId, remembered);
      return done;
    } finally {
      sending.unlock();
    }
  }

  private void forgetEmpty(String scheduleId, Remembered state) {
    if (state.outcome.isEmpty()) {
      schedules.remove(scheduleId, state);
    }
  }

  /**
   * Reads the state that other workers have stored for these partitions of fires. Blocks until it
   * has read all.
   *
   * @param ofFires how many partitions of fires there are
   */
  void restore(Collection<Integer> partitions, int ofFires) {
    forget(partitions);
    TopicReader reader = new TopicReader(() -> ReaderSettings.consumer(consumerSettings));
    try {
      List<TopicPartition> all = reader.partitions(topic.name());
      boolean areAlike = all.size() == ofFires;
      reader.toEnd(
          all.stream().filter(each -> !areAlike || partitions.contains(each.partition())).toList(),
          record -> restored(record, partitions, ofFires));
    } catch (UnknownTopicOrPartitionException e) {
      LOG.debug("No worker has stored any state", e);
    }
  }

  private boolean restored(
      ConsumerRecord<byte[], byte[]> record, Collection<Integer> partitions, int ofFires) {
    String key = Partitions.key(record);
    String scheduleId = key.substring(key.lastIndexOf('|') + 1);
    int home = home(scheduleId, ofFires);
    if (!key.equals(keyPrefix + scheduleId) || !partitions.contains(home)) {
      return true; // another group's, or another worker's
    }
    if (record.value() == null) {
      schedules.remove(scheduleId);
      return true;
    }
    try {
      Outcome outcome = RecordCodecs.outcome().decode(record.value());
      Remembered remembered = new Remembered(home, Optional.of(outcome));
      remembered.written = Optional.of(CompletableFuture.completedFuture(null));
      schedules.put(scheduleId, remembered);
    } catch (UndecodableException e) {
      LOG.warn("{}-{}@{}", record.topic(), record.partition(), record.offset(), e);
    }
    return true;
  }

  private static int home(String scheduleId, int partitions) {
    return HomePartition.of(scheduleId.getBytes(StandardCharsets.UTF_8), partitions);
  }

  /** Forgets the state of partitions that other workers own now. */
  void forget(Collection<Integer> partitions) {
    schedules.values().removeIf(known -> partitions.contains(known.partition));
  }

  /** A copy of the bytes between position and limit. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}

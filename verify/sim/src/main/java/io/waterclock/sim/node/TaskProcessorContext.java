package io.waterclock.sim.node;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;

/**
 * What a processor sees of Kafka Streams.
 *
 * @param <A> the keys that it sends
 * @param <B> the values that it sends
 */
final class TaskProcessorContext<A, B> implements ProcessorContext<A, B> {
  /** What a processor needs of its task. */
  interface Inside {
    int partition();

    LoggedStore store(String name);

    long wallMs();

    void requestCommit();

    void send(Record<?, ?> record, String child);
  }

  private final Inside task;
  private Optional<RecordMetadata> metadata = Optional.empty();
  private Optional<Punctuator> punctuator = Optional.empty();

  TaskProcessorContext(Inside task) {
    this.task = task;
  }

  /** Processes one record, from its place. */
  void process(Processor<byte[], byte[], A, B> processor, Place place, LogRecord record) {
    metadata =
        Optional.of(
            new ProcessorRecordContext(
                record.timestampMs(),
                record.offset(),
                place.partition(),
                place.topic(),
                record.headers()));
    processor.process(
        new Record<>(
            record.key(),
            record.value().orElse(null),
            record.timestampMs(),
            new RecordHeaders(record.headers())));
    metadata = Optional.empty();
  }

  void punctuate(long wallMs) {
    punctuator.ifPresent(it -> it.punctuate(wallMs));
  }

  @Override
  public <K extends A, V extends B> void forward(Record<K, V> record) {
    throw new UnsupportedOperationException("the scheduler names its sinks");
  }

  @Override
  public <K extends A, V extends B> void forward(Record<K, V> record, String child) {
    task.send(record, child);
  }

  @Override
  public String applicationId() {
    return TaskEnvironment.GROUP;
  }

  @Override
  public TaskId taskId() {
    return new TaskId(0, task.partition());
  }

  @Override
  public Optional<RecordMetadata> recordMetadata() {
    return metadata;
  }

  @Override
  public Serde<?> keySerde() {
    return Serdes.ByteArray();
  }

  @Override
  public Serde<?> valueSerde() {
    return Serdes.ByteArray();
  }

  @Override
  public File stateDir() {
    throw new UnsupportedOperationException("the state is in memory");
  }

  @Override
  public StreamsMetrics metrics() {
    throw new UnsupportedOperationException("there are no metrics of Kafka Streams");
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <S extends StateStore> S getStateStore(String name) {
    return (S) task.store(name);
  }

  @Override
  public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
    punctuator = Optional.of(callback);
    return () -> {
      if (punctuator.filter(callback::equals).isPresent()) {
        punctuator = Optional.empty();
      }
    };
  }

  @Override
  public Cancellable schedule(
      Instant start, Duration interval, PunctuationType type, Punctuator callback) {
    return schedule(interval, type, callback);
  }

  @Override
  public void commit() {
    task.requestCommit();
  }

  @Override
  public Map<String, Object> appConfigs() {
    return Map.of();
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return Map.of();
  }

  @Override
  public long currentSystemTimeMs() {
    return task.wallMs();
  }

  @Override
  public long currentStreamTimeMs() {
    return task.wallMs();
  }
}

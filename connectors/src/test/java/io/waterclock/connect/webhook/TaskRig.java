package io.waterclock.connect.webhook;

import io.waterclock.connect.TestFires;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A task, and what a Connect worker is to it. */
final class TaskRig implements AutoCloseable {
  static final TopicPartition P0 = new TopicPartition("waterclock.fires", 0);
  static final TopicPartition P1 = new TopicPartition("waterclock.fires", 1);

  final WebhookSinkTask task = new WebhookSinkTask();
  final Map<Long, String> reported = new LinkedHashMap<>();
  final Set<TopicPartition> paused = new HashSet<>();
  final Set<TopicPartition> assigned = new HashSet<>(Set.of(P0, P1));
  private final Map<TopicPartition, Long> next = new HashMap<>();
  private final boolean reports;

  TaskRig(Map<String, String> settings) {
    this(settings, true);
  }

  TaskRig(Map<String, String> settings, boolean reports) {
    this.reports = reports;
    task.initialize(new Worker());
    task.start(settings);
    task.open(List.of(P0, P1));
  }

  /** Settings that permit a server on this machine, and tests that do not take long. */
  static Map<String, String> settings(WebhookServer server, String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("url", server.url("/hook"));
    settings.put("internal.allow", "127.0.0.1");
    settings.put("retry.backoff.ms", "20");
    settings.put("retry.backoff.max.ms", "50");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  void put(TopicPartition partition, Fire... fires) {
    List<SinkRecord> records = new ArrayList<>();
    for (Fire fire : fires) {
      records.add(
          record(
              partition, TestFires.key(fire), RecordCodecs.fire().encode(fire, WireFormat.AVRO)));
    }
    task.put(records);
  }

  void putValue(TopicPartition partition, Object value) {
    task.put(List.of(record(partition, "junk", value)));
  }

  /**
   * @param type the header, as the worker's converter gives it
   */
  void putTyped(TopicPartition partition, byte[] value, Object type) {
    SinkRecord record = record(partition, "a|2026-11-24T09:00:00Z", value);
    record.headers().add(HeaderNames.CE_TYPE, new SchemaAndValue(null, type));
    task.put(List.of(record));
  }

  void putWithoutKey(TopicPartition partition, Fire fire) {
    task.put(List.of(record(partition, null, RecordCodecs.fire().encode(fire, WireFormat.AVRO))));
  }

  private SinkRecord record(TopicPartition partition, @Nullable String key, Object value) {
    long offset = next.merge(partition, 1L, Long::sum) - 1;
    return new SinkRecord(
        partition.topic(),
        partition.partition(),
        Schema.STRING_SCHEMA,
        key,
        Schema.BYTES_SCHEMA,
        value,
        offset,
        0L,
        TimestampType.CREATE_TIME);
  }

  /** As a worker does that finds nothing new, until something is so. */
  void await(BooleanSupplier condition) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> {
              task.put(List.of());
              return condition.getAsBoolean();
            });
  }

  /**
   * A rebalance, as Connect has it: it commits, closes all partitions and opens the new ones, whose
   * unfinished records it reads again. It still pauses what the task has paused and has got again.
   */
  void rebalance(TopicPartition... now) {
    for (TopicPartition partition : assigned) {
      next.put(partition, Math.max(0, committed(partition)));
    }
    task.close(Set.copyOf(assigned));
    assigned.clear();
    assigned.addAll(List.of(now));
    paused.retainAll(assigned);
    task.open(List.of(now));
  }

  /** What would be committed now. */
  long committed(TopicPartition partition) {
    Map<TopicPartition, OffsetAndMetadata> read =
        Map.of(partition, new OffsetAndMetadata(next.getOrDefault(partition, 0L)));
    OffsetAndMetadata offset = task.preCommit(read).get(partition);
    return offset == null ? -1 : offset.offset();
  }

  @Override
  public void close() {
    task.close(List.of(P0, P1));
    task.stop();
  }

  private final class Worker implements SinkTaskContext {
    @Override
    public Map<String, String> configs() {
      return Map.of();
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {}

    @Override
    public void offset(TopicPartition partition, long offset) {}

    @Override
    public void timeout(long timeoutMs) {}

    @Override
    public Set<TopicPartition> assignment() {
      return assigned;
    }

    @Override
    public void pause(TopicPartition... partitions) {
      paused.addAll(List.of(partitions));
    }

    @Override
    public void resume(TopicPartition... partitions) {
      paused.removeAll(List.of(partitions));
    }

    @Override
    public void requestCommit() {}

    @Override
    public PluginMetrics pluginMetrics() {
      throw new UnsupportedOperationException("not asked for");
    }

    @Override
    public @Nullable ErrantRecordReporter errantRecordReporter() {
      return reports
          ? (record, error) -> {
            reported.put(record.kafkaOffset(), String.valueOf(error.getMessage()));
            return CompletableFuture.completedFuture(null);
          }
          : null;
    }
  }
}

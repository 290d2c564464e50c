package io.waterclock.topology.stream;

import io.waterclock.topology.state.ProgressStore;
import io.waterclock.topology.state.ScheduleStore;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The whole graph: one source, one processor with two stores, one sink for each topic written. */
public final class SchedulerTopology {
  private static final String SOURCE = "from-schedules";
  private static final String SCHEDULER = "scheduler";

  private SchedulerTopology() {}

  /** Builds the graph. */
  public static Topology build(Settings settings, Surroundings surroundings) {
    return build(settings, surroundings, Parts.standard());
  }

  /** Builds the graph around other parts. */
  public static Topology build(Settings settings, Surroundings surroundings, Parts parts) {
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        SOURCE,
        SchedulerTopology::timestamp,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        settings.topics().schedules());
    topology.addProcessor(
        SCHEDULER,
        () -> parts.around().apply(new SchedulerProcessor(settings, surroundings)),
        SOURCE);
    topology.addStateStore(store(parts, ScheduleStore.NAME), SCHEDULER);
    topology.addStateStore(store(parts, ProgressStore.NAME), SCHEDULER);
    for (Sink sink : Sink.values()) {
      String topic = sink.topic(settings.topics());
      ByteArraySerializer bytes = new ByteArraySerializer();
      switch (sink) {
        case FIRES ->
            topology.addSink(sink.node(), topic, bytes, bytes, new FirePartitioner(), SCHEDULER);
        case ANSWERS ->
            topology.addSink(
                sink.node(),
                topic,
                bytes,
                Addressed.serializer(),
                Addressed.partitioner(),
                SCHEDULER);
        default -> topology.addSink(sink.node(), topic, bytes, bytes, SCHEDULER);
      }
    }
    return topology;
  }

  /** A record without a timestamp counts as written now, rather than ending the thread. */
  private static long timestamp(ConsumerRecord<Object, Object> record, long partitionTime) {
    return record.timestamp() >= 0 ? record.timestamp() : Math.max(0, partitionTime);
  }

  /** Logged, so that another instance can restore it; small segments, so that it gets compacted. */
  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(Parts parts, String name) {
    return Stores.keyValueStoreBuilder(
            parts.stores().apply(name), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingEnabled(Map.of("segment.bytes", Integer.toString(64 * 1024 * 1024)))
        .withCachingDisabled();
  }
}

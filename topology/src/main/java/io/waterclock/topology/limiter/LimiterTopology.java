package io.waterclock.topology.limiter;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import io.waterclock.topology.scheduler.input.RecordTime;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The limiter's graph: it reads fires that wait, and what frees their room, and writes fires,
 * missed occurrences and what moves to another group. Each instance reads the topic limits as a
 * whole.
 */
public final class LimiterTopology {
  /** The name of its store. */
  public static final String STORE = LimiterStore.NAME;

  private static final String WAITING = "from-waiting";
  private static final String LIMITS = "from-limits";
  private static final String LIMIT_READER = "limit-reader";
  private static final String LIMITER = "limiter";

  /** A fire as it is kept has this much more than as a record. */
  private static final int OVERHEAD = 64 * 1024;

  private LimiterTopology() {}

  /**
   * Builds the graph.
   *
   * @param settings of the scheduler whose fires wait
   */
  public static Topology build(
      Settings settings,
      KeyValueBytesStoreSupplier store,
      LimitFeed limits,
      CountReports<LimiterCounts> reports,
      InstantSource clock) {
    Topics topics = settings.channels().topics();
    ByteArraySerializer bytes = new ByteArraySerializer();
    RejectionLog rejections =
        new RejectionLog(clock::instant, " more records of limits were refused");
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        WAITING,
        new RecordTime(clock),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.waiting());
    topology.addProcessor(
        LIMITER,
        () ->
            new LimiterProcessor(
                limits,
                settings.channels().wire().encoding(),
                settings.channels().partitions(),
                reports,
                rejections),
        WAITING);
    topology.addStateStore(
        Stores.keyValueStoreBuilder(store, Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingEnabled(
                Map.of(
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(settings.limits().maxFireBytes() + OVERHEAD)))
            .withCachingDisabled(),
        LIMITER);
    topology.addSink(
        LimiterProcessor.TO_FIRES, topics.fires(), bytes, bytes, new FirePartitioner(), LIMITER);
    topology.addSink(LimiterProcessor.TO_MISSED, topics.missed(), bytes, bytes, LIMITER);
    topology.addSink(
        LimiterProcessor.TO_WAITING,
        topics.waiting(),
        bytes,
        Addressed.serializer(),
        Addressed.partitioner(),
        LIMITER);
    topology.addGlobalStore(
        // in memory, so that the reader gets the whole topic at each start
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(LimitReader.STORE), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled(),
        LIMITS,
        new RecordTime(clock),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.limits(),
        LIMIT_READER,
        () -> new LimitReader(limits, settings.channels().wire().schemas(), rejections));
    return topology;
  }
}

package io.waterclock.topology.limiter;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.CommitPace;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import io.waterclock.topology.scheduler.input.RecordTime;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The limiter's graph: it reads fires that wait, and what frees their room, and writes fires,
 * missed occurrences, what moves to another group, and what the scheduler must know of a start.
 * Each instance reads the topic limits as a whole.
 */
public final class LimiterTopology {
  /** The name of its store. */
  public static final String STORE = LimiterStore.NAME;

  /** What its application id has behind that of its scheduler. */
  public static final String APPLICATION_ENDING = "-limiter";

  private static final String WAITING = "from-waiting";
  private static final String LIMITS = "from-limits";
  private static final String LIMIT_READER = "limit-reader";
  private static final String LIMITER = "limiter";

  /** A fire as it is kept has this much more than as a record. */
  private static final int OVERHEAD = 64 * 1024;

  private LimiterTopology() {}

  /** True for the key of a fire that waits, in the topic with its state: one for each fire. */
  public static boolean isOfWaiting(byte[] key) {
    return key.length > 0 && key[0] == 's';
  }

  /**
   * The name of the topic with its state.
   *
   * @param applicationId of its scheduler
   */
  public static String changelog(String applicationId) {
    return applicationId + APPLICATION_ENDING + "-" + STORE + "-changelog";
  }

  /**
   * What keeps fires back.
   *
   * @param clock while it is not trusted, nothing starts
   * @param gates nothing starts before the gate of its task opens
   * @param nanoTime as of {@link System#nanoTime}
   */
  public record Guards(ClockGuard clock, Gate.Factory gates, LongSupplier nanoTime) {}

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
      InstantSource clock,
      Guards guards) {
    Topics topics = settings.channels().topics();
    ByteArraySerializer bytes = new ByteArraySerializer();
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        WAITING,
        new RecordTime(clock),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.waiting());
    topology.addProcessor(
        LIMITER, processors(settings, limits, guards, reports, clock)::get, WAITING);
    topology.addStateStore(
        Stores.keyValueStoreBuilder(store, Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingEnabled(
                Map.of(
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(settings.limits().maxFireBytes() + OVERHEAD)))
            .withCachingDisabled(),
        LIMITER);
    topology.addSink(
        LimiterProcessor.TO_FIRES,
        topics.fires(),
        bytes,
        bytes,
        new FirePartitioner(settings.channels().partitions()),
        LIMITER);
    topology.addSink(LimiterProcessor.TO_MISSED, topics.missed(), bytes, bytes, LIMITER);
    topology.addSink(LimiterProcessor.TO_DLQ, topics.dlq(), bytes, bytes, LIMITER);
    addressed(topology, LimiterProcessor.TO_WAITING, topics.waiting());
    addressed(topology, LimiterProcessor.TO_OUTCOMES, topics.outcomes());
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
        () -> reader(settings, limits, clock));
    return topology;
  }

  /**
   * The processor of each task, for a topology that is built by hand. Those of one thread share the
   * pace of its commits.
   */
  public static Supplier<Processor<byte[], byte[], byte[], Object>> processors(
      Settings settings,
      LimitFeed limits,
      Guards guards,
      CountReports<LimiterCounts> reports,
      InstantSource clock) {
    RejectionLog rejections = rejections(clock);
    ThreadLocal<CommitPace.OfThread> paces =
        ThreadLocal.withInitial(() -> new CommitPace.OfThread(guards.nanoTime()));
    return () ->
        new LimiterProcessor(
            limits, settings, guards.clock(), guards.gates(), paces, reports, rejections);
  }

  /** The reader of the topic limits, for the same. */
  public static Processor<byte[], byte[], Void, Void> reader(
      Settings settings, LimitFeed limits, InstantSource clock) {
    return new LimitReader(limits, settings, rejections(clock));
  }

  private static RejectionLog rejections(InstantSource clock) {
    return new RejectionLog(clock::instant, " more records of limits were refused");
  }

  private static void addressed(Topology topology, String sink, String topic) {
    topology.addSink(
        sink,
        topic,
        new ByteArraySerializer(),
        Addressed.serializer(),
        Addressed.partitioner(),
        LIMITER);
  }
}

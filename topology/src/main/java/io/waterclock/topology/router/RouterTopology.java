package io.waterclock.topology.router;

import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.count.CountReports;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * The router's graph, an application of its own, so that a target that is missing or refuses does
 * not stop the scheduler. It reads fires, and writes to the targets, where the producer chooses the
 * partition by the key unless the schedule names one, and to the dead-letter topic. A router
 * without committed offsets begins with the fires of the last week, so fires for targets from
 * before its first start are not lost. A router that has lost its offsets delivers the fires of
 * that week again. The bound is a time, since the topic deletes by segment and may keep a fire for
 * twice as long.
 */
public final class RouterTopology {
  private static final String FIRES = "from-fires";
  private static final String ROUTER = "router";

  /** The least time for which the topic {@code fires} keeps its records. */
  public static final Duration MOST_AGAIN = Duration.ofDays(7);

  private RouterTopology() {}

  /**
   * @param own the scheduler's topics
   * @param maxDeadLetterBytes inclusive: the largest record that the dead-letter topic accepts
   */
  public static Topology build(
      Topics own, Routing routing, CountReports<RouteCounts> reports, int maxDeadLetterBytes) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.byDuration(MOST_AGAIN),
        FIRES,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        own.fires());
    topology.addProcessor(ROUTER, processors(routing, reports, maxDeadLetterBytes)::get, FIRES);
    topology.addSink(
        RouterProcessor.TO_TARGETS, Routed.topics(), bytes, Routed.serializer(), ROUTER);
    // apart from the others: a sink with a partitioner asks the brokers for the partitions first
    topology.addSink(
        RouterProcessor.TO_PARTITIONS,
        Routed.topics(),
        bytes,
        Routed.serializer(),
        Routed.partitions(),
        ROUTER);
    topology.addSink(RouterProcessor.TO_DLQ, own.dlq(), bytes, bytes, ROUTER);
    return topology;
  }

  /**
   * The processors without their graph, for a caller that carries their records itself: a value for
   * a target is {@link Routed}, one for the dead-letter topic is bytes.
   */
  public static Supplier<Processor<byte[], byte[], byte[], Object>> processors(
      Routing routing, CountReports<RouteCounts> reports, int maxDeadLetterBytes) {
    TargetLog log = new TargetLog(routing.clock());
    return () -> new RouterProcessor(routing, log, reports, maxDeadLetterBytes);
  }
}

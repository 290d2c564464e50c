package io.waterclock.topology.router;

import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.context.TargetTopics;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/**
 * The router's graph: it reads fires, and writes to the targets, where the producer chooses the
 * partition by the key, and to the dead-letter topic. A router without committed offsets begins
 * with the fires of the last week, so fires for targets from before its first start are not lost. A
 * router that has lost its offsets delivers the fires of that week again. The bound is a time,
 * since the topic deletes by segment and may keep a fire for twice as long.
 */
public final class RouterTopology {
  private static final String FIRES = "from-fires";
  private static final String ROUTER = "router";

  /** The least time for which the topic {@code fires} keeps its records. */
  private static final Duration MOST_AGAIN = Duration.ofDays(7);

  private RouterTopology() {}

  /**
   * Builds the graph.
   *
   * @param schemas for fires in the registry format; may wait for some seconds
   * @param maxDeadLetterBytes inclusive: the largest record that the dead-letter topic accepts
   */
  public static Topology build(
      Topics own,
      TargetRules rules,
      TargetTopics targets,
      Refusals refusals,
      SchemaSource schemas,
      RouterReports reports,
      InstantSource clock,
      int maxDeadLetterBytes) {
    Routing routing = new Routing(rules, targets, refusals, schemas, clock);
    TargetLog log = new TargetLog(clock);
    ByteArraySerializer bytes = new ByteArraySerializer();
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.byDuration(MOST_AGAIN),
        FIRES,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        own.fires());
    topology.addProcessor(
        ROUTER, () -> new RouterProcessor(routing, log, reports, maxDeadLetterBytes), FIRES);
    topology.addSink(
        RouterProcessor.TO_TARGETS, Routed.topics(), bytes, Routed.serializer(), ROUTER);
    topology.addSink(RouterProcessor.TO_DLQ, own.dlq(), bytes, bytes, ROUTER);
    return topology;
  }
}

package io.waterclock.topology.intake;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.input.RecordTime;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * The intake's graph: it reads records to be delivered later, and writes schedules, dead letters
 * and answers. An intake without committed offsets begins with the oldest record: a record that it
 * reads again has the same id, and so changes no schedule that waits.
 */
public final class IntakeTopology {
  private static final String LATER = "from-later";
  private static final String INTAKE = "intake";
  private static final String REST =
      " more records of the topic later went to the dead-letter topic, each with its reason";

  private IntakeTopology() {}

  /**
   * @param settings of the scheduler whose schedules it writes
   */
  public static Topology build(
      Settings settings,
      TargetTopics targets,
      CountReports<IntakeCounts> reports,
      InstantSource clock) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    Topics topics = settings.channels().topics();
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        LATER,
        new RecordTime(clock),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.later());
    topology.addProcessor(INTAKE, processors(settings, targets, reports, clock)::get, LATER);
    topology.addSink(
        IntakeProcessor.TO_SCHEDULES, topics.schedules(), bytes, bytes, home(), INTAKE);
    topology.addSink(
        IntakeProcessor.TO_ANSWERS,
        topics.answers(),
        bytes,
        Addressed.serializer(),
        Addressed.partitioner(),
        INTAKE);
    topology.addSink(IntakeProcessor.TO_DLQ, topics.dlq(), bytes, bytes, INTAKE);
    return topology;
  }

  /**
   * The processors without their graph, for a caller that carries their records itself: a value for
   * the answers topic is {@link Addressed}, others are bytes.
   */
  public static Supplier<Processor<byte[], byte[], byte[], Object>> processors(
      Settings settings,
      TargetTopics targets,
      CountReports<IntakeCounts> reports,
      InstantSource clock) {
    RejectionLog rejections = new RejectionLog(clock::instant, REST);
    return () -> new IntakeProcessor(settings, targets, reports, rejections);
  }

  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  private static StreamPartitioner<byte[], byte[]> home() {
    return (topic, key, value, partitions) ->
        Optional.of(Set.of(HomePartition.of(key, partitions)));
  }
}

package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.topology.intake.IntakeTopology;
import io.waterclock.topology.router.Refusals;
import io.waterclock.topology.router.RouterTopology;
import io.waterclock.topology.router.Routing;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.count.CountReports;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.test.TestRecord;

/** The whole path of records that are delivered later: intake, scheduler and router. */
final class DelayedRecords implements AutoCloseable {
  static final String TARGET = "orders";

  final SchedulerHarness scheduler;
  private final Topics topics = Topics.ofDefault();
  private final TopologyTestDriver intake;
  private final TopologyTestDriver router;
  private final TestInputTopic<byte[], byte[]> later;
  private final TestInputTopic<byte[], byte[]> fires;
  private final TestOutputTopic<byte[], byte[]> schedules;
  private int routed;

  DelayedRecords(Instant now) {
    scheduler = SchedulerHarness.startingAt(now);
    TargetRules rules =
        new TargetRules(new AllowList(List.of(TARGET)), OwnerLimits.none(), topics, "harness");
    TargetTopics known = (topic, asOf) -> new TargetTopic.Present(1_000_000, 12);
    Settings settings =
        new Settings(
            new Settings.Channels(topics, 1, rules, true, Wire.of(WireFormat.AVRO), ZoneOffset.UTC),
            SchedulerHarness.LIMITS,
            Settings.Pace.standard(),
            new Settings.Retention(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
            Settings.Alerting.OFF,
            Settings.Identity.of("harness"));
    intake =
        driver("intake", IntakeTopology.build(settings, known, new NoReports<>(), scheduler::now));
    router =
        driver(
            "router",
            RouterTopology.build(
                topics,
                new Routing(
                    rules,
                    known,
                    new Refusals(scheduler::now, () -> false, topic -> {}),
                    SchemaSource.none(),
                    scheduler::now),
                new NoReports<>(),
                1_000_000));
    later =
        intake.createInputTopic(
            topics.later(), new ByteArraySerializer(), new ByteArraySerializer());
    fires =
        router.createInputTopic(
            topics.fires(), new ByteArraySerializer(), new ByteArraySerializer());
    schedules = output(intake, topics.schedules());
  }

  /** Writes a record to the topic later; the scheduler reads what the intake makes of it. */
  void send(TestRecord<byte[], byte[]> record) {
    later.pipeInput(record);
    for (TestRecord<byte[], byte[]> schedule : schedules.readRecordsToList()) {
      scheduler.send(
          new String(schedule.key(), UTF_8),
          schedule.value(),
          schedule.getRecordTime(),
          schedule.headers());
    }
  }

  /** What has arrived in the target since the last call. */
  List<TestRecord<byte[], byte[]>> arrived() {
    for (TestRecord<byte[], byte[]> fire : scheduler.records(topics.fires(), routed)) {
      fires.pipeInput(fire);
      routed++;
    }
    return output(router, TARGET).readRecordsToList();
  }

  /** What the intake and the router could not use. */
  List<TestRecord<byte[], byte[]>> dead() {
    List<TestRecord<byte[], byte[]>> dead = output(intake, topics.dlq()).readRecordsToList();
    dead.addAll(output(router, topics.dlq()).readRecordsToList());
    dead.addAll(scheduler.records(topics.dlq()));
    return dead;
  }

  private static TestOutputTopic<byte[], byte[]> output(TopologyTestDriver driver, String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static TopologyTestDriver driver(String name, Topology topology) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "harness-" + name);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
    return new TopologyTestDriver(topology, properties);
  }

  @Override
  public void close() {
    intake.close();
    router.close();
    scheduler.close();
  }

  private static final class NoReports<C> implements CountReports<C> {
    @Override
    public void assigned(TaskId task, C counts) {}

    @Override
    public void revoked(TaskId task) {}
  }
}

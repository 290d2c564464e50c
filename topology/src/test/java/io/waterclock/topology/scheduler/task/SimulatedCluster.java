package io.waterclock.topology.scheduler.task;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.admit.CalendarReader;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A broker's topics and the scheduler's tasks without a broker, so that a test controls which task
 * continues, which transaction aborts, and which records compaction removes.
 */
final class SimulatedCluster {
  static final Instant START = Instant.parse("2026-03-04T12:00:00Z");

  private static final Duration TICK = Duration.ofMillis(5);

  /** Short, so that schedules come into the queue and leave it. */
  private static final Duration HORIZON = Duration.ofSeconds(1);

  private final Topics topics = Topics.ofDefault();
  private final Settings settings;
  private final CalendarFeed feed = new CalendarFeed();
  private final Map<String, SimulatedLog> logs = new HashMap<>();
  private final List<SimulatedTask> tasks = new ArrayList<>();
  private final ClockGuard guard;
  private final Committed committed = new Committed(this::home);
  private final Map<Integer, Counts> counts = new HashMap<>();
  private final TaskReports reports =
      new TaskReports() {
        @Override
        public void assigned(TaskId task, TaskView view, Instant now) {
          counts.put(task.partition(), view.counts());
        }

        @Override
        public void ticked(TaskId task, Reading reading, Instant now) {}

        @Override
        public void revoked(TaskId task) {}
      };
  private Instant readThrough = Instant.MAX;
  private long nowMs = START.toEpochMilli();

  SimulatedCluster(int partitions) {
    this(partitions, time -> ClockGuard.of(time, () -> true));
  }

  /**
   * @param guards what the tasks read their clock from, made from the right time
   */
  SimulatedCluster(int partitions, Function<InstantSource, ClockGuard> guards) {
    this(partitions, guards, Wire.of(WireFormat.AVRO));
  }

  /** As above, with a registry. */
  SimulatedCluster(int partitions, Function<InstantSource, ClockGuard> guards, Wire wire) {
    this(partitions, guards, wire, Integer.MAX_VALUE, limits("", Settings.FireBytes.unlimited()));
  }

  /** One partition, of which a tick decides a few occurrences only. */
  static SimulatedCluster ofShortTicks(int decisions) {
    return new SimulatedCluster(
        1,
        time -> ClockGuard.of(time, () -> true),
        Wire.of(WireFormat.AVRO),
        decisions,
        limits("", Settings.FireBytes.unlimited()));
  }

  /**
   * Tasks that limit owners.
   *
   * @param owners in the form of the setting
   */
  static SimulatedCluster ofOwners(int partitions, String owners) {
    return new SimulatedCluster(
        partitions,
        time -> ClockGuard.of(time, () -> true),
        Wire.of(WireFormat.AVRO),
        Integer.MAX_VALUE,
        limits(owners, Settings.FireBytes.unlimited()));
  }

  /** One partition that limits owners and the bytes of fires. */
  static SimulatedCluster ofFireRates(String owners, Settings.FireBytes bytes) {
    return new SimulatedCluster(
        1,
        time -> ClockGuard.of(time, () -> true),
        Wire.of(WireFormat.AVRO),
        Integer.MAX_VALUE,
        limits(owners, bytes));
  }

  private static Settings.Limits limits(String owners, Settings.FireBytes bytes) {
    return new Settings.Limits(
        Duration.ofMillis(1),
        100_000,
        100_000,
        100_000,
        OwnerLimits.parse(owners, new ArrayList<>()),
        new AllowList(List.of("*")),
        bytes);
  }

  private SimulatedCluster(
      int partitions,
      Function<InstantSource, ClockGuard> guards,
      Wire wire,
      int decisions,
      Settings.Limits limits) {
    this.guard = guards.apply(this::now);
    Settings.Pace pace =
        new Settings.Pace(
            TICK,
            new Settings.Budget(Duration.ofHours(1), decisions),
            100,
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            100,
            HORIZON);
    this.settings =
        new Settings(
            new Settings.Channels(
                topics,
                partitions,
                new TargetRules(AllowList.none(), OwnerLimits.none(), topics, topics.prefix()),
                true,
                wire,
                ZoneId.of("UTC")),
            limits,
            pace,
            new Settings.Retention(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(7)),
            Settings.Alerting.OFF,
            Settings.Identity.of("simulated"));
    IntStream.range(0, partitions).forEach(i -> tasks.add(new SimulatedTask(this, i)));
  }

  Topics topics() {
    return topics;
  }

  List<SimulatedTask> tasks() {
    return tasks;
  }

  int home(byte[] key) {
    return HomePartition.of(key, settings.channels().partitions());
  }

  SimulatedTask taskOf(String id) {
    return tasks.get(home(id.getBytes(StandardCharsets.US_ASCII)));
  }

  SimulatedLog log(String topic, int partition) {
    return logs.computeIfAbsent(topic + "-" + partition, name -> new SimulatedLog());
  }

  long nowMs() {
    return nowMs;
  }

  Instant now() {
    return Instant.ofEpochMilli(nowMs);
  }

  void advance(Duration duration) {
    nowMs += duration.toMillis();
  }

  /** Writes a record that asks for an answer to a given partition, as a client may. */
  void produce(
      String topic,
      int partition,
      String key,
      Optional<String> json,
      Instant timestamp,
      String correlationId) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.CORRELATION_ID, correlationId.getBytes(StandardCharsets.UTF_8));
    log(topic, partition)
        .append(
            key.getBytes(StandardCharsets.UTF_8),
            json.map(text -> text.getBytes(StandardCharsets.UTF_8)),
            headers,
            timestamp.toEpochMilli(),
            false);
  }

  /** Up to here, or to now, the tasks know that they have read what was written. */
  void readThrough(Instant limit) {
    readThrough = limit;
  }

  Instant readThrough() {
    return readThrough;
  }

  /** Writes a record to the calendars topic, which every task reads at once. */
  void calendar(long offset, String name, Optional<String> json, Instant timestamp) {
    MockProcessorContext<Void, Void> place = new MockProcessorContext<>();
    place.setRecordMetadata(topics.calendars(), 0, offset);
    CalendarReader reader =
        new CalendarReader(
            feed, settings.channels().wire().schemas(), new RejectionLog(this::now, ""));
    reader.init(place);
    reader.process(
        new Record<>(
            name.getBytes(StandardCharsets.UTF_8),
            json.map(text -> text.getBytes(StandardCharsets.UTF_8)).orElse(null),
            timestamp.toEpochMilli()));
  }

  /** A processor for one life of a task. */
  SchedulerProcessor processor(Gate gate) {
    ApplicationContext application =
        ApplicationContext.of(
            this::now,
            guard,
            task -> gate,
            partition -> SimulatedTask.survivors(log(topics.schedules(), partition)),
            reports);
    return new SchedulerProcessor(
        settings, application, SharedByThread.of(settings, System::nanoTime), feed);
  }

  /** What the task of a partition has counted in its present life. */
  Counts counts(int partition) {
    return Optional.ofNullable(counts.get(partition)).orElseThrow();
  }

  /** What the tasks have committed. */
  Committed committed() {
    return committed;
  }

  List<Fire> fires() {
    return committed.fires();
  }

  List<Answer> answers() {
    return committed.answers();
  }

  /** Lets every task read, tick and commit until there is nothing left to read. */
  void drain() {
    boolean goesOn = true;
    for (int round = 0; goesOn; round++) {
      if (round > 1_000) {
        throw new AssertionError("the tasks do not come to rest");
      }
      goesOn = false;
      for (SimulatedTask task : tasks) {
        for (String topic : task.inputs()) {
          while (task.read(topic)) {
            goesOn = true;
          }
        }
        task.tick();
        goesOn = goesOn || task.hasOpen();
        task.commit();
      }
    }
  }
}

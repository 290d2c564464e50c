package io.waterclock.testkit;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.store.IndexedMemoryStore;
import io.waterclock.topology.scheduler.task.SchedulerTopology;
import io.waterclock.topology.scheduler.task.TopologyParts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The real scheduler on a virtual clock, without a broker: for tests of your schedules.
 *
 * <pre>{@code
 * try (SchedulerHarness scheduler = SchedulerHarness.startingAt(Instant.parse("2026-03-28T12:00:00Z"))) {
 *   scheduler.put("report", "{\"cron\":\"30 2 * * *\",\"timezone\":\"Europe/Berlin\"}");
 *   scheduler.advance(Duration.ofDays(2));
 *   assertThatFires(scheduler, "report").areAt("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
 * }
 * }</pre>
 *
 * <p>Time jumps from due to due, so that a fire is on time and a year of a daily schedule takes
 * less than a second. {@link #stop} and {@link #start} simulate an outage: the start reads the
 * records put meanwhile before anything fires. For partitions, transactions and rebalances, use
 * {@link EmbeddedKafka}. Kafka logs errors only and the scheduler warnings, unless the logs' own
 * configuration sets a level for them. Not thread-safe.
 */
public final class SchedulerHarness implements AutoCloseable {
  /** Where the scheduler does not say how long it has nothing to do. */
  private static final Duration SHORT_JUMP = Duration.ofMillis(100);

  /** How long a scheduler that cannot decide yet says that it has nothing to do, at most. */
  private static final Duration UNDECIDED = Duration.ofMillis(5);

  /** While records are held, which are tried again from time to time. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Ticks without a step of the clock, after which the scheduler should have no more to do. */
  private static final int MOST_TICKS = 10;

  private static final int FAILING_AFTER = 3;

  static final Duration COMPLETED_RETENTION = Duration.ofHours(1);
  static final Settings.Limits LIMITS = new Settings.Limits(Duration.ofMillis(1), 1_000_000);

  private final VirtualClock clock;
  private final Settings settings;
  private final Optional<Duration> step;
  private final TaskReports reports;
  private final SimulatedRegistry registry = new SimulatedRegistry();
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private final Set<ScheduleId> defined = new HashSet<>();
  private final Map<String, List<TestRecord<byte[], byte[]>>> written = new TreeMap<>();
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> schedules;
  private final TestInputTopic<byte[], byte[]> commands;
  private final TestInputTopic<byte[], byte[]> outcomes;
  private final TestInputTopic<byte[], byte[]> calendars;
  private Optional<Restartable> scheduler = Optional.empty();
  private Optional<TaskView> task = Optional.empty();
  private Duration idle = Duration.ZERO;
  private int handled;
  private boolean running = true;
  private boolean clockTrusted = true;

  /** A record in transit. */
  private record Delivery(
      TestInputTopic<byte[], byte[]> topic, TestRecord<byte[], byte[]> record) {}

  private SchedulerHarness(
      Instant now,
      Settings.Pace pace,
      Optional<Duration> step,
      Duration completedRetention,
      TaskReports reports,
      Settings.Limits limits,
      Settings.Alerting alerting) {
    this.clock = new VirtualClock(now);
    this.settings =
        new Settings(
            new Settings.Channels(
                Topics.ofDefault(),
                1,
                new TargetRules(
                    new AllowList(List.of("*")), limits.owners(), Topics.ofDefault(), "harness"),
                true,
                new Wire(Encoding.AVRO, registry),
                ZoneId.of("UTC")),
            limits,
            pace,
            new Settings.Retention(completedRetention, Duration.ofHours(1), Duration.ofDays(7)),
            alerting,
            Settings.Identity.of("harness"));
    this.step = step;
    this.reports = TaskReports.to(new Task(), reports);
    TopologyParts parts = new TopologyParts(IndexedMemoryStore::supplier, this::restartable);
    this.driver =
        new TopologyTestDriver(
            SchedulerTopology.build(settings, application(), parts), properties(), now);
    this.schedules = input(settings.channels().topics().schedules());
    this.commands = input(settings.channels().topics().commands());
    this.outcomes = input(settings.channels().topics().outcomes());
    this.calendars = input(settings.channels().topics().calendars());
    begin();
  }

  private TestInputTopic<byte[], byte[]> input(String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A running scheduler with default settings. */
  public static SchedulerHarness startingAt(Instant now) {
    QuietLogs.ofScheduler();
    Settings.Pace standard = Settings.Pace.standard();
    Settings.Pace pace =
        new Settings.Pace(
            Duration.ofSeconds(1),
            new Settings.Budget(Duration.ofMinutes(1), Integer.MAX_VALUE),
            standard.catchUpChunk(),
            standard.watermarkInterval(),
            standard.watchdogInterval());
    return new SchedulerHarness(
        now,
        pace,
        Optional.empty(),
        COMPLETED_RETENTION,
        TaskReports.none(),
        LIMITS,
        new Settings.Alerting(FAILING_AFTER));
  }

  /**
   * A running scheduler whose time moves from tick to tick, for tests of ticks.
   *
   * @param completedRetention how long it keeps a completed schedule
   * @param reports receives the events of the task
   */
  static SchedulerHarness ticking(
      Instant now,
      Settings.Pace pace,
      Duration completedRetention,
      TaskReports reports,
      Settings.Limits limits) {
    return new SchedulerHarness(
        now,
        pace,
        Optional.of(pace.tick()),
        completedRetention,
        reports,
        limits,
        Settings.Alerting.OFF);
  }

  public Instant now() {
    return clock.instant();
  }

  /** The schema registry of the scheduler. */
  public SimulatedRegistry registry() {
    return registry;
  }

  /** Defines a schedule, in the JSON form. */
  public void put(String id, String json) {
    send(id, json.getBytes(StandardCharsets.UTF_8), now(), new RecordHeaders());
  }

  /** Defines a schedule. */
  public void put(String id, Schedule schedule) {
    put(id, schedule, now());
  }

  /**
   * Defines a schedule.
   *
   * @param timestamp of the record, by the clock of its producer
   */
  public void put(String id, Schedule schedule, Instant timestamp) {
    byte[] value = RecordCodecs.schedule().encode(schedule, WireFormat.AVRO);
    send(id, value, timestamp, new RecordHeaders());
  }

  /** Deletes a schedule. */
  public void delete(String id) {
    send(id, null, now(), new RecordHeaders());
  }

  /** Defines a calendar, in the JSON form; a change counts for occurrences after now. */
  public void putCalendar(String name, String json) {
    sendCalendar(name, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Defines a calendar; a change counts for occurrences after now. */
  public void putCalendar(String name, Calendar calendar) {
    sendCalendar(name, RecordCodecs.calendar().encode(calendar, WireFormat.AVRO));
  }

  /** Deletes a calendar: it excludes nothing after now. */
  public void deleteCalendar(String name) {
    sendCalendar(name, null);
  }

  /** Writes a record to the calendars topic unchanged, also while the scheduler is stopped. */
  public void sendCalendar(String key, byte @Nullable [] value) {
    calendars.pipeInput(
        new TestRecord<>(key.getBytes(StandardCharsets.UTF_8), value, new RecordHeaders(), now()));
  }

  /** Writes a record that requests an answer. */
  public void ask(String id, byte @Nullable [] value, String correlationId) {
    send(id, value, now(), asking(correlationId));
  }

  private static RecordHeaders asking(String correlationId) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.CORRELATION_ID, correlationId.getBytes(StandardCharsets.UTF_8));
    headers.add(HeaderNames.ANSWER_PARTITION, "0".getBytes(StandardCharsets.UTF_8));
    return headers;
  }

  /** Writes a record to the schedules topic unchanged. */
  public void send(String key, byte @Nullable [] value, Instant timestamp, Headers headers) {
    note(key, value != null);
    send(schedules, key, value, timestamp, headers);
  }

  /**
   * Sends a command, in the JSON form: {@code {"command_id":"c-1","pause":{"note":"deploying"}}}.
   */
  public void command(String id, String json) {
    command(id, json.getBytes(StandardCharsets.UTF_8), now(), new RecordHeaders());
  }

  /** Sends a command and requests an answer, whose correlation id is the command's id. */
  public void command(String id, Command command) {
    byte[] value = RecordCodecs.command().encode(command, WireFormat.AVRO);
    command(id, value, now(), asking(command.getCommandId()));
  }

  /** Writes a record to the commands topic unchanged. */
  public void command(String key, byte @Nullable [] value, Instant timestamp, Headers headers) {
    send(commands, key, value, timestamp, headers);
  }

  /**
   * Reports the outcome of a fire, in the JSON form: {@code
   * {"fire_key":"a|2026-12-24T18:00:00.000Z","state":"succeeded"}}.
   */
  public void report(String id, String json) {
    report(id, json.getBytes(StandardCharsets.UTF_8), now());
  }

  /**
   * Reports the outcome of a fire.
   *
   * @param timestamp of the record, by the clock of the worker
   */
  public void report(String id, Outcome outcome, Instant timestamp) {
    report(id, RecordCodecs.outcome().encode(outcome, WireFormat.AVRO), timestamp);
  }

  private void report(String id, byte[] value, Instant timestamp) {
    send(outcomes, id, value, timestamp, new RecordHeaders());
  }

  private void send(
      TestInputTopic<byte[], byte[]> topic,
      String key,
      byte @Nullable [] value,
      Instant timestamp,
      Headers headers) {
    waiting.add(
        new Delivery(
            topic,
            new TestRecord<>(key.getBytes(StandardCharsets.UTF_8), value, headers, timestamp)));
    deliver();
  }

  /** Advances time; everything that becomes due fires when it is due. */
  public void advance(Duration duration) {
    advanceTo(now().plus(duration));
  }

  /** Advances time to an instant; does nothing if it is not in the future. */
  public void advanceTo(Instant end) {
    advance(end, () -> false);
  }

  /**
   * Advances time, and gives each fire to a worker when it is due, first those that none has had.
   * The worker may put and delete schedules; its outcomes are reported.
   *
   * @param worker gets a fire and its key, and returns an outcome to report, or none
   */
  public void advance(Duration duration, BiFunction<Fire, String, Optional<Outcome>> worker) {
    advanceTo(now().plus(duration), worker);
  }

  /** As {@link #advance(Duration, BiFunction)}, to an instant. */
  public void advanceTo(Instant end, BiFunction<Fire, String, Optional<Outcome>> worker) {
    handle(worker);
    while (now().isBefore(end)) {
      advanceToFire(end);
      handle(worker);
    }
  }

  private void handle(BiFunction<Fire, String, Optional<Outcome>> worker) {
    for (TestRecord<byte[], byte[]> record : records(topics().fires(), handled)) {
      handled++;
      Fire fire = RecordCodecs.fire().decode(record.value());
      worker
          .apply(fire, new String(record.key(), StandardCharsets.UTF_8))
          .ifPresent(outcome -> report(fire.getScheduleId(), outcome, now()));
    }
  }

  /**
   * Advances time until something has fired, at most to an instant; does nothing if that is not in
   * the future.
   */
  public void advanceToFire(Instant end) {
    String fires = settings.channels().topics().fires();
    int before = written(fires).size();
    advance(end, () -> written(fires).size() > before);
  }

  private void advance(Instant end, BooleanSupplier enough) {
    if (step.isEmpty()) {
      settle();
    }
    while (now().isBefore(end) && !enough.getAsBoolean()) {
      Duration left = Duration.between(now(), end);
      Duration next = step.orElseGet(() -> running && clockTrusted ? jump() : left);
      clock.advance(left.compareTo(next) < 0 ? left : next);
      settle();
    }
  }

  /** Ticks, without steps until nothing is left to do now. */
  private void settle() {
    tick();
    for (int i = 1; i < MOST_TICKS && step.isEmpty() && running && idle.isZero(); i++) {
      tick();
    }
  }

  /** The time until the scheduler may have something to do. */
  private Duration jump() {
    TaskView view = task.orElseThrow();
    boolean holds = view.heldRecords() > 0;
    if (idle.compareTo(UNDECIDED) <= 0) {
      return holds ? RETRY : idle.isZero() ? SHORT_JUMP : idle;
    }
    boolean removes = view.counts().schedules(State.COMPLETED) > 0;
    Duration longest = holds ? RETRY : removes ? settings.pace().watchdogInterval() : idle;
    return idle.compareTo(longest) < 0 ? idle : longest;
  }

  /** Advances time in one step with one tick at its end, as after a stall of the scheduler. */
  public void step(Duration duration) {
    clock.advance(duration);
    tick();
  }

  /** Sets the clock, as an operator or NTP would, and ticks. */
  public void setClock(Instant now) {
    clock.set(now);
    tick();
  }

  /** Sets whether the scheduler trusts its clock; while it does not, it decides nothing. */
  public void trustClock(boolean trusted) {
    clockTrusted = trusted;
  }

  /** Ends the scheduler's process; its stored state stays. */
  public void stop() {
    if (running) {
      scheduler.orElseThrow().close();
      running = false;
    }
  }

  /**
   * Starts the scheduler again: it restores its state, reads the records put meanwhile, and
   * decides.
   */
  public void start() {
    if (!running) {
      running = true;
      scheduler.orElseThrow().restart();
      begin();
    }
  }

  public boolean isRunning() {
    return running;
  }

  /** Every fire so far, in order. */
  public List<Fire> fires() {
    return read(settings.channels().topics().fires(), RecordCodecs.fire());
  }

  /** Every fire of a schedule so far, in order. */
  public List<Fire> fires(String id) {
    return fires().stream().filter(fire -> fire.getScheduleId().equals(id)).toList();
  }

  /** Every range of missed occurrences so far, in order. */
  public List<Missed> missed() {
    return read(settings.channels().topics().missed(), RecordCodecs.missed());
  }

  /** Every alert of an expectation so far, in order. */
  public List<Alert> alerts() {
    return read(settings.channels().topics().alerts(), RecordCodecs.alert());
  }

  /** Every beginning and end of a revision so far, in order. */
  public List<Revision> revisions() {
    return read(settings.channels().topics().revisions(), RecordCodecs.revision());
  }

  /** Every watermark so far, in order. */
  public List<Watermark> watermarks() {
    return read(settings.channels().topics().watermarks(), RecordCodecs.watermark());
  }

  /** Every answer so far, in order. */
  public List<Answer> answers() {
    return read(settings.channels().topics().answers(), RecordCodecs.answer());
  }

  /** The latest status of a schedule; empty when it has none or is deleted. */
  public Optional<ScheduleStatus> status(String id) {
    return records(settings.channels().topics().status()).stream()
        .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(id))
        .reduce((before, latest) -> latest)
        .map(TestRecord::value)
        .map(RecordCodecs.status()::decode);
  }

  /** Every record written to a topic so far, unchanged. */
  public List<TestRecord<byte[], byte[]>> records(String topic) {
    return records(topic, 0);
  }

  /**
   * The records written to a topic so far, unchanged, without the first ones.
   *
   * @param from the number of those left out
   */
  public List<TestRecord<byte[], byte[]>> records(String topic, int from) {
    List<TestRecord<byte[], byte[]>> all = written(topic);
    return List.copyOf(all.subList(from, all.size()));
  }

  private List<TestRecord<byte[], byte[]>> written(String topic) {
    collect();
    return written.getOrDefault(topic, List.of());
  }

  /** The names of the topics. */
  public Topics topics() {
    return settings.channels().topics();
  }

  /**
   * The contents of a store, as a copy.
   *
   * @param name {@code schedules}, {@code progress} or {@code commands}
   */
  Map<Bytes, byte[]> store(String name) {
    Map<Bytes, byte[]> contents = new TreeMap<>();
    try (KeyValueIterator<Bytes, byte[]> all = liveStore(name).all()) {
      all.forEachRemaining(row -> contents.put(row.key, row.value));
    }
    return contents;
  }

  /** The store itself. */
  KeyValueStore<Bytes, byte[]> liveStore(String name) {
    return driver.getKeyValueStore(name);
  }

  @Override
  public void close() {
    driver.close();
  }

  private <T extends SpecificRecordBase> List<T> read(String topic, RecordCodec<T> codec) {
    return records(topic).stream()
        .filter(record -> record.value() != null)
        .map(record -> codec.decode(record.value()))
        .toList();
  }

  private Restartable restartable(Processor<byte[], byte[], byte[], Object> processor) {
    Restartable made = new Restartable(processor, settings.pace().tick());
    scheduler = Optional.of(made);
    return made;
  }

  /**
   * Reads the waiting records, and ticks: to start without records, to fill the queue, to decide.
   */
  private void begin() {
    deliver();
    tick();
    tick();
    tick();
  }

  private void deliver() {
    while (running && !waiting.isEmpty()) {
      Delivery next = waiting.remove();
      next.topic().pipeInput(next.record());
    }
  }

  /** Deletes a schedule so that compaction removes the tombstone before the scheduler reads it. */
  void deleteWithoutTrace(String id) {
    defined.remove(new ScheduleId(id));
  }

  private void note(String key, boolean isDefinition) {
    try {
      ScheduleId id = ScheduleId.parse(key);
      if (isDefinition) {
        defined.add(id);
      } else {
        defined.remove(id);
      }
    } catch (InvalidIdException e) {
      return; // the scheduler will say so
    }
  }

  private void tick() {
    if (running) {
      driver.advanceWallClockTime(settings.pace().tick());
    }
  }

  /** Copies the driver's output, so that tests can read it more than once. */
  private void collect() {
    for (String topic : driver.producedTopicNames()) {
      TestOutputTopic<byte[], byte[]> output =
          driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      written.computeIfAbsent(topic, t -> new ArrayList<>()).addAll(output.readRecordsToList());
    }
  }

  private ApplicationContext application() {
    return ApplicationContext.of(
        clock,
        ClockGuard.of(clock, () -> clockTrusted),
        id -> new Task(),
        partition -> CompletableFuture.completedFuture(Set.copyOf(defined)),
        reports);
  }

  /**
   * What the scheduler reports of its only task. Records put during an outage are delivered before
   * the first tick, so the gate need not wait.
   */
  private final class Task implements Gate, TaskReports {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void processed(String topic, long offset) {}

    @Override
    public Mark mark() {
      return () -> true;
    }

    @Override
    public void idleFor(Duration time) {
      idle = time.isNegative() ? Duration.ZERO : time;
    }

    @Override
    public Instant readThrough(Instant now) {
      return now;
    }

    @Override
    public boolean isBehind() {
      return false;
    }

    @Override
    public void assigned(TaskId id, TaskView view, Instant now) {
      task = Optional.of(view);
    }

    @Override
    public void ticked(TaskId id, Reading reading, Instant now) {}

    @Override
    public void revoked(TaskId id) {}
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "waterclock-harness");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    return properties;
  }
}

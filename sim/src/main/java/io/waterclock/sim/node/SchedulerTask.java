package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * One task: restores its stores from their changelogs, then gives the records of its inputs to the
 * real processor, by timestamp across the inputs. What it sends goes to the open transaction of its
 * node.
 */
final class SchedulerTask implements TaskInside {
  private static final List<String> STORES =
      List.of(ScheduleStore.NAME, ProgressStore.NAME, CommandStore.NAME);
  private static final int FETCH = 20;
  private static final int RESTORE = 2_000;
  private static final long RESTORE_AGAIN_MS = 100;

  private final TaskHost node;
  private final TaskEnvironment environment;
  private final int partition;
  private final Map<String, LoggedStore> stores = new LinkedHashMap<>();
  private final Map<String, Long> restored = new HashMap<>();
  private final Map<String, Long> restoreTo = new HashMap<>();
  private final Map<String, Place> changelogs = new HashMap<>();
  private final Map<Place, Long> positions = new LinkedHashMap<>();
  private final Map<Place, Long> beginnings = new LinkedHashMap<>();
  private final Map<Place, Long> consumed = new HashMap<>();
  private boolean hasConsumed;
  private final Map<Place, Deque<LogRecord>> buffers = new LinkedHashMap<>();
  private final TaskProcessorContext<byte[], Object> context = new TaskProcessorContext<>(this);
  private @Nullable Processor<byte[], byte[], byte[], Object> processor;
  private boolean commitRequested;
  private long idleUntilMs;

  SchedulerTask(TaskHost node, int partition, Optional<TaskState> disk) {
    this.node = node;
    this.environment = node.environment();
    this.partition = partition;
    for (String name : STORES) {
      Place changelog = new Place(TaskEnvironment.changelog(name), partition);
      changelogs.put(name, changelog);
      LoggedStore store =
          new LoggedStore(name, environment.fault(), (key, value) -> log(name, key, value));
      stores.put(name, store);
      disk.map(TaskState::stores)
          .map(all -> all.get(name))
          .ifPresent(rows -> rows.forEach(store::restore));
    }
    disk.map(TaskState::index).ifPresent(store(ScheduleStore.NAME).dueIndex()::become);
    Optional<TaskState> used = disk.filter(state -> isYoungEnough());
    if (disk.isPresent() && used.isEmpty()) {
      for (String name : STORES) {
        stores.put(
            name,
            new LoggedStore(name, environment.fault(), (key, value) -> log(name, key, value)));
      }
    }
    for (String name : STORES) {
      PartitionLog log = environment.broker().log(changelog(name));
      long from = used.map(state -> state.offsets().getOrDefault(name, 0L)).orElse(log.start());
      restored.put(name, from);
      restoreTo.put(name, log.highWatermark());
    }
    node.note(
        "task " + partition + (used.isPresent() ? " updates its state" : " restores from nothing"));
  }

  /** By the rule of the runtime, which reads the age from the position in the store. */
  private boolean isYoungEnough() {
    Optional<Instant> writtenAt =
        new ProgressStore(store(ProgressStore.NAME))
            .position()
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Duration longest = environment.fault().oldestState(environment.oldestState());
    return new StateAge(longest, clock()::latest).objection(writtenAt).isEmpty();
  }

  private Place changelog(String store) {
    return Optional.ofNullable(changelogs.get(store)).orElseThrow();
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public NodeClock clock() {
    return node.clock();
  }

  @Override
  public LoggedStore store(String name) {
    return Optional.ofNullable(stores.get(name)).orElseThrow();
  }

  @Override
  public long wallMs() {
    return clock().millis();
  }

  boolean isRunning() {
    return processor != null;
  }

  /** Restores some, and begins when all is restored; else it tries again a little later. */
  void restore() {
    idleUntilMs = environment.now().getAsLong() + RESTORE_AGAIN_MS;
    boolean isDone = true;
    for (String name : STORES) {
      long from = restored.getOrDefault(name, 0L);
      if (from < restoreTo.getOrDefault(name, 0L)) {
        PartitionLog log = environment.broker().log(changelog(name));
        PartitionLog.Fetched fetched = log.fetch(Math.max(from, log.start()), RESTORE);
        for (LogRecord record : fetched.records()) {
          if (environment.fault().restores(name, record)) {
            store(name).restore(Bytes.wrap(record.key()), record.value().orElse(null));
          }
        }
        restored.put(name, fetched.next());
        isDone &= fetched.next() >= restoreTo.getOrDefault(name, 0L);
      }
    }
    Group group = environment.broker().group(TaskEnvironment.GROUP);
    if (isDone
        && environment.inputs().stream()
            .noneMatch(topic -> group.isUnstable(new Place(topic, partition)))) {
      idleUntilMs = 0;
      begin();
    }
  }

  private void begin() {
    for (String topic : environment.inputs()) {
      Place place = new Place(topic, partition);
      long start = environment.broker().log(place).start();
      long from = environment.broker().group(TaskEnvironment.GROUP).offset(place).orElse(start);
      beginnings.put(place, Math.max(from, start));
      positions.put(place, Math.max(from, start));
      buffers.put(place, new ArrayDeque<>());
    }
    processor = node.processor(this::gate);
    processor.init(context);
    node.note("task " + partition + " runs");
  }

  private Gate gate() {
    return new InputGate(this, clock(), environment);
  }

  /** Fetches into the buffers that are not full. */
  boolean fetch(int most) {
    boolean fetched = false;
    for (Map.Entry<Place, Deque<LogRecord>> input : buffers.entrySet()) {
      long from = positions.getOrDefault(input.getKey(), 0L);
      PartitionLog log = environment.broker().log(input.getKey());
      if (input.getValue().size() < FETCH && log.lastStable() > from) {
        PartitionLog.Fetched found = log.fetch(Math.max(from, log.start()), most);
        for (LogRecord record : found.records()) {
          environment.fault().read(input.getKey(), record).ifPresent(input.getValue()::add);
        }
        positions.put(input.getKey(), found.next());
        if (found.records().isEmpty()) {
          consume(input.getKey(), found.next());
        }
        fetched = true;
      }
    }
    return fetched;
  }

  private boolean canFetch() {
    return positions.entrySet().stream()
        .anyMatch(at -> environment.broker().log(at.getKey()).lastStable() > at.getValue());
  }

  @Override
  public boolean isBehind() {
    return buffers.values().stream().anyMatch(buffer -> !buffer.isEmpty());
  }

  @Override
  public boolean isPast(Place place, long end) {
    return positions.getOrDefault(place, 0L) >= end
        && Optional.ofNullable(buffers.get(place)).map(Deque::isEmpty).orElse(true);
  }

  /** Processes the buffered record with the lowest timestamp. */
  boolean process() {
    Optional<Place> first = Optional.empty();
    long firstMs = Long.MAX_VALUE;
    for (Map.Entry<Place, Deque<LogRecord>> buffer : buffers.entrySet()) {
      LogRecord head = buffer.getValue().peek();
      if (head != null && head.timestampMs() < firstMs) {
        first = Optional.of(buffer.getKey());
        firstMs = head.timestampMs();
      }
    }
    if (first.isEmpty()) {
      return false;
    }
    Place place = first.get();
    LogRecord record = Optional.ofNullable(buffers.get(place)).orElseThrow().remove();
    context.at(Optional.of(new Metadata(place, record.offset())));
    running()
        .process(
            new Record<>(
                record.key(),
                record.value().orElse(null),
                record.timestampMs(),
                new RecordHeaders(record.headers())));
    context.at(Optional.empty());
    consume(place, record.offset() + 1);
    return true;
  }

  private void consume(Place place, long next) {
    consumed.put(place, next);
    hasConsumed = true;
  }

  private record Metadata(Place place, long offset) implements RecordMetadata {
    @Override
    public String topic() {
      return place.topic();
    }

    @Override
    public int partition() {
      return place.partition();
    }
  }

  void punctuate() {
    if (environment.fault().ticks(partition, environment.now().getAsLong())) {
      context.punctuate(wallMs());
    }
  }

  private Processor<byte[], byte[], byte[], Object> running() {
    return Optional.ofNullable(processor).orElseThrow();
  }

  @Override
  public void requestCommit() {
    commitRequested = true;
  }

  boolean wantsCommit() {
    return commitRequested;
  }

  @Override
  public void idleFor(Duration time) {
    idleUntilMs =
        environment.now().getAsLong() + Math.max(0, Math.min(time.toMillis(), 86_400_000L * 366));
  }

  /** When the task has something to do, in true time; now or earlier when it has it already. */
  long wakeMs() {
    return processor != null && (isBehind() || canFetch()) ? 0 : idleUntilMs;
  }

  /** Whether it has consumed anything since the last commit. */
  boolean hasConsumed() {
    return hasConsumed;
  }

  /** What a commit stores: all that it has consumed since it began, as in Kafka Streams. */
  Map<Place, Long> consumed() {
    return consumed;
  }

  /** Where it began to read. */
  Map<Place, Long> beginnings() {
    return beginnings;
  }

  void committed() {
    hasConsumed = false;
    commitRequested = false;
  }

  /** Closes the task; its stores are then its state on disk. */
  TaskState close() {
    Map<String, SortedMap<Bytes, byte[]>> copies = new HashMap<>();
    Map<String, Long> offsets = new HashMap<>();
    for (String name : STORES) {
      copies.put(name, store(name).copy());
      offsets.put(
          name,
          processor == null
              ? restored.getOrDefault(name, 0L)
              : environment.broker().log(changelog(name)).highWatermark());
    }
    closeDirty();
    return new TaskState(copies, store(ScheduleStore.NAME).dueIndex(), offsets);
  }

  void closeDirty() {
    if (processor != null) {
      processor.close();
      processor = null;
    }
  }

  private void log(String store, Bytes key, Optional<byte[]> value) {
    environment
        .fault()
        .log(store, key, value)
        .ifPresent(
            logged ->
                node.append(
                    changelog(store),
                    Message.of(key.get(), logged, environment.now().getAsLong())));
  }

  @Override
  public void send(Record<?, ?> record, String child) {
    Sink sink =
        Arrays.stream(Sink.values())
            .filter(each -> each.node().equals(child))
            .findFirst()
            .orElseThrow();
    int partitions = environment.settings().partitions();
    Object value = record.value();
    byte @Nullable [] bytes = value instanceof Addressed to ? to.value() : (byte[]) value;
    byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
    int to =
        value instanceof Addressed addressed
            ? Math.floorMod(addressed.partition(), partitions)
            : sink == Sink.FIRES
                ? firePartition(key, partitions)
                : HomePartition.of(key, partitions);
    Message message =
        new Message(key, bytes, new RecordHeaders(record.headers()), record.timestamp());
    environment
        .fault()
        .send(new Fault.Sent(sink, to, message, environment.now().getAsLong()))
        .forEach(
            sent ->
                node.append(
                    new Place(
                        sent.sink().topic(environment.settings().topics()),
                        sent.partition() % partitions),
                    sent.message()));
  }

  private static int firePartition(byte[] key, int partitions) {
    return new FirePartitioner()
        .partitions("", key, new byte[0], partitions)
        .orElseThrow()
        .iterator()
        .next();
  }
}

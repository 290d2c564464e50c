package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.DefinedSchedules;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import io.waterclock.topology.scheduler.guard.StallDetector;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.IndexedMemoryStore;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * One task of the scheduler, exactly once as Kafka Streams runs it: its records, its state and its
 * offsets are committed together, or not at all.
 */
final class SimulatedTask {
  private static final List<String> STORES =
      List.of(ScheduleStore.NAME, ProgressStore.NAME, CommandStore.NAME);

  /** Topics that the scheduler writes and reads. */
  private static final Set<Sink> INPUTS =
      Set.of(Sink.SCHEDULES, Sink.OUTCOMES, Sink.ORIGINS, Sink.STRAYS);

  private final SimulatedCluster cluster;
  private final int partition;
  private final List<String> inputs;
  private final List<SimulatedLog.Entry> open = new ArrayList<>();
  private final List<Committed.Written> openWritten = new ArrayList<>();
  private Map<String, Map<Bytes, byte[]>> committedStores = new HashMap<>();
  private Map<String, Long> committedPositions = new HashMap<>();
  private Map<String, Long> positions = new HashMap<>();
  private Map<String, KeyValueStore<Bytes, byte[]>> stores = new HashMap<>();

  /** As of the last commit, and of the one before it. */
  private MemoryDueIndex committedIndex = new MemoryDueIndex();

  private MemoryDueIndex earlierIndex = new MemoryDueIndex();
  private Map<Bytes, byte[]> earlierDefinitions = new HashMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private Optional<RecordMetadata> reading = Optional.empty();
  private Punctuator punctuator = timestamp -> {};
  private Sabotage sabotage = Sabotage.NONE;
  private boolean waitsForTransaction;
  private @Nullable SchedulerProcessor processor;

  SimulatedTask(SimulatedCluster cluster, int partition) {
    this.cluster = cluster;
    this.partition = partition;
    Topics topics = cluster.topics();
    this.inputs =
        List.of(topics.schedules(), topics.commands(), topics.strays(), topics.outcomes());
    begin();
  }

  /** Aborts the open transaction, and starts again from the committed state. */
  void crash() {
    open.forEach(entry -> entry.end(false));
    begin();
  }

  /**
   * As {@link #crash}, before the disk had the last commit: what it has of the index is older, and
   * the changelogs bring the rest.
   */
  void crashBeforeWriting() {
    restore(earlierIndex, earlierDefinitions);
    crash();
  }

  /** The schedules that a new task would find too late, by the index on the disk. */
  List<String> tooLate() {
    return IndexCheck.tooLate(committedStores(), committedIndex);
  }

  /** The task ends as it does in {@link #crash}, in one of the ways in which a disk may survive. */
  void crash(SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> crashBeforeWriting();
      case 1 -> {
        committedIndex = new MemoryDueIndex();
        crash();
      }
      default -> crash();
    }
  }

  /** The index on the disk. */
  MemoryDueIndex committedIndex() {
    return copy(committedIndex);
  }

  /** Restores the changes of definitions since an earlier commit over its index. */
  void restore(MemoryDueIndex index, Map<Bytes, byte[]> definitions) {
    IndexedMemoryStore disk = new IndexedMemoryStore(ScheduleStore.NAME);
    disk.dueIndex().become(index);
    committedStores
        .getOrDefault(ScheduleStore.NAME, Map.of())
        .forEach(
            (id, row) -> {
              if (!Arrays.equals(row, definitions.get(id))) {
                disk.restored(List.of(id.get()));
              }
            });
    committedIndex = disk.dueIndex();
  }

  private static MemoryDueIndex copy(MemoryDueIndex index) {
    MemoryDueIndex copy = new MemoryDueIndex();
    copy.become(index);
    return copy;
  }

  /** Changes what the task does at its edges, from now on. */
  void sabotage(Sabotage how) {
    sabotage = how;
  }

  /** Says whether its consumer waits for a transaction before it knows from where to read. */
  void waitForTransaction(boolean waits) {
    waitsForTransaction = waits;
  }

  /** Forgets how far it has read, as Kafka does after a long outage. */
  void readAgain() {
    committedPositions = new HashMap<>();
    crash();
  }

  /** Forgets everything. */
  void loseState() {
    committedStores = new HashMap<>();
    committedIndex = new MemoryDueIndex();
    readAgain();
  }

  private void begin() {
    if (processor != null) {
      processor.close();
    }
    open.clear();
    openWritten.clear();
    sent.clear();
    positions = new HashMap<>(committedPositions);
    stores = new HashMap<>();
    for (String name : STORES) {
      WatchedStore store = new WatchedStore(name);
      committedStores.getOrDefault(name, Map.of()).forEach(store::restore);
      stores.put(name, store);
    }
    index().become(committedIndex);
    processor = cluster.processor(gate());
    processor.init(context());
    if (index().stamp().isEmpty()) {
      earlierIndex = new MemoryDueIndex();
      committedIndex = new MemoryDueIndex(); // it was cleared, whatever becomes of the transaction
    }
  }

  /** Reads the next record of an input. */
  boolean read(String topic) {
    Optional<SimulatedLog.Entry> next = cluster.log(topic, partition).next(position(topic));
    if (next.isEmpty()) {
      return false;
    }
    SimulatedLog.Entry entry = next.get();
    positions.put(topic, entry.offset + 1);
    reading =
        Optional.of(
            new ProcessorRecordContext(
                entry.timestampMs, entry.offset, partition, topic, entry.headers));
    running().process(sabotage.reading(topic, entry.record(), cluster.nowMs()));
    carryOut();
    return true;
  }

  /** The timestamp of the next record of an input; empty at its end. */
  Optional<Instant> unread(String topic) {
    return cluster
        .log(topic, partition)
        .next(position(topic))
        .map(entry -> Instant.ofEpochMilli(entry.timestampMs));
  }

  List<String> inputs() {
    return inputs;
  }

  void tick() {
    reading = Optional.empty();
    punctuator.punctuate(cluster.nowMs());
    carryOut();
  }

  void commit() {
    commitRecords();
    commitOffsets();
    commitState();
  }

  /** Commits a part of a transaction, as no Kafka does. */
  void commitRecords() {
    open.forEach(entry -> entry.end(true));
    open.clear();
    openWritten.forEach(cluster.committed()::add);
    openWritten.clear();
  }

  /** Commits a part of a transaction, as no Kafka does. */
  void commitOffsets() {
    committedPositions = new HashMap<>(positions);
  }

  /** Commits a part of a transaction, as no Kafka does. */
  void commitState() {
    earlierIndex = committedIndex;
    earlierDefinitions = committedStores.getOrDefault(ScheduleStore.NAME, Map.of());
    committedIndex = copy(index());
    committedStores = new HashMap<>();
    stores.forEach((name, store) -> committedStores.put(name, contents(store)));
  }

  long committedPosition(String topic) {
    return committedPositions.getOrDefault(topic, 0L);
  }

  boolean hasOpen() {
    return !open.isEmpty();
  }

  /** The same for tasks that hold the same in their stores, and have read and sent the same. */
  String fingerprint() {
    Map<String, Object> all = new TreeMap<>();
    stores.forEach((name, store) -> all.put(name, hash(contents(store))));
    committedStores.forEach((name, rows) -> all.put("committed " + name, hash(rows)));
    all.put("positions", new TreeMap<>(positions));
    all.put("committed", new TreeMap<>(committedPositions));
    all.put("open", openWritten.stream().map(Committed.Written::toText).toList());
    return all.toString();
  }

  private static String hash(Map<Bytes, byte[]> rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach((key, value) -> text.append(key).append(Arrays.toString(value)));
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** What the stores held at the last commit, by the name of the store. */
  Map<String, Map<Bytes, byte[]>> committedStores() {
    Map<String, Map<Bytes, byte[]>> copy = new TreeMap<>();
    committedStores.forEach((name, contents) -> copy.put(name, new TreeMap<>(contents)));
    return copy;
  }

  /** The definition in force. */
  Optional<Schedule> definition(String id) {
    return new ScheduleStore(store(ScheduleStore.NAME))
        .get(ScheduleId.parse(id).utf8())
        .map(StoredSchedule::accepted)
        .map(accepted -> accepted.schedule());
  }

  /** A gate as the real one, whose thread beats when it reads and ticks. */
  private Gate gate() {
    StallDetector pulse =
        new StallDetector(this::nanos, () -> Instant.ofEpochMilli(cluster.nowMs()));
    FreshEnds ends = new FreshEnds(this::ends, this::nanos, pulse);
    return new Gate() {
      @Override
      public boolean isOpen() {
        return ends.areReached();
      }

      @Override
      public void processed(String topic, long offset) {
        pulse.beat();
      }

      @Override
      public Instant readThrough(Instant now) {
        return now.isBefore(cluster.readThrough()) ? now : cluster.readThrough();
      }

      @Override
      public boolean isBehind() {
        return false;
      }

      @Override
      public void idleFor(Duration time) {}

      @Override
      public Mark mark() {
        String schedules = cluster.topics().schedules();
        long end = cluster.log(schedules, partition).stableEnd();
        return () -> isRead(schedules, end);
      }
    };
  }

  private List<FreshEnds.End> ends() {
    return inputs.stream().map(this::end).toList();
  }

  private FreshEnds.End end(String topic) {
    long end = cluster.log(topic, partition).stableEnd();
    long learnedAtNanos = nanos();
    return new FreshEnds.End() {
      @Override
      public boolean isPassed() {
        return !waitsForTransaction && isRead(topic, end);
      }

      @Override
      public long learnedAtNanos() {
        return learnedAtNanos;
      }
    };
  }

  private long nanos() {
    return Duration.ofMillis(cluster.nowMs()).toNanos();
  }

  private boolean isRead(String topic, long end) {
    return cluster
        .log(topic, partition)
        .next(position(topic))
        .filter(entry -> entry.offset < end)
        .isEmpty();
  }

  private long position(String topic) {
    return positions.getOrDefault(topic, 0L);
  }

  private void carryOut() {
    for (Sent each : sent) {
      Record<byte[], ?> record = each.record();
      Optional<Addressed> addressed =
          Optional.ofNullable(record.value() instanceof Addressed to ? to : null);
      Optional<byte[]> value =
          addressed.isPresent()
              ? Optional.ofNullable(addressed.get().value())
              : Optional.ofNullable((byte[]) record.value());
      if (INPUTS.contains(each.sink())) {
        int to = addressed.map(Addressed::partition).orElseGet(() -> cluster.home(record.key()));
        append(each.sink().topic(cluster.topics()), to, record, value);
      } else if (each.sink() != Sink.DLQ) {
        openWritten.add(new Committed.Written(each.sink(), record.key(), value));
      }
    }
    sent.clear();
  }

  private void append(String topic, int to, Record<byte[], ?> record, Optional<byte[]> value) {
    open.add(
        cluster
            .log(topic, to)
            .append(record.key(), value, record.headers(), record.timestamp(), true));
  }

  private KeyValueStore<Bytes, byte[]> store(String name) {
    return Optional.ofNullable(stores.get(name)).orElseThrow();
  }

  MemoryDueIndex index() {
    return ((IndexedMemoryStore) store(ScheduleStore.NAME)).dueIndex();
  }

  private SchedulerProcessor running() {
    return Optional.ofNullable(processor).orElseThrow();
  }

  private static Map<Bytes, byte[]> contents(KeyValueStore<Bytes, byte[]> store) {
    Map<Bytes, byte[]> contents = new TreeMap<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        contents.put(next.key, next.value);
      }
    }
    return contents;
  }

  /** A record of the open transaction. */
  private record Sent(Sink sink, Record<byte[], ?> record) {}

  /** The part of Kafka Streams that a scheduler uses. */
  @SuppressWarnings("unchecked")
  private ProcessorContext<byte[], Object> context() {
    return (ProcessorContext<byte[], Object>)
        Proxy.newProxyInstance(
            SimulatedTask.class.getClassLoader(),
            new Class<?>[] {ProcessorContext.class},
            (context, method, arguments) ->
                switch (method.getName()) {
                  case "taskId" -> new TaskId(0, partition);
                  case "recordMetadata" -> reading;
                  case "getStateStore" -> store((String) arguments[0]);
                  case "forward" -> {
                    send((Record<byte[], ?>) arguments[0], (String) arguments[1]);
                    yield null;
                  }
                  case "schedule" -> {
                    punctuator = (Punctuator) arguments[2];
                    yield (Cancellable) () -> {};
                  }
                  case "commit" -> null; // the test commits
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void send(Record<byte[], ?> record, String node) {
    Sink sink =
        Arrays.stream(Sink.values())
            .filter(each -> each.node().equals(node))
            .findFirst()
            .orElseThrow();
    if (sabotage.sends(sink, record)) {
      sent.add(new Sent(sink, record));
    }
  }

  private final class WatchedStore extends IndexedMemoryStore {
    WatchedStore(String name) {
      super(name);
    }

    void restore(Bytes key, byte[] value) {
      super.put(key, value);
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
      if (sabotage.writes(name(), key, value == null)) {
        super.put(key, value);
      }
    }

    @Override
    public byte[] get(Bytes key) {
      sabotage.reads();
      return super.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
      if (from != null) { // else all, which only tests read
        sabotage.reads();
      }
      return super.range(from, to);
    }
  }

  /** As {@link DefinedSchedules} reads it. */
  static CompletableFuture<Set<ScheduleId>> survivors(SimulatedLog log) {
    return CompletableFuture.completedFuture(
        log.latest().values().stream()
            .filter(entry -> entry.value.isPresent())
            .map(entry -> ScheduleId.parse(entry.key))
            .collect(Collectors.toSet()));
  }
}

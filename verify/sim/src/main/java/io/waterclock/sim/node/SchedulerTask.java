package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;

/** A task of the scheduler, which restores its stores from their changelogs before it begins. */
final class SchedulerTask extends StreamTask {
  private static final List<String> STORES =
      List.of(ScheduleStore.NAME, ProgressStore.NAME, CommandStore.NAME);
  private static final int RESTORE = 2_000;
  private static final int SLOW_MS = 6_000;

  private final Function<Function<OtherPartitions, Gate>, Processor<byte[], byte[], byte[], Object>>
      processors;
  private final Consumer<TaskState> disk;
  private final Map<String, LoggedStore> stores = new LinkedHashMap<>();
  private final Map<String, Long> restored = new HashMap<>();
  private final Map<String, Long> restoreTo = new HashMap<>();
  private final Map<String, Place> changelogs = new HashMap<>();
  private final long restoredMs;

  /**
   * @param processors makes a processor with the gate of the task
   * @param found the state that is on the disk of its process
   * @param disk receives the state when the task is closed after a commit
   */
  SchedulerTask(
      StreamTask.Host thread,
      Function<Function<OtherPartitions, Gate>, Processor<byte[], byte[], byte[], Object>>
          processors,
      int partition,
      Optional<TaskState> found,
      Consumer<TaskState> disk) {
    super(thread, TaskEnvironment.GROUP, thread.environment().inputs(), partition);
    this.processors = processors;
    this.disk = disk;
    SplittableRandom random = new SplittableRandom(now() + partition);
    this.restoredMs =
        environment.restoresSlowly() && random.nextBoolean() ? now() + random.nextInt(SLOW_MS) : 0;
    for (String name : STORES) {
      Place changelog = new Place(TaskEnvironment.changelog(name), partition);
      changelogs.put(name, changelog);
      LoggedStore store =
          new LoggedStore(name, environment.fault(), (key, value) -> log(name, key, value));
      stores.put(name, store);
      found
          .map(TaskState::stores)
          .map(all -> all.get(name))
          .ifPresent(rows -> rows.forEach(store::restore));
    }
    found.map(TaskState::index).ifPresent(store(ScheduleStore.NAME).dueIndex()::become);
    Optional<TaskState> used = found.filter(state -> isYoungEnough());
    if (found.isPresent() && used.isEmpty()) {
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
    thread.note(
        "task " + partition + (used.isPresent() ? " updates its state" : " restores from nothing"));
  }

  /** By the rule of the runtime, which reads the age from the position in the store. */
  private boolean isYoungEnough() {
    Optional<Instant> writtenAt =
        new ProgressStore(store(ProgressStore.NAME))
            .position()
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Duration longest = environment.fault().at(Edge.OLDEST_STATE, environment.oldestState());
    return new StateAge(longest, clock()::latest).objection(writtenAt).isEmpty();
  }

  private Place changelog(String store) {
    return Optional.ofNullable(changelogs.get(store)).orElseThrow();
  }

  @Override
  public LoggedStore store(String name) {
    return Optional.ofNullable(stores.get(name)).orElseThrow();
  }

  @Override
  boolean restoreSome() {
    boolean isDone = now() >= restoredMs;
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
    return isDone;
  }

  @Override
  Processor<byte[], byte[], byte[], Object> newProcessor() {
    return processors.apply(this::gate);
  }

  @Override
  ToLongFunction<PartitionLog> reset() {
    return PartitionLog::start;
  }

  private Gate gate(OtherPartitions others) {
    return new SimulatedGate(this, clock(), environment, environment.inputs(), others);
  }

  @Override
  void punctuate() {
    if (environment.fault().keeps(Edge.TICK)) {
      super.punctuate();
    }
  }

  @Override
  void close() {
    Map<String, SortedMap<Bytes, byte[]>> copies = new HashMap<>();
    Map<String, Long> offsets = new HashMap<>();
    for (String name : STORES) {
      copies.put(name, store(name).copy());
      offsets.put(
          name,
          isRunning()
              ? environment.broker().log(changelog(name)).highWatermark()
              : restored.getOrDefault(name, 0L));
    }
    super.close();
    disk.accept(new TaskState(copies, store(ScheduleStore.NAME).dueIndex(), offsets));
  }

  private void log(String store, Bytes key, Optional<byte[]> value) {
    environment
        .fault()
        .log(store, key, value)
        .ifPresent(logged -> thread.append(changelog(store), Message.of(key.get(), logged, now())));
  }
}

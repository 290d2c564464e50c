package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.api.Processor;

/** A task of the scheduler, which restores its stores from their changelogs before it begins. */
final class SchedulerTask extends StreamTask {
  private static final List<String> STORES =
      List.of(ScheduleStore.NAME, ProgressStore.NAME, CommandStore.NAME);
  private static final int SLOW_MS = 6_000;

  private final Function<Function<OtherPartitions, Gate>, Processor<byte[], byte[], byte[], Object>>
      processors;
  private final Consumer<TaskState> disk;
  private final LoggedStores stores;
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
    LoggedStores onDisk = new LoggedStores(thread, partition, STORES);
    found.ifPresent(onDisk::take);
    boolean isUsed = found.isPresent() && isYoungEnough(onDisk);
    this.stores = isUsed ? onDisk : new LoggedStores(thread, partition, STORES);
    thread.note("task " + partition + (isUsed ? " updates its state" : " restores from nothing"));
  }

  /** By the rule of the runtime, which reads the age from the position in the store. */
  private boolean isYoungEnough(LoggedStores onDisk) {
    Optional<Instant> writtenAt =
        new ProgressStore(onDisk.get(ProgressStore.NAME))
            .position()
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Duration longest = environment.fault().at(Edge.OLDEST_STATE, environment.oldestState());
    return new StateAge(longest, clock()::latest).objection(writtenAt).isEmpty();
  }

  @Override
  public LoggedStore store(String name) {
    return stores.get(name);
  }

  @Override
  boolean restoreSome() {
    boolean isRestored = stores.restoreSome();
    return isRestored && now() >= restoredMs;
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
    TaskState state = stores.leave(isRunning());
    super.close();
    disk.accept(state);
  }
}

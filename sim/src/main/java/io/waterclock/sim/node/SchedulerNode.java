package io.waterclock.sim.node;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.broker.BrokerException;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.task.SchedulerTopology;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * A process with one stream thread of the scheduler, exactly once: its tasks share a transaction.
 * {@link #step} does the next part of the thread's loop; between two steps the process may be
 * stopped or killed, and other processes may act.
 */
public final class SchedulerNode {
  private final TaskHost host = new Host();

  private enum Phase {
    POLL,
    PROCESS,
    TICK,
    OFFSETS,
    END,
    AFTER
  }

  private static final long COMMIT_INTERVAL_MS = 1_000;

  private final String name;
  private final TaskEnvironment environment;
  private final Consumer<String> notes;
  private final Map<Integer, TaskState> disk = new HashMap<>();
  private int incarnations;
  private Optional<Life> life = Optional.empty();
  private boolean stopped;
  private OptionalLong continuesMs = OptionalLong.empty();
  private OptionalLong stopsForMs = OptionalLong.empty();
  private long aheadMs;

  /** What a process has in memory. */
  private final class Life {
    private final NodeClock clock = new NodeClock(environment.now(), environment.fault(), aheadMs);
    private final TreeMap<Integer, SchedulerTask> tasks = new TreeMap<>();
    private final Set<Integer> open = new HashSet<>();
    private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;
    private final Deque<Broker.Producer> producers = new ArrayDeque<>();
    private String member;
    private Group.Assignment assignment = new Group.Assignment(-1, Set.of());
    private Phase phase = Phase.POLL;
    private final List<Runnable> unsent = new ArrayList<>();
    private boolean mayCommit;
    private boolean wrote;
    private boolean failed;
    private long nextCommitMs;
    private Optional<Supplier<Gate>> initialising = Optional.empty();

    Life() {
      initialise();
      member = name + "-" + incarnations++;
      processors =
          SchedulerTopology.processors(
              environment.settings(), application(), new CalendarFeed(), clock::nanos);
      group().join(member, Set.of(), deadline());
    }

    /** Two producers, which take turns, as {@code TurnTakingProducer} of the runtime has it. */
    void initialise() {
      producers.clear();
      for (String id : List.of(name, name + "-second")) {
        producers.add(environment.broker().initialise(id, TaskEnvironment.TRANSACTION_MS));
      }
    }

    Broker.Producer producer() {
      return producers.getFirst();
    }

    /** The other producer has its turn once the transaction of this one is decided. */
    void commit() {
      if (environment.fault().decides()) {
        environment.broker().end(producer(), true);
      }
      producers.addLast(producers.removeFirst());
    }

    private ApplicationContext application() {
      return new ApplicationContext(
          clock,
          clock.guard(),
          task -> initialising.orElseThrow().get(),
          partition -> CompletableFuture.completedFuture(defined(partition)),
          new TaskReports() {
            @Override
            public void assigned(TaskId task, TaskView view, Instant now) {}

            @Override
            public void ticked(TaskId task, boolean gateOpen, Instant now) {
              if (gateOpen) {
                open.add(task.partition());
              } else {
                open.remove(task.partition());
              }
            }

            @Override
            public void revoked(TaskId task) {
              open.remove(task.partition());
            }
          },
          (topic, asOf) -> new TargetTopic.Present(1_000_000),
          RecordDeaths.none());
    }
  }

  /**
   * @param notes receives what the node does, for a trace that people read
   */
  public SchedulerNode(String name, TaskEnvironment environment, Consumer<String> notes) {
    this.name = name;
    this.environment = environment;
    this.notes = notes;
  }

  private Set<ScheduleId> defined(int partition) {
    Place place = new Place(environment.settings().topics().schedules(), partition);
    PartitionLog log = environment.broker().log(place);
    Map<String, Boolean> last = new HashMap<>();
    long from = log.start();
    while (from < log.lastStable()) {
      PartitionLog.Fetched fetched = log.fetch(from, 1_000);
      for (LogRecord record : fetched.records()) {
        last.put(record.keyText(), record.value().isPresent());
      }
      from = fetched.next();
    }
    Set<ScheduleId> defined = new HashSet<>();
    last.forEach(
        (id, isDefined) -> {
          if (isDefined) {
            defined.add(ScheduleId.parse(id));
          }
        });
    return defined;
  }

  private Group group() {
    return environment.broker().group(TaskEnvironment.GROUP);
  }

  private long now() {
    return environment.now().getAsLong();
  }

  private long deadline() {
    return now() + TaskEnvironment.SESSION_MS;
  }

  public String name() {
    return name;
  }

  private void note(String text) {
    notes.accept(name + " " + text);
  }

  /** This process, as its tasks see it. */
  private final class Host implements TaskHost {
    @Override
    public TaskEnvironment environment() {
      return environment;
    }

    @Override
    public NodeClock clock() {
      return life.orElseThrow().clock;
    }

    @Override
    public void note(String text) {
      SchedulerNode.this.note(text);
    }

    @Override
    public Processor<byte[], byte[], byte[], Object> processor(Supplier<Gate> gate) {
      Life alive = life.orElseThrow();
      alive.initialising = Optional.of(gate);
      return alive.processors.get();
    }

    @Override
    public void append(Place place, Message message) {
      Life alive = life.orElseThrow();
      alive.wrote = true;
      if (stopsForMs.isPresent()) {
        alive.unsent.add(() -> sendNow(alive, place, message));
      } else {
        sendNow(alive, place, message);
      }
    }
  }

  private void sendNow(Life alive, Place place, Message message) {
    if (alive.failed) {
      return;
    }
    try {
      if (environment.fault().isTransactional()) {
        environment.broker().append(alive.producer(), place, message);
      } else {
        environment.broker().append(place, message);
      }
    } catch (BrokerException e) {
      alive.failed = true;
    }
  }

  private static void sendAll(Life alive) {
    alive.unsent.forEach(Runnable::run);
    alive.unsent.clear();
  }

  public boolean isAlive() {
    return life.isPresent();
  }

  /** True while the process is stopped, as by SIGSTOP. */
  public boolean isStopped() {
    return stopped;
  }

  public boolean isRunning() {
    return life.isPresent() && !stopped;
  }

  /** The partitions whose tasks decide now, and may commit: none in a rebalance. */
  public Set<Integer> decides() {
    return isRunning()
            && life.orElseThrow().clock.isTrusted()
            && group().isSynced(life.orElseThrow().member)
        ? life.orElseThrow().open
        : Set.of();
  }

  /** The partitions whose tasks run. */
  public Set<Integer> reads() {
    Set<Integer> reads = new HashSet<>();
    if (isRunning()) {
      running(life.orElseThrow()).forEach(task -> reads.add(task.partition()));
    }
    return reads;
  }

  public void start() {
    if (life.isEmpty()) {
      note("starts");
      stopped = false;
      life = Optional.of(new Life());
    }
  }

  /** Ends the process without notice. Its dirty state is wiped at the next start. */
  public void kill() {
    life.ifPresent(
        alive -> {
          note("is killed in " + alive.phase);
          if (!environment.fault().wipes()) {
            alive.tasks.forEach((partition, task) -> disk.put(partition, task.close()));
          }
          alive.tasks.values().forEach(SchedulerTask::closeDirty);
        });
    life = Optional.empty();
    stopped = false;
    stopsForMs = OptionalLong.empty();
  }

  /** Ends the process in order: commits, and keeps its state on disk. */
  public void shutDown() {
    if (life.isEmpty() || stopped) {
      return;
    }
    stopsForMs = OptionalLong.empty();
    try {
      finishCommit();
      Life alive = life.orElseThrow();
      alive.tasks.forEach((partition, task) -> disk.put(partition, task.close()));
      note("shuts down");
    } catch (BrokerException e) {
      note("shuts down dirty: " + e.getMessage());
      life.orElseThrow().tasks.values().forEach(SchedulerTask::closeDirty);
    }
    life = Optional.empty();
  }

  public void stop() {
    if (isRunning()) {
      note("is stopped in " + life.orElseThrow().phase);
      stopped = true;
      continuesMs = OptionalLong.empty();
      stopsForMs = OptionalLong.empty();
    }
  }

  /** Stops the process in the middle of its loop, for a time. */
  public void stopInLoop(int steps, long forMs, SplittableRandom random) {
    for (int i = 0; i < steps && isRunning(); i++) {
      step(random);
    }
    stop();
    continuesMs = OptionalLong.of(now() + forMs);
  }

  /**
   * Stops the process, for longer than its session, when it next has written something and sent
   * nothing of it. What is sent within the session counts, however late.
   */
  public void stopUnsent(long forMs) {
    stopsForMs = OptionalLong.of(forMs);
  }

  /** Continues, unless the process is stopped for a time that has not ended. */
  public void resume() {
    stopsForMs = OptionalLong.empty();
    if (stopped && continuesMs.orElse(now()) <= now()) {
      note("continues");
      stopped = false;
    }
  }

  /** When it continues by itself, if it is stopped for a time. */
  public OptionalLong continuesMs() {
    return stopped ? continuesMs : OptionalLong.empty();
  }

  /** Sets the wall clock of the host. */
  public void setClock(long newAheadMs) {
    note("clock is " + newAheadMs + " ms ahead");
    aheadMs = newAheadMs;
    life.ifPresent(alive -> alive.clock.setAhead(newAheadMs));
  }

  public long aheadMs() {
    return aheadMs;
  }

  /** A copy of the state on disk. */
  public Map<Integer, TaskState> copyDisk() {
    return Map.copyOf(disk);
  }

  /** Puts a copy of the disk back; while the process does not run. */
  public void putBack(Map<Integer, TaskState> copy) {
    if (life.isEmpty()) {
      note("gets old state of " + copy.keySet());
      disk.clear();
      disk.putAll(copy);
    }
  }

  /** The world leaves out some time in which the process only ticked. */
  public void leaveOut(long ms) {
    if (isRunning()) {
      life.orElseThrow().clock.leaveOut(ms);
      group().heartbeat(life.orElseThrow().member, now() + ms + TaskEnvironment.SESSION_MS);
    }
  }

  /** When the process has something to do, in true time; now or earlier if it has it already. */
  public long wakeMs() {
    if (!isRunning()) {
      return Long.MAX_VALUE;
    }
    Life alive = life.orElseThrow();
    if (alive.phase != Phase.POLL || alive.wrote || alive.failed) {
      return now();
    }
    Group.Duty duty = group().heartbeat(alive.member, deadline());
    if (duty != Group.Duty.NOTHING) {
      return now();
    }
    long wake = Long.MAX_VALUE;
    for (SchedulerTask task : alive.tasks.values()) {
      wake = Math.min(wake, task.wakeMs());
      if (task.hasConsumed()) {
        wake = Math.min(wake, alive.nextCommitMs);
      }
    }
    return wake <= 0 || alive.clock.isTrusted() ? wake : Math.max(wake, alive.clock.trustableMs());
  }

  /** Does the next part of the thread's loop. */
  public void step(SplittableRandom random) {
    Life alive = life.orElseThrow();
    sendAll(alive);
    try {
      switch (alive.phase) {
        case POLL -> {
          poll(alive, random);
          alive.phase = Phase.PROCESS;
        }
        case PROCESS -> {
          process(alive, random);
          alive.phase = Phase.TICK;
        }
        case TICK -> {
          alive.clock.compare();
          running(alive).forEach(SchedulerTask::punctuate);
          alive.phase = mustCommit(alive) ? Phase.OFFSETS : Phase.POLL;
          if (!alive.unsent.isEmpty()) {
            long forMs = stopsForMs.orElseThrow();
            stop();
            continuesMs = OptionalLong.of(now() + forMs);
          }
        }
        case OFFSETS -> {
          sendOffsets(alive);
          alive.phase = Phase.END;
        }
        case END -> {
          alive.commit();
          alive.phase = Phase.AFTER;
        }
        case AFTER -> {
          committed(alive);
          alive.phase = Phase.POLL;
        }
      }
    } catch (BrokerException e) {
      lost(alive, String.valueOf(e.getMessage()));
    }
  }

  private static List<SchedulerTask> running(Life alive) {
    return alive.tasks.values().stream().filter(SchedulerTask::isRunning).toList();
  }

  private void poll(Life alive, SplittableRandom random) {
    alive.clock.compare();
    alive.clock.stallDetector().beat();
    switch (group().heartbeat(alive.member, deadline())) {
      case UNKNOWN -> {
        lost(alive, "the group has expelled it");
        return;
      }
      case JOIN -> group().join(alive.member, alive.tasks.keySet(), deadline());
      case SYNC -> assign(alive);
      case NOTHING -> {}
    }
    alive.mayCommit = group().isSynced(alive.member);
    for (SchedulerTask task : alive.tasks.values()) {
      if (task.isRunning()) {
        task.fetch(1 + random.nextInt(10));
      } else {
        task.restore();
      }
    }
  }

  private void assign(Life alive) {
    alive.assignment = group().sync(alive.member);
    if (alive.wrote || hasConsumed(alive)) {
      finishCommit();
    }
    Set<Integer> wanted = alive.assignment.partitions();
    Set<Integer> revoked = new HashSet<>(alive.tasks.keySet());
    revoked.removeAll(wanted);
    for (int partition : revoked) {
      SchedulerTask task = Optional.ofNullable(alive.tasks.remove(partition)).orElseThrow();
      disk.put(partition, task.close());
      note("gives up task " + partition);
    }
    for (int partition : wanted) {
      if (!alive.tasks.containsKey(partition)) {
        Optional<TaskState> state = Optional.ofNullable(disk.remove(partition));
        alive.tasks.put(partition, new SchedulerTask(host, partition, state));
      }
    }
    if (!revoked.isEmpty()) {
      group().join(alive.member, alive.tasks.keySet(), deadline());
    }
  }

  private void process(Life alive, SplittableRandom random) {
    List<SchedulerTask> tasks = running(alive);
    int left = tasks.isEmpty() ? 0 : 1 + random.nextInt(10);
    while (left-- > 0) {
      boolean processed = false;
      for (SchedulerTask task : tasks) {
        processed |= task.process();
      }
      if (!processed) {
        return;
      }
    }
  }

  /** By what the member knew when it last asked the group: it may have been expelled since. */
  private boolean mustCommit(Life alive) {
    if (!alive.mayCommit) {
      return false;
    }
    return (alive.wrote || hasConsumed(alive))
        && (now() >= alive.nextCommitMs
            || running(alive).stream().anyMatch(SchedulerTask::wantsCommit));
  }

  private static boolean hasConsumed(Life alive) {
    return running(alive).stream().anyMatch(SchedulerTask::hasConsumed);
  }

  private void sendOffsets(Life alive) {
    if (alive.failed) {
      // the epoch of the producer is checked by the brokers: this throws what its sends got
      environment.broker().end(alive.producer(), false);
    }
    Map<Place, Long> offsets = new HashMap<>();
    running(alive).forEach(task -> offsets.putAll(task.consumed()));
    if (offsets.isEmpty() && environment.fault().repeatsBeginnings()) {
      running(alive).forEach(task -> offsets.putAll(task.beginnings()));
    }
    Map<Place, Long> stored = environment.fault().offsets(offsets);
    if (environment.fault().isFenced() && environment.fault().isAtomic()) {
      environment
          .broker()
          .commitOffsets(
              alive.producer(), TaskEnvironment.GROUP, alive.assignment, alive.member, stored);
    } else {
      stored.forEach(group()::commit);
    }
  }

  private void committed(Life alive) {
    running(alive).forEach(SchedulerTask::committed);
    alive.wrote = false;
    alive.nextCommitMs = now() + COMMIT_INTERVAL_MS;
  }

  /** Goes through the rest of a commit at once. */
  private void finishCommit() {
    Life alive = life.orElseThrow();
    sendAll(alive);
    if (alive.phase != Phase.END && alive.phase != Phase.AFTER) {
      sendOffsets(alive);
    }
    if (alive.phase != Phase.AFTER) {
      alive.commit();
    }
    committed(alive);
    alive.phase = Phase.POLL;
  }

  /** All tasks are lost: another member may have them. The consumer leaves its group, and joins. */
  private void lost(Life alive, String why) {
    note("loses its tasks: " + why);
    group().leave(alive.member);
    alive.tasks.values().forEach(SchedulerTask::closeDirty);
    alive.tasks.clear();
    alive.initialise();
    alive.member = name + "-" + incarnations++;
    alive.assignment = new Group.Assignment(-1, Set.of());
    alive.unsent.clear();
    alive.wrote = false;
    alive.failed = false;
    alive.phase = Phase.POLL;
    group().join(alive.member, Set.of(), deadline());
  }
}

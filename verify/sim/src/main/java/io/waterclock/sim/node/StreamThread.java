package io.waterclock.sim.node;

import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.broker.BrokerException;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A stream thread of an application, exactly once: its tasks share a transaction. {@link #step}
 * does the next part of its loop; between two steps its process may be stopped or killed, and
 * others may act.
 */
final class StreamThread implements StreamTask.Host {
  private enum Phase {
    POLL,
    PROCESS,
    TICK,
    OFFSETS,
    END,
    AFTER
  }

  /** The process of a thread. */
  interface Host {
    void note(String text);

    NodeClock clock();

    /** A name for a consumer that joins its group for the first time. */
    String nextMember(String prefix);

    /** Whether the commit that now begins times out, and if so, whether the brokers get it. */
    Optional<Boolean> takeLostCommit();

    /** Whether what is written is not sent, as the process will be stopped before. */
    boolean stopsUnsent();

    /** Stops the process, which has written something and sent nothing of it. */
    void stopUnsentNow();
  }

  private final Host node;
  private final TaskEnvironment environment;
  private final Application application;
  private final Group group;
  private final TreeMap<Integer, StreamTask> tasks = new TreeMap<>();
  private final Deque<Broker.Producer> producers = new ArrayDeque<>();
  private final List<Runnable> unsent = new ArrayList<>();
  private String member;
  private Group.Assignment assignment = new Group.Assignment(-1, Set.of());
  private Phase phase = Phase.POLL;
  private boolean mayCommit;
  private boolean wrote;
  private boolean failed;
  private long nextCommitMs;

  StreamThread(Host node, TaskEnvironment environment, Application application) {
    this.node = node;
    this.environment = environment;
    this.application = application;
    this.group = environment.broker().group(application.group());
    initialise();
    member = node.nextMember(application.prefix());
    group.join(member, Set.of(), deadline());
  }

  private void initialise() {
    producers.clear();
    for (String id : application.producers()) {
      producers.add(environment.broker().initialise(id, TaskEnvironment.TRANSACTION_MS));
    }
  }

  private Broker.Producer producer() {
    return producers.getFirst();
  }

  /** The other producer has its turn once the transaction of this one is decided. */
  private void commit() {
    Optional<Boolean> lost = node.takeLostCommit();
    if (environment.fault().keeps(Edge.DECISION) && lost.orElse(true)) {
      environment.broker().end(producer(), true);
    }
    if (lost.isPresent()) {
      throw new BrokerException(
          BrokerException.Reason.TIMED_OUT,
          "the commit, " + (lost.get() ? "which the brokers got" : "which did not arrive"));
    }
    producers.addLast(producers.removeFirst());
  }

  private long now() {
    return environment.now().getAsLong();
  }

  private long deadline() {
    return now() + TaskEnvironment.SESSION_MS;
  }

  @Override
  public TaskEnvironment environment() {
    return environment;
  }

  @Override
  public NodeClock clock() {
    return node.clock();
  }

  @Override
  public void note(String text) {
    node.note(text);
  }

  @Override
  public void append(Place place, Message message) {
    wrote = true;
    if (node.stopsUnsent()) {
      unsent.add(() -> sendNow(place, message));
    } else {
      sendNow(place, message);
    }
  }

  private void sendNow(Place place, Message message) {
    if (failed) {
      return;
    }
    try {
      if (environment.fault().keeps(Edge.ATOMIC_RECORDS)) {
        environment.broker().append(producer(), place, message);
      } else {
        environment.broker().append(place, message);
      }
    } catch (BrokerException e) {
      failed = true;
    }
  }

  private void sendAll() {
    unsent.forEach(Runnable::run);
    unsent.clear();
  }

  /** The part of its loop that comes next, for people. */
  String phase() {
    return phase.toString();
  }

  /** Whether it may commit, as far as the brokers know. */
  boolean isSynced() {
    return group.isSynced(member);
  }

  /** The partitions whose tasks run. */
  Set<Integer> reads() {
    Set<Integer> reads = new HashSet<>();
    for (StreamTask task : tasks.values()) {
      if (task.isRunning()) {
        reads.add(task.partition());
      }
    }
    return reads;
  }

  /** Keeps the state of all tasks as it is. */
  void closeTasks() {
    tasks.values().forEach(StreamTask::close);
  }

  void closeDirty() {
    tasks.values().forEach(StreamTask::closeDirty);
  }

  /** Keeps its session alive over a time that the world leaves out. */
  void leaveOut(long ms) {
    group.heartbeat(member, now() + ms + TaskEnvironment.SESSION_MS);
  }

  /** When it has something to do, in true time; now or earlier if it has it already. */
  long wakeMs() {
    if (phase != Phase.POLL || wrote || failed) {
      return now();
    }
    Group.Duty duty = group.heartbeat(member, deadline());
    if (duty != Group.Duty.NOTHING) {
      return now();
    }
    long wake = Long.MAX_VALUE;
    for (StreamTask task : tasks.values()) {
      wake = Math.min(wake, task.wakeMs());
      if (task.hasConsumed()) {
        wake = Math.min(wake, nextCommitMs);
      }
    }
    return application.wakeMs(wake);
  }

  /** Does the next part of its loop. */
  void step(SplittableRandom random) {
    sendAll();
    try {
      switch (phase) {
        case POLL -> {
          poll(random);
          phase = Phase.PROCESS;
        }
        case PROCESS -> {
          process(random);
          phase = Phase.TICK;
        }
        case TICK -> {
          clock().compare();
          running().forEach(StreamTask::punctuate);
          phase = mustCommit() ? Phase.OFFSETS : Phase.POLL;
          if (!unsent.isEmpty()) {
            node.stopUnsentNow();
          }
        }
        case OFFSETS -> {
          sendOffsets();
          phase = Phase.END;
        }
        case END -> {
          commit();
          phase = Phase.AFTER;
        }
        case AFTER -> {
          committed();
          phase = Phase.POLL;
        }
      }
    } catch (BrokerException e) {
      if (e.reason() == BrokerException.Reason.TIMED_OUT) {
        reopen(String.valueOf(e.getMessage()));
      } else {
        lost(String.valueOf(e.getMessage()));
      }
    }
  }

  private List<StreamTask> running() {
    List<StreamTask> running = new ArrayList<>();
    for (StreamTask task : tasks.values()) {
      if (task.isRunning()) {
        running.add(task);
      }
    }
    return running;
  }

  private void poll(SplittableRandom random) {
    clock().compare();
    clock().stallDetector().beat();
    switch (group.heartbeat(member, deadline())) {
      case UNKNOWN -> {
        lost("the group has expelled it");
        return;
      }
      case JOIN -> group.join(member, tasks.keySet(), deadline());
      case SYNC -> assign();
      case NOTHING -> {}
    }
    mayCommit = isSynced();
    for (StreamTask task : tasks.values()) {
      if (task.isRunning()) {
        task.fetch(1 + random.nextInt(10));
      } else {
        task.restore();
      }
    }
  }

  private void assign() {
    assignment = group.sync(member);
    if (wrote || hasConsumed()) {
      finishCommit();
    }
    Set<Integer> wanted = assignment.partitions();
    Set<Integer> revoked = new HashSet<>(tasks.keySet());
    revoked.removeAll(wanted);
    for (int partition : revoked) {
      Optional.ofNullable(tasks.remove(partition)).orElseThrow().close();
      note("gives up task " + partition + " of " + application.group());
    }
    for (int partition : wanted) {
      tasks.computeIfAbsent(partition, it -> application.open(it, this));
    }
    if (!revoked.isEmpty()) {
      group.join(member, tasks.keySet(), deadline());
    }
  }

  private void process(SplittableRandom random) {
    List<StreamTask> all = running();
    int left = all.isEmpty() ? 0 : 1 + random.nextInt(10);
    while (left-- > 0) {
      boolean processed = false;
      for (StreamTask task : all) {
        processed |= task.process();
      }
      if (!processed) {
        return;
      }
    }
  }

  /** By what the member knew when it last asked the group: it may have been expelled since. */
  private boolean mustCommit() {
    if (!mayCommit) {
      return false;
    }
    return (wrote || hasConsumed())
        && (now() >= nextCommitMs || running().stream().anyMatch(StreamTask::wantsCommit));
  }

  private boolean hasConsumed() {
    return running().stream().anyMatch(StreamTask::hasConsumed);
  }

  private void sendOffsets() {
    if (failed) {
      // the epoch of the producer is checked by the brokers: this throws what its sends got
      environment.broker().end(producer(), false);
    }
    Map<Place, Long> offsets = new HashMap<>();
    running().forEach(task -> offsets.putAll(task.consumed()));
    if (offsets.isEmpty() && environment.fault().keeps(Edge.BEGINNINGS)) {
      running().forEach(task -> offsets.putAll(task.beginnings()));
    }
    Map<Place, Long> stored = environment.fault().at(Edge.OFFSETS, offsets);
    if (environment.fault().keeps(Edge.FENCE) && environment.fault().keeps(Edge.ATOMIC_OFFSETS)) {
      environment
          .broker()
          .commitOffsets(producer(), application.group(), assignment, member, stored);
    } else {
      stored.forEach(group::commit);
    }
  }

  private void committed() {
    running().forEach(StreamTask::committed);
    wrote = false;
    nextCommitMs = now() + application.commitIntervalMs();
  }

  /** Goes through the rest of a commit at once. */
  void finishCommit() {
    sendAll();
    if (phase != Phase.END && phase != Phase.AFTER) {
      sendOffsets();
    }
    if (phase != Phase.AFTER) {
      commit();
    }
    committed();
    phase = Phase.POLL;
  }

  /** All tasks are lost: another member may have them. The consumer leaves its group, and joins. */
  private void lost(String why) {
    note("loses its tasks of " + application.group() + ": " + why);
    group.leave(member);
    beginAnew();
    member = node.nextMember(application.prefix());
    assignment = new Group.Assignment(-1, Set.of());
    group.join(member, Set.of(), deadline());
  }

  /** Whether the commit took place is not known: the tasks begin again where the group is. */
  private void reopen(String why) {
    note("opens its tasks of " + application.group() + " again: " + why);
    Set<Integer> own = Set.copyOf(tasks.keySet());
    beginAnew();
    own.forEach(partition -> tasks.put(partition, application.open(partition, this)));
  }

  private void beginAnew() {
    closeDirty();
    tasks.clear();
    initialise();
    unsent.clear();
    wrote = false;
    failed = false;
    phase = Phase.POLL;
  }
}

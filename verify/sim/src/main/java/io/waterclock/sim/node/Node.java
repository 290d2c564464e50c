package io.waterclock.sim.node;

import io.waterclock.sim.broker.BrokerException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A process of the product: a stream thread of the scheduler and, if it has them, of the router, of
 * the intake and of the limiter. It may be stopped or killed between two steps of its threads.
 */
public final class Node implements StreamThread.Host {
  private final String name;
  private final TaskEnvironment environment;
  private final Beside beside;
  private final Consumer<String> notes;
  private final Map<Integer, TaskState> disk = new HashMap<>();
  private final Map<String, Integer> members = new HashMap<>();
  private Optional<Life> life = Optional.empty();
  private boolean stopped;
  private OptionalLong continuesMs = OptionalLong.empty();
  private OptionalLong stopsForMs = OptionalLong.empty();
  private long aheadMs;
  private Optional<Boolean> losesCommit = Optional.empty();

  /** The applications that run beside the scheduler. */
  public enum Beside {
    NOTHING,
    ROUTER,
    ROUTER_AND_INTAKE,
    ROUTER_AND_LIMITER
  }

  /** What a process has in memory. */
  private final class Life {
    private final NodeClock clock = new NodeClock(environment.now(), environment.fault(), aheadMs);
    private final SchedulerApplication application =
        new SchedulerApplication(environment, clock, name, disk);
    private final StreamThread scheduler;
    private final List<StreamThread> threads = new ArrayList<>();
    private Optional<SimulatedLimiter> limiter = Optional.empty();

    Life() {
      scheduler = new StreamThread(Node.this, environment, application);
      threads.add(scheduler);
      if (beside != Beside.NOTHING) {
        threads.add(
            new StreamThread(
                Node.this,
                environment,
                StatelessApplication.router(environment, clock, name + "-router")));
      }
      if (beside == Beside.ROUTER_AND_INTAKE) {
        threads.add(
            new StreamThread(
                Node.this,
                environment,
                StatelessApplication.intake(environment, clock, name + "-intake")));
      }
      if (beside == Beside.ROUTER_AND_LIMITER) {
        SimulatedLimiter made = new SimulatedLimiter(environment, clock, name + "-limiter");
        limiter = Optional.of(made);
        threads.add(new StreamThread(Node.this, environment, made));
      }
    }
  }

  /**
   * @param notes receives what the node does, for a trace that people read
   */
  public Node(String name, TaskEnvironment environment, Beside beside, Consumer<String> notes) {
    this.name = name;
    this.environment = environment;
    this.beside = beside;
    this.notes = notes;
  }

  private long now() {
    return environment.now().getAsLong();
  }

  @Override
  public void note(String text) {
    notes.accept(name + " " + text);
  }

  @Override
  public NodeClock clock() {
    return life.orElseThrow().clock;
  }

  @Override
  public String nextMember(String prefix) {
    return prefix + "-" + (members.merge(prefix, 1, Integer::sum) - 1);
  }

  @Override
  public Optional<Boolean> takeLostCommit() {
    Optional<Boolean> lost = losesCommit;
    losesCommit = Optional.empty();
    return lost;
  }

  @Override
  public boolean stopsUnsent() {
    return stopsForMs.isPresent();
  }

  @Override
  public void stopUnsentNow() {
    long forMs = stopsForMs.orElseThrow();
    stop();
    continuesMs = OptionalLong.of(now() + forMs);
  }

  public boolean isAlive() {
    return life.isPresent();
  }

  public boolean isRunning() {
    return life.isPresent() && !stopped;
  }

  /** The partitions whose tasks decide now, and may commit: none in a rebalance. */
  public Set<Integer> decides() {
    return life.filter(alive -> !stopped && alive.clock.isTrusted() && alive.scheduler.isSynced())
        .map(alive -> alive.application.open())
        .orElse(Set.of());
  }

  /** The partitions whose tasks run. */
  public Set<Integer> reads() {
    return life.filter(alive -> !stopped).map(alive -> alive.scheduler.reads()).orElse(Set.of());
  }

  /** The partitions whose fires a router takes on. */
  public Set<Integer> routes() {
    return life.filter(alive -> !stopped && beside != Beside.NOTHING)
        .map(alive -> alive.threads.get(1).reads())
        .orElse(Set.of());
  }

  /** The partitions whose fires that wait may start. */
  public Set<Integer> limits() {
    return life.filter(alive -> !stopped && alive.clock.isTrusted())
        .flatMap(alive -> alive.limiter)
        .map(SimulatedLimiter::open)
        .orElse(Set.of());
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
          note("is killed in " + phases(alive));
          if (!environment.fault().keeps(Edge.WIPE)) {
            alive.scheduler.closeTasks();
          }
          alive.threads.forEach(StreamThread::closeDirty);
        });
    life = Optional.empty();
    stopped = false;
    stopsForMs = OptionalLong.empty();
  }

  private static String phases(Life alive) {
    return String.join("/", alive.threads.stream().map(StreamThread::phase).toList());
  }

  /** Ends the process in order: commits, and keeps its state on disk. */
  public void shutDown() {
    if (life.isEmpty() || stopped) {
      return;
    }
    stopsForMs = OptionalLong.empty();
    for (StreamThread thread : life.orElseThrow().threads) {
      try {
        thread.finishCommit();
        thread.closeTasks();
        note("shuts down");
      } catch (BrokerException e) {
        note("shuts down dirty: " + e.getMessage());
        thread.closeDirty();
      }
    }
    life = Optional.empty();
  }

  public void stop() {
    if (isRunning()) {
      note("is stopped in " + phases(life.orElseThrow()));
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

  /**
   * The next commit of the process times out.
   *
   * @param arrives whether the brokers get the request, and only its response is lost
   */
  public void loseCommit(boolean arrives) {
    if (isRunning()) {
      losesCommit = Optional.of(arrives);
    }
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
      Life alive = life.orElseThrow();
      alive.clock.leaveOut(ms);
      alive.threads.forEach(thread -> thread.leaveOut(ms));
    }
  }

  /** When the process has something to do, in true time; now or earlier if it has it already. */
  public long wakeMs() {
    return isRunning()
        ? life.orElseThrow().threads.stream()
            .mapToLong(StreamThread::wakeMs)
            .min()
            .orElse(Long.MAX_VALUE)
        : Long.MAX_VALUE;
  }

  /** Does the next part of the loop of a thread that has something to do. */
  public void step(SplittableRandom random) {
    List<StreamThread> threads = life.orElseThrow().threads;
    if (threads.size() == 1) {
      threads.get(0).step(random);
      return;
    }
    List<StreamThread> busy = threads.stream().filter(it -> it.wakeMs() <= now()).toList();
    List<StreamThread> those = busy.isEmpty() ? threads : busy;
    those.get(random.nextInt(those.size())).step(random);
  }
}

package io.waterclock.sim.worker;

import io.waterclock.client.dedup.InMemoryDeduplicator;
import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.DropReason;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.RetryDecision;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Turn;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.rules.WorkerHeartbeat;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.sim.broker.BrokerException;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A process that runs fires, by the client's rules. A run takes a random time, and may fail. When a
 * partition is taken away its runs are cancelled; they end a little later, as a handler does that
 * heeds an interrupt.
 */
public final class WorkerNode {
  /** The group of the workers. */
  public static final String GROUP = "workers";

  private static final int THREADS = 3;
  private static final int CAPACITY = 10;
  private static final int CLAIMS = 1_000;
  private static final long COMMIT_INTERVAL_MS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration REBALANCE = Duration.ofSeconds(10);

  private final String name;
  private final TaskEnvironment environment;
  private final boolean strays;
  private final HandledLog log;
  private final Consumer<String> notes;
  private int members;
  private Optional<Life> life = Optional.empty();
  private boolean stopped;

  /** A fire that it has read, and its place. */
  private record Work(Place place, LogRecord record) {}

  /** An attempt that runs. */
  private record Attempt(BufferedFire<Work> work, long endsMs, boolean isFailing) {}

  /** A partition in hand. */
  private static final class Held {
    private final Place place;
    private final AssignedPartition source;
    private final Instant takenOverAt;
    private long position;

    Held(Place place, AssignedPartition source, Instant takenOverAt, long position) {
      this.place = place;
      this.source = source;
      this.takenOverAt = takenOverAt;
      this.position = position;
    }
  }

  /** What the process has in memory. */
  private final class Life {
    private final FireBuffer<Work> buffer =
        new FireBuffer<>(CAPACITY, Map.of(), Fire::getScheduleId);
    private final Turns<Work> turns;
    private final TreeMap<Integer, Held> held = new TreeMap<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private final SplittableRandom partitions;
    private String member = name + "-" + members++;
    private Group.Assignment assignment = new Group.Assignment(-1, Set.of());
    private long nextCommitMs;

    Life(SplittableRandom random) {
      partitions = random.split();
      turns =
          new Turns<>(
              buffer,
              new InMemoryDeduplicator(CLAIMS),
              schedule -> Optional.empty(),
              PATIENCE,
              random);
      group().join(member, Set.of(), deadline());
    }
  }

  /**
   * @param strays whether it writes a share of its reports to any partition, as a client does that
   *     hashes keys in another way
   * @param log receives what it does
   * @param notes receives what it does, for people
   */
  public WorkerNode(
      String name,
      TaskEnvironment environment,
      boolean strays,
      HandledLog log,
      Consumer<String> notes) {
    this.name = name;
    this.environment = environment;
    this.strays = strays;
    this.log = log;
    this.notes = notes;
  }

  private void note(String text) {
    notes.accept(name + " " + text);
  }

  private Group group() {
    return environment.broker().group(GROUP);
  }

  private long nowMs() {
    return environment.now().getAsLong();
  }

  private Instant now() {
    return Instant.ofEpochMilli(nowMs());
  }

  private long deadline() {
    return nowMs() + TaskEnvironment.SESSION_MS;
  }

  public void start(SplittableRandom random) {
    if (life.isEmpty()) {
      note("starts");
      stopped = false;
      life = Optional.of(new Life(random.split()));
    }
  }

  /** Ends the process without notice. */
  public void kill() {
    life.ifPresent(alive -> note("is killed with " + alive.attempts.size() + " runs"));
    life = Optional.empty();
    stopped = false;
  }

  public void stop() {
    if (life.isPresent() && !stopped) {
      note("is stopped");
      stopped = true;
    }
  }

  public void resume() {
    if (stopped) {
      note("continues");
      stopped = false;
    }
  }

  /** Keeps its session alive over a time that the world leaves out. */
  public void leaveOut(long ms) {
    if (!stopped) {
      life.ifPresent(
          alive -> group().heartbeat(alive.member, nowMs() + ms + TaskEnvironment.SESSION_MS));
    }
  }

  /** When it has something to do, in true time; now or earlier when it has it already. */
  public long wakeMs() {
    if (life.isEmpty() || stopped) {
      return Long.MAX_VALUE;
    }
    Life alive = life.get();
    if (group().heartbeat(alive.member, deadline()) != Group.Duty.NOTHING) {
      return nowMs();
    }
    long wake = alive.attempts.stream().mapToLong(Attempt::endsMs).min().orElse(Long.MAX_VALUE);
    wake = Math.min(wake, ms(alive.turns.nextAlarm()));
    if (alive.attempts.size() < THREADS) {
      wake = Math.min(wake, ms(alive.buffer.nextAttempt()));
      if (alive.buffer.ready() > 0) {
        return nowMs();
      }
    }
    for (Held in : alive.held.values()) {
      if (canFetch(in)) {
        return nowMs();
      }
      if (in.source.committable() != group().offset(in.place).orElse(-1L)) {
        wake = Math.min(wake, alive.nextCommitMs);
      }
    }
    return wake;
  }

  private static long ms(Optional<Instant> at) {
    return at.map(Instant::toEpochMilli).orElse(Long.MAX_VALUE);
  }

  private boolean canFetch(Held in) {
    return !in.source.isCrowded() && environment.broker().log(in.place).lastStable() > in.position;
  }

  /** Goes once through its loop. */
  public void step(SplittableRandom random) {
    Life alive = life.orElseThrow();
    Group.Duty duty = group().heartbeat(alive.member, deadline());
    switch (duty) {
      case UNKNOWN -> lose(alive, random);
      case JOIN -> group().join(alive.member, alive.held.keySet(), deadline());
      case SYNC -> assign(alive, random);
      case NOTHING -> {}
    }
    cancelOverdue(alive, random);
    endRuns(alive);
    alive.held.values().forEach(in -> fetch(alive, in, 1 + random.nextInt(5)));
    takeTurns(alive, random);
    if (duty == Group.Duty.NOTHING && nowMs() >= alive.nextCommitMs) {
      commit(alive, alive.held.values());
    }
  }

  private void assign(Life alive, SplittableRandom random) {
    alive.assignment = group().sync(alive.member);
    List<Held> revoked = new ArrayList<>();
    for (int partition : List.copyOf(alive.held.keySet())) {
      if (!alive.assignment.partitions().contains(partition)) {
        Held in = Optional.ofNullable(alive.held.remove(partition)).orElseThrow();
        close(alive, in, random);
        revoked.add(in);
      }
    }
    commit(alive, revoked);
    if (!revoked.isEmpty()) {
      note("hands back " + revoked.stream().map(in -> in.place).toList());
      group().join(alive.member, alive.held.keySet(), deadline());
    }
    for (int partition : alive.assignment.partitions()) {
      Place place = new Place(environment.settings().channels().topics().fires(), partition);
      if (!alive.held.containsKey(partition) && !group().isUnstable(place)) {
        alive.held.put(partition, takeOver(alive, place));
      }
    }
  }

  private Held takeOver(Life alive, Place place) {
    PartitionLog fires = environment.broker().log(place);
    List<WorkerHeartbeat> ofGroup = new ArrayList<>();
    for (int p = 0; p < environment.settings().channels().partitions(); p++) {
      heartbeat(new Place(place.topic(), p)).ifPresent(ofGroup::add);
    }
    long committed = group().offset(place).orElse(0L);
    long position = Math.max(committed, fires.start());
    log.expired(place, committed, position);
    Backlog backlog =
        Backlog.takenOver(heartbeat(place), ofGroup, REBALANCE, now(), fires.lastStable());
    note("takes over " + place + " at " + position);
    return new Held(place, alive.buffer.open(backlog, position), now(), position);
  }

  private Optional<WorkerHeartbeat> heartbeat(Place place) {
    return group().metadata(place).flatMap(WorkerHeartbeat::parse);
  }

  private void commit(Life alive, Iterable<Held> partitions) {
    for (Held in : partitions) {
      WorkerHeartbeat heartbeat =
          new WorkerHeartbeat(in.takenOverAt, now(), in.source.backlog().downtimes());
      long offset = environment.fault().at(Edge.WORKER_OFFSET, in.source.committable());
      try {
        group().commit(alive.member, alive.assignment, in.place, offset, heartbeat.text(""));
        log.committed(in.place, offset);
      } catch (BrokerException e) {
        note("commits nothing: " + e.getMessage());
      }
    }
    alive.nextCommitMs = nowMs() + COMMIT_INTERVAL_MS;
  }

  /** Its handlers heed the interrupt within the patience of the worker, or a little later. */
  private void close(Life alive, Held in, SplittableRandom random) {
    for (BufferedFire<Work> work : alive.turns.close(in.source)) {
      if (!work.isCancelled()) {
        alive.turns.cancel(work, now());
      }
      interrupt(alive, work, random);
    }
  }

  private void interrupt(Life alive, BufferedFire<Work> work, SplittableRandom random) {
    long endsMs = nowMs() + random.nextLong(PATIENCE.toMillis() * 3 / 2);
    alive.attempts.replaceAll(
        attempt ->
            attempt.work() == work && attempt.endsMs() > endsMs
                ? new Attempt(work, endsMs, true)
                : attempt);
  }

  private void lose(Life alive, SplittableRandom random) {
    note("loses its partitions: the group has expelled it");
    alive.held.values().forEach(in -> close(alive, in, random));
    alive.held.clear();
    alive.member = name + "-" + members++;
    alive.assignment = new Group.Assignment(-1, Set.of());
    group().join(alive.member, Set.of(), deadline());
  }

  private void cancelOverdue(Life alive, SplittableRandom random) {
    for (Turns.Overdue<Work> overdue : alive.turns.overdue(now())) {
      if (overdue.isAbandoned()) {
        alive.attempts.removeIf(attempt -> attempt.work() == overdue.work());
        failed(alive, overdue.work());
      } else {
        interrupt(alive, overdue.work(), random);
      }
    }
  }

  private void endRuns(Life alive) {
    for (Attempt attempt : List.copyOf(alive.attempts)) {
      if (attempt.endsMs() <= nowMs()) {
        alive.attempts.remove(attempt);
        if (attempt.isFailing()) {
          failed(alive, attempt.work());
        } else {
          succeeded(alive, attempt.work());
        }
      }
    }
  }

  private void succeeded(Life alive, BufferedFire<Work> work) {
    if (work.isEnded()) {
      return; // the worker has abandoned it
    }
    alive.turns.done(work);
    report(alive, work, OutcomeState.SUCCEEDED);
    settle(work);
  }

  private void failed(Life alive, BufferedFire<Work> work) {
    if (alive.turns.failed(work, false, now()).orElse(null) instanceof RetryDecision.Failed) {
      report(alive, work, OutcomeState.FAILED);
      settle(work);
    }
  }

  private void settle(BufferedFire<Work> work) {
    log.handled(work.attachment().place(), work.offset());
    work.mark().settle();
  }

  private void fetch(Life alive, Held in, int most) {
    if (!canFetch(in)) {
      return;
    }
    PartitionLog fires = environment.broker().log(in.place);
    long from = Math.max(in.position, fires.start());
    log.expired(in.place, in.position, from);
    PartitionLog.Fetched fetched = fires.fetch(from, most);
    for (LogRecord record : fetched.records()) {
      Fire fire = RecordCodecs.fire().decode(record.value().orElseThrow());
      BufferedFire<Work> work =
          new BufferedFire<>(
              in.source, record.offset(), fire, RunPolicy.of(fire), new Work(in.place, record));
      alive.buffer.add(work).ifPresent(drop -> drop(alive, drop));
    }
    in.position = fetched.next();
    alive.buffer.passed(in.source, in.position);
  }

  private void drop(Life alive, Turn.Drop<Work> drop) {
    BufferedFire<Work> work = drop.work();
    report(alive, work, OutcomeState.DROPPED);
    if (isByRule(work.fire(), drop.reason())) {
      log.handled(work.attachment().place(), work.offset());
    }
    work.mark().settle();
  }

  /** Whether a rule leaves the fire out; what has run before is handled already. */
  private static boolean isByRule(Fire fire, DropReason reason) {
    CatchUp catchUp = fire.getSchedule().getCatchUp();
    return fire.getCause() == Cause.SCHEDULED
        && ((reason == DropReason.SKIPPED && catchUp == CatchUp.SKIP)
            || (reason == DropReason.COLLAPSED && catchUp == CatchUp.COLLAPSE));
  }

  private void takeTurns(Life alive, SplittableRandom random) {
    while (alive.attempts.size() < THREADS) {
      Optional<Turn<Work>> turn = alive.turns.next(now());
      if (turn.isEmpty()) {
        return;
      }
      BufferedFire<Work> work = turn.get().work();
      if (turn.get() instanceof Turn.Run<Work>) {
        report(alive, work, OutcomeState.STARTED);
        alive.attempts.add(new Attempt(work, nowMs() + duration(random), random.nextInt(7) == 0));
      } else if (turn.get() instanceof Turn.Late<Work>) {
        failed(alive, work);
      } else if (turn.get() instanceof Turn.Drop<Work> drop) {
        alive.turns.done(work);
        drop(alive, drop);
      }
    }
  }

  private static long duration(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong(100_000);
      case 1, 2 -> random.nextLong(15_000);
      default -> random.nextLong(300);
    };
  }

  /** As the client reports it: for fires that ask for it. */
  private void report(Life alive, BufferedFire<Work> work, OutcomeState state) {
    Fire fire = work.fire();
    if (!fire.getWantsOutcome()) {
      return;
    }
    Outcome outcome =
        Outcome.newBuilder()
            .setFireId(fire.getFireId())
            .setFireKey(work.attachment().record().keyText())
            .setState(state)
            .setAttempt(Math.max(1, work.attempt()))
            .setStartedAt(state == OutcomeState.STARTED ? now() : null)
            .setBackfill(fire.getBackfill())
            .build();
    byte[] key = fire.getScheduleId().getBytes(StandardCharsets.UTF_8);
    environment
        .broker()
        .append(
            new Place(environment.settings().channels().topics().outcomes(), partition(alive, key)),
            Message.of(
                key,
                Optional.of(RecordCodecs.outcome().encode(outcome, WireFormat.AVRO)),
                nowMs()));
  }

  private int partition(Life alive, byte[] key) {
    int partitions = environment.settings().channels().partitions();
    return strays && alive.partitions.nextBoolean()
        ? alive.partitions.nextInt(partitions)
        : HomePartition.of(key, partitions);
  }
}

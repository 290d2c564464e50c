package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.admit.Admission;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.CommitPace;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The loop of one task, from its assignment until it is revoked: {@link #process} admits a record,
 * {@link #punctuate} decides what is due. Runs on the task's stream thread.
 */
final class TaskLoop {
  /** While the task does not decide yet, it looks so often whether it may. */
  private static final Duration LOOK = Duration.ofMillis(5);

  /** What a tick does, in this order from an assignment on; a stall leads back to reading. */
  private enum Phase {
    /** The queue learns what is due first. */
    LOADING,
    /** The input is read up to an end that is fresh. */
    READING,
    /** What topics have forgotten in a long outage is found in them. */
    RECONCILING,
    DECIDING
  }

  private final ProcessorContext<byte[], Object> context;
  private final InstantSource wall;
  private final TaskReports reports;
  private final Settings.Pace intervals;
  private final Duration tombstonesKept;
  private final Applier applier;
  private final OutgoingRecords records;
  private final TaskClock clock;
  private final Gate gate;
  private final Admission admission;
  private final QueueLoader loader;
  private final Reconcile reconcile;
  private final FollowedCalendars calendars;
  private final Tick tick;
  private final Watchdog watchdog;
  private final TaskProgress progress;
  private final TickBudget budget;
  private final CommitPace pace;
  private final Instant startedAt;
  private Duration interval = Duration.ZERO;
  private Cancellable punctuator = () -> {};
  private Instant nextWatermarkAt = Instant.EPOCH;
  private long watermarkWrittenMs;

  /**
   * When the partition was last decided, until a trusted clock shows how long ago that is. Until
   * then what is read waits, as far as there is room: the deletes of strays may be gone.
   */
  private Optional<Instant> outage;

  /** True when the last tick left hints that the next one can check. */
  private boolean watchesOn;

  /** When it last processed a record or ticked, by the wall clock. */
  private long awakeAtMs;

  TaskLoop(
      ProcessorContext<byte[], Object> context,
      TaskContext task,
      SharedByThread shared,
      CalendarFeed feed) {
    this.context = context;
    this.wall = task.application().clock();
    this.reports = task.application().reports();
    this.intervals = task.settings().pace();
    this.tombstonesKept = task.settings().retention().tombstones();
    this.applier = task.applier();
    this.records = task.encoder().records();
    this.budget = shared.budget().join(task.encoder().tables().effort());
    this.pace = shared.pace().join();
    this.clock = new TaskClock(task.application().guard());
    this.gate = task.application().brokers().gates().create(context.taskId());
    Optional<Instant> decidedAt =
        task.partition()
            .stores()
            .progress()
            .position()
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    decidedAt.ifPresent(clock::notBefore);
    this.startedAt = clock.now();
    this.awakeAtMs = wall.millis();
    this.watchdog = new Watchdog(task, budget);
    this.loader = new QueueLoader(task, budget, watchdog::hint, startedAt);
    this.reconcile = new Reconcile(task, budget, decidedAt);
    this.calendars = new FollowedCalendars(task, feed, budget, loader);
    this.admission = new Admission(task, gate, clock::nowFor, reconcile::admitted);
    this.outage = decidedAt;
    noteOutage(clock.read());
    this.tick = new Tick(task, budget, loader);
    this.progress = new TaskProgress(task, clock, admission, watchdog);
    task.partition().placement().onExhausted(watchdog::hint);
    reports.assigned(context.taskId(), progress, clock.now());
    tickEvery(intervals.tick());
  }

  /** Topics may have forgotten tombstones since the partition was last decided. */
  private void noteOutage(TaskClock.Time time) {
    if (time.isTrusted() && outage.isPresent()) {
      Instant through = clock.byBrokers().minus(tombstonesKept);
      if (through.isAfter(outage.get())) {
        calendars.tombstonesMayBeGone();
        admission.deletesMayBeGone(through);
      }
      outage = Optional.empty();
    }
  }

  void process(Record<byte[], byte[]> record) {
    Inbound inbound = Inbound.of(record, context.recordMetadata().orElseThrow());
    Instant now = clock.nowFor(inbound.timestamp());
    pace.beginRecord();
    calendars.follow(now);
    noteStall();
    admission.admit(inbound, now);
    progress.processed(inbound);
    gate.processed(inbound.topic(), inbound.offset());
  }

  /** What is read first after a stall may be older than what is still unread: it waits. */
  private void noteStall() {
    long wallMs = wall.millis();
    if (wallMs - awakeAtMs > Gate.STALL.toMillis()) {
      admission.reads(false);
    }
    awakeAtMs = wallMs;
  }

  void punctuate() {
    TaskClock.Time time = clock.read();
    Instant now = time.now();
    awakeAtMs = wall.millis();
    pace.beginTick();
    noteOutage(time);
    if (time.isTrusted()) {
      reconcile.skipIfShort(clock.byBrokers());
    }
    calendars.follow(now);
    admission.reads(gate.isOpen() && outage.isEmpty());
    admission.retry(clock.byBrokers());
    Phase phase = phase();
    Reading reading = reading(phase, now);
    progress.reads(reading);
    boolean decides = phase == Phase.DECIDING && calendars.settle(now) && time.isTrusted();
    if (decides) {
      decide(now, reading);
    } else if (phase != Phase.DECIDING) {
      prepare(time);
    }
    rest(now, decides);
    reports.ticked(context.taskId(), progress.reading(), wall.instant());
    pace.endTick();
  }

  private Phase phase() {
    if (!loader.isReady()) {
      return Phase.LOADING;
    }
    if (!gate.isOpen() || !admission.isSettled()) {
      return Phase.READING;
    }
    return reconcile.isDone() ? Phase.DECIDING : Phase.RECONCILING;
  }

  private Reading reading(Phase phase, Instant now) {
    return phase == Phase.DECIDING
        ? Reading.through(admission.admittedThrough(gate.readThrough(now)), now)
        : Reading.toTheEndFirst(now, gate.waitsFor());
  }

  private void decide(Instant now, Reading reading) {
    watchesOn = false;
    tick.run(now, reading.through().orElseThrow());
    if (tick.isDrained()) {
      loader.run(now);
      admission.forget(now);
    }
    // what is unread may define again what the watchdog would remove
    if (tick.isDrained() && loader.hasBegun() && reading.keepsUp()) {
      watchdog.run(reading.through().orElseThrow(), now);
      watchesOn = watchdog.hasWork();
    }
    if (isWatermarkDue(now)) {
      nextWatermarkAt = afterOnGrid(now, intervals.watermarkInterval());
      watermarkWrittenMs = awakeAtMs;
      applier.savePosition(now);
      admission.save();
      applier.apply(new Effect.Send(records.watermark(progress.nextWatermark(now), now)));
    }
  }

  /** Also while the partition's time stands still, as the wall clock is behind the last owner's. */
  private boolean isWatermarkDue(Instant now) {
    long sinceMs = Math.abs(awakeAtMs - watermarkWrittenMs);
    return !now.isBefore(nextWatermarkAt) || sinceMs >= intervals.watermarkInterval().toMillis();
  }

  /** Goes on with what comes before decisions, as far as a tick gets. */
  private void prepare(TaskClock.Time time) {
    Instant now = time.now();
    if (phase() == Phase.LOADING) {
      load(now);
    }
    if (phase() == Phase.RECONCILING && time.isTrusted()) {
      reconcile.run(now, clock.byBrokers());
    }
  }

  private void load(Instant now) {
    loader.prepare(now);
    if (!loader.isReady()) {
      return;
    }
    if (loader.builds()) {
      watchdog.readAll(startedAt, now);
    } else {
      watchdog.begin(now);
    }
  }

  /** Commits what is due for it, and says when to tick again. */
  private void rest(Instant now, boolean decides) {
    boolean isBehind = gate.isBehind();
    boolean mayCommit = pace.mayCommit(isBehind);
    boolean commits = mayCommit && applier.commit();
    if (commits) {
      pace.requested();
    }
    gate.idleFor(restTime(now, decides, !isBehind && mayCommit, commits));
    Duration least = decides ? Duration.ZERO : LOOK;
    tickEvery(longer(intervals.tick(), pace.isThreadBehind() ? pace.unhurried() : least));
  }

  private Duration restTime(Instant now, boolean decides, boolean isDone, boolean commits) {
    if (!decides) {
      return LOOK;
    }
    Duration idle = isDone && !watchesOn ? tick.idleTime(now) : Duration.ZERO;
    // it may be due by the end of the commit; a longer rest begins with a tick after that
    return commits && idle.compareTo(LOOK) > 0 ? Duration.ZERO : idle;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private void tickEvery(Duration wanted) {
    if (!wanted.equals(interval)) {
      punctuator.cancel();
      interval = wanted;
      punctuator =
          context.schedule(wanted, PunctuationType.WALL_CLOCK_TIME, timestamp -> punctuate());
    }
  }

  /** The next point of a grid that all partitions of a thread share: one commit serves them all. */
  private static Instant afterOnGrid(Instant now, Duration interval) {
    long ms = Math.max(1, interval.toMillis());
    return Instant.ofEpochMilli((now.toEpochMilli() / ms + 1) * ms);
  }

  void stop() {
    punctuator.cancel();
    admission.stop();
    budget.leave();
    pace.leave();
    reports.revoked(context.taskId());
  }
}

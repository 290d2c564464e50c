package io.waterclock.topology.scheduler.task;

import io.waterclock.occurrences.Tzdb;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.admit.AdmitCommand;
import io.waterclock.topology.scheduler.admit.AdmitDefinition;
import io.waterclock.topology.scheduler.admit.AdmitOutcome;
import io.waterclock.topology.scheduler.admit.AdmitRecord;
import io.waterclock.topology.scheduler.admit.AdmittedOffsets;
import io.waterclock.topology.scheduler.admit.AnswerSender;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.admit.DeadLetterSender;
import io.waterclock.topology.scheduler.admit.DefinitionReader;
import io.waterclock.topology.scheduler.admit.ForgetCommands;
import io.waterclock.topology.scheduler.admit.ForgetRemoved;
import io.waterclock.topology.scheduler.admit.HeldRecords;
import io.waterclock.topology.scheduler.admit.LastWrites;
import io.waterclock.topology.scheduler.admit.OwnerCounts;
import io.waterclock.topology.scheduler.admit.RecordGuard;
import io.waterclock.topology.scheduler.admit.Strays;
import io.waterclock.topology.scheduler.admit.StraysInTransit;
import io.waterclock.topology.scheduler.admit.WaitingCommands;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.MovingSchedules;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.ScheduleView;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.decide.Decider;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.model.Timetables;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of one partition: takes records in, ticks, walks, writes watermarks. All of it runs
 * on the task's stream thread. What is in memory is made anew at each {@code init}, which may come
 * more than once.
 */
final class SchedulerProcessor implements Processor<byte[], byte[], byte[], Object> {
  /**
   * How often at most it ticks while it takes in or waits for what must be taken in before it
   * decides. Kafka Streams takes in fewer records in a round that has ticked.
   */
  private static final Duration UNHURRIED = Duration.ofMillis(5);

  private final Settings settings;
  private final ApplicationContext surroundings;
  private final ThreadLocal<SharedByThread> shared;
  private final CalendarFeed calendarFeed;
  private @Nullable Work work;

  /**
   * @param shared one for all processors of an application
   * @param calendarFeed one for all processors of an application
   */
  SchedulerProcessor(
      Settings settings,
      ApplicationContext surroundings,
      ThreadLocal<SharedByThread> shared,
      CalendarFeed calendarFeed) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.shared = shared;
    this.calendarFeed = calendarFeed;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    close();
    work = new Work(context);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    working().process(record);
  }

  @Override
  public void close() {
    if (work != null) {
      work.stop();
      work = null;
    }
  }

  private Work working() {
    if (work == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return work;
  }

  /** Everything between one init and the next close. */
  private final class Work implements TaskView {
    private final ProcessorContext<byte[], Object> context;
    private final TaskId task;
    private final TaskClock clock;
    private final Gate gate;
    private final DueQueue queue = new DueQueue();
    private final CommandedLanes extra = new CommandedLanes();
    private final Counts counts = new Counts();
    private final Map<String, Long> offsets = new HashMap<>();
    private final OutgoingRecords records;
    private final Applier applier;
    private final AdmitCommand commands;
    private final HeldRecords parking;
    private final RecordGuard guard;
    private final AdmitRecord intake;
    private final Strays strays;
    private final AdmittedOffsets taken;
    private final StraysInTransit homeward = new StraysInTransit();
    private final ForgetCommands forget;
    private final ForgetRemoved forgetRemoved;
    private final Rebuild rebuild;
    private final Reconcile reconcile;
    private final FollowedCalendars calendars;
    private final Tick tick;
    private final Watchdog walk;
    private final States states;
    private final DecisionEncoder preparing;
    private final Timetables tables = new Timetables();
    private final TickBudget budget = shared.get().budget().join(tables.effort());
    private final CommitPace pace = shared.get().pace().join();
    private Duration interval = Duration.ZERO;
    private Cancellable punctuator = () -> {};
    private final Instant rebuildStartedAt;
    private Instant nextWatermarkAt = Instant.EPOCH;
    private Optional<Instant> decidedThrough;

    Work(ProcessorContext<byte[], Object> context) {
      this.context = context;
      this.task = context.taskId();
      this.clock = new TaskClock(surroundings.guard());
      this.gate = surroundings.gates().create(task);
      ScheduleStore schedules = new ScheduleStore(store(ScheduleStore.NAME));
      ProgressStore progress = new ProgressStore(store(ProgressStore.NAME));
      Optional<StoredPosition> stored = progress.position();
      Optional<Instant> decidedAt = stored.map(StoredPosition::clockMs).map(Instant::ofEpochMilli);
      decidedAt.ifPresent(clock::notBefore);
      this.decidedThrough = stored.map(at -> Instant.ofEpochMilli(at.position().throughMs()));

      this.rebuildStartedAt = clock.now();
      Decider decider = new Decider(tables, settings.completedRetention());
      this.states = new States(schedules, progress, tables);
      this.records = new OutgoingRecords(settings);
      CalendarStore versions = new CalendarStore(store(ProgressStore.NAME));
      MovingSchedules moving = new MovingSchedules();
      CommandStore executed = new CommandStore(store(CommandStore.NAME));
      StrayStore removed = new StrayStore(store(ProgressStore.NAME));
      HeldRecordStore parked = new HeldRecordStore(store(ProgressStore.NAME));
      this.applier =
          new Applier(
              context, schedules, progress, versions, moving, executed, removed, parked, queue,
              extra, decider, states, counts);
      AnswerSender answering = new AnswerSender(records, applier);
      DeadLetterSender deadLetters =
          new DeadLetterSender(settings, applier, records, answering, counts);
      this.guard = new RecordGuard(surroundings.deaths(), task.partition(), deadLetters);
      surroundings.deaths().assigned();
      this.preparing = new DecisionEncoder(decider, records);
      OwnerCounts owners =
          new OwnerCounts(settings.limits().owners(), settings.partitions(), schedules);
      applier.onChange(owners::changed);
      this.parking =
          new HeldRecords(
              parked,
              applier,
              settings.wire().schemas(),
              settings.topics().outcomes(),
              HeldRecords.MOST_RECORDS,
              HeldRecords.MOST_BYTES);
      AdmitDefinition accept =
          new AdmitDefinition(
              preparing,
              states,
              applier,
              records,
              new DefinitionReader(
                  settings,
                  records.fires(),
                  () -> tables.calendars().names(),
                  surroundings.targets()),
              owners,
              new LastWrites(removed),
              homeward,
              answering,
              deadLetters,
              counts);
      this.commands =
          new AdmitCommand(
              settings,
              preparing,
              states,
              executed,
              new WaitingCommands(
                  executed,
                  applier,
                  gate,
                  homeward,
                  settings.partitions(),
                  () -> removed.taken(settings.topics().strays()).isPresent(),
                  clock.now()),
              parking,
              guard,
              applier,
              records,
              counts);
      this.intake =
          new AdmitRecord(
              settings,
              task.partition(),
              parking,
              accept,
              commands,
              new AdmitOutcome(settings, preparing, states, applier, records, deadLetters, counts),
              deadLetters,
              guard,
              surroundings.deaths(),
              this::met);
      this.strays = new Strays(settings, removed, applier, records, deadLetters, intake);
      this.taken = new AdmittedOffsets(settings.topics().schedules(), removed, applier);
      Settings.Pace times = settings.pace();
      this.forget = new ForgetCommands(executed, applier, times.watchdogInterval());
      this.forgetRemoved =
          new ForgetRemoved(
              removed,
              applier,
              settings.removedRetention(),
              settings.tombstonesKept(),
              times.watchdogInterval(),
              ForgetRemoved.MANY,
              taken::save);
      this.rebuild =
          new Rebuild(budget, states, decider, preparing, applier, moving, counts, this::retry);
      this.calendars =
          new FollowedCalendars(
              calendarFeed,
              budget,
              tables,
              applier,
              moving,
              rebuild,
              records,
              decidedAt
                  .filter(at -> at.plus(settings.tombstonesKept()).isBefore(clock.now()))
                  .isPresent(),
              task.partition() == 0);
      this.reconcile =
          new Reconcile(
              surroundings.definedSchedules(),
              task.partition(),
              budget,
              states,
              preparing,
              applier,
              decidedAt,
              settings.tombstonesKept());
      this.walk =
          new Watchdog(
              times, budget, states, decider, preparing, applier, new OrphanSearch(queue), counts);
      this.tick = new Tick(times, budget, preparing, states, queue, extra, applier);
      applier.onExhausted(walk::hint);
      surroundings.reports().assigned(task, this, clock.now());
      tickEvery(times.tick());
    }

    private void tickEvery(Duration wanted) {
      if (!wanted.equals(interval)) {
        punctuator.cancel();
        interval = wanted;
        punctuator =
            context.schedule(wanted, PunctuationType.WALL_CLOCK_TIME, timestamp -> punctuate());
      }
    }

    void process(Record<byte[], byte[]> record) {
      Inbound inbound = Inbound.of(record, context.recordMetadata().orElseThrow());
      Instant now = clock.nowFor(inbound.timestamp());
      pace.awake();
      calendars.follow(now);
      guard.run(inbound, now, () -> take(inbound, now));
      offsets.put(inbound.topic(), inbound.offset() + 1);
      gate.processed(inbound.topic(), inbound.offset());
    }

    private boolean take(Inbound inbound, Instant now) {
      if (inbound.topic().equals(settings.topics().strays())) {
        strays.take(inbound, now);
      } else if (!isSchedule(inbound) || taken.takesFirst(inbound)) {
        takeIn(inbound, now);
      }
      return true;
    }

    private boolean isSchedule(Inbound inbound) {
      return inbound.topic().equals(settings.topics().schedules());
    }

    private void takeIn(Inbound inbound, Instant now) {
      if (strays.isStray(inbound)) {
        strays.send(inbound, now);
      } else {
        intake.take(inbound, now);
      }
    }

    private void retry(ScheduleId parked) {
      walk.hint(parked);
    }

    private void met(ScheduleId id, Instant now) {
      reconcile.met(id);
      commands.defined(id, now);
    }

    void punctuate() {
      TaskClock.Time time = clock.read();
      Instant now = time.now();
      pace.awake();
      calendars.follow(now);
      intake.run(now);
      commands.run(now);
      boolean isRead = gate.isOpen();
      boolean open = isRead && rebuild.isDone() && homeward.isSettled() && reconcile.isDone();
      if (!open) {
        prepare(time, isRead);
      }
      boolean decides = open && calendars.settle(now) && time.isTrusted();
      if (decides) {
        decide(now);
      }
      boolean behind = gate.isBehind();
      boolean mayCommit = pace.mayCommit(behind);
      boolean commits = mayCommit && applier.commit();
      if (commits) {
        pace.asked();
      }
      gate.idleFor(restTime(now, decides, !behind && mayCommit && !commits));
      Duration shortest = settings.pace().tick();
      boolean hurries = decides && !pace.isThreadBehind();
      tickEvery(hurries || shortest.compareTo(UNHURRIED) > 0 ? shortest : UNHURRIED);
      surroundings.reports().ticked(task, open, surroundings.clock().instant());
    }

    private Duration restTime(Instant now, boolean decides, boolean isDone) {
      if (!decides) {
        return UNHURRIED;
      }
      return isDone ? tick.idleTime(now) : Duration.ZERO;
    }

    private void prepare(TaskClock.Time time, boolean isRead) {
      Instant now = time.now();
      if (!rebuild.isDone()) {
        rebuild.run(now);
        if (rebuild.isDone()) {
          walk.rebuilt(rebuildStartedAt, now);
        }
      }
      if (rebuild.isDone() && isRead && time.isTrusted()) {
        reconcile.run(now);
      }
    }

    private void decide(Instant now) {
      tick.run(now);
      if (tick.isDrained()) {
        walk.run(now);
        forget.run(now);
        forgetRemoved.run(now);
      }
      if (!now.isBefore(nextWatermarkAt)) {
        nextWatermarkAt = afterOnGrid(now, settings.pace().watermarkInterval());
        decidedThrough = Optional.of(Instant.ofEpochMilli(throughMs()));
        applier.savePosition(now);
        taken.save();
        applier.send(records.watermark(watermark(now), now));
      }
    }

    /** On a grid that all partitions of a thread share: one commit serves them all. */
    private static Instant afterOnGrid(Instant now, Duration interval) {
      long ms = Math.max(1, interval.toMillis());
      return Instant.ofEpochMilli((now.toEpochMilli() / ms + 1) * ms);
    }

    /**
     * Inclusive, in milliseconds: up to when everything due is decided, but for what is held back.
     */
    private long throughMs() {
      long inStepMs = applier.position().throughMs();
      return Math.min(inStepMs, queue.earliestCatchUpMs().map(ms -> ms - 1).orElse(inStepMs));
    }

    @Override
    public Watermark watermark() {
      return watermark(clock.now());
    }

    private Watermark watermark(Instant now) {
      long throughMs = throughMs();
      Optional<Long> beforeHeldMs =
          applier.heldBack().earliest().map(since -> since.toEpochMilli() - 1);
      Watermark watermark =
          Watermark.newBuilder()
              .setPartition(task.partition())
              .setDecidedThrough(
                  Instant.ofEpochMilli(Math.min(throughMs, beforeHeldMs.orElse(throughMs))))
              .setWrittenAt(now)
              .setOffsets(Map.copyOf(offsets))
              .setInstance(settings.instance())
              .setTzdb(Tzdb.version())
              .setLive(queue.liveSize())
              .setCatchingUp(queue.catchUpSize())
              .setFired(counts.fired())
              .setMissed(counts.missed())
              .setWalked(counts.checked())
              .setRepaired(counts.repaired())
              .setFaulted(counts.schedules(State.FAULTED))
              .setRejected(counts.rejected())
              .setTopicId(settings.topicId().orElse(null))
              .build();
      settings.address().ifPresent(watermark::setAddress);
      walk.progress().ifPresent(watermark::setWalk);
      return watermark;
    }

    @Override
    public Optional<ScheduleView> schedule(ScheduleId id) {
      return states.load(id, applier.position()).map(this::standing);
    }

    private ScheduleView standing(ScheduleState state) {
      Optional<Occurrence> next = preparing.next(state);
      Optional<DueQueue.Entry> entry = queue.find(state.id().utf8());
      return new ScheduleView(
          state,
          OutgoingRecords.statusOf(state, clock.now()),
          next,
          !applier.hasOwnProgress(state.id()),
          entry.map(queued -> queued.isLive() ? Lane.LIVE : Lane.CATCH_UP),
          entry.map(queued -> Instant.ofEpochMilli(queued.dueMs())));
    }

    @Override
    public Instant requestPass() {
      return walk.hurry(clock.now());
    }

    @Override
    public Counts counts() {
      return counts;
    }

    @Override
    public long backlog(Lane lane, Instant now) {
      return switch (lane) {
        case LIVE -> queue.liveDue(now.toEpochMilli());
        case MANUAL -> extra.manualSize();
        case CATCH_UP -> queue.catchUpSize();
        case BACKFILL -> extra.backfillsSize();
        case HELD -> applier.heldBack().size();
      };
    }

    @Override
    public long heldRecords() {
      return parking.size();
    }

    @Override
    public Optional<Instant> decidedThrough() {
      return decidedThrough;
    }

    void stop() {
      punctuator.cancel();
      budget.leave();
      pace.leave();
      surroundings.reports().revoked(task);
    }

    private KeyValueStore<Bytes, byte[]> store(String name) {
      KeyValueStore<Bytes, byte[]> store = context.getStateStore(name);
      return store;
    }
  }
}

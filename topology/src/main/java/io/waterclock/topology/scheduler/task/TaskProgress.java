package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.admit.Admission;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.ScheduleView;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The progress of a task, for its watermarks, metrics and queries. */
final class TaskProgress implements TaskView {
  private final PartitionState partition;
  private final Placement placement;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final CommandedLanes commanded;
  private final Settings.Identity identity;
  private final TaskClock clock;
  private final Admission admission;
  private final Watchdog watchdog;
  private final DueQueue queue;
  private final Map<String, Long> offsets = new HashMap<>();
  private Optional<Instant> decidedThrough;
  private Reading reading;

  TaskProgress(TaskContext task, TaskClock clock, Admission admission, Watchdog watchdog) {
    this.partition = task.partition();
    this.placement = task.partition().placement();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.commanded = task.partition().placement().queues().commanded();
    this.identity = task.settings().identity();
    this.clock = clock;
    this.admission = admission;
    this.watchdog = watchdog;
    this.queue = task.partition().placement().queues().due();
    this.reading = Reading.toTheEndFirst(clock.now());
    Optional<StoredPosition> stored = task.partition().stores().progress().position();
    this.decidedThrough = stored.map(at -> Instant.ofEpochMilli(at.position().throughMs()));
  }

  void processed(Inbound inbound) {
    offsets.put(inbound.topic(), inbound.offset() + 1);
  }

  /** Notes how far the inputs are read. */
  void reads(Reading latest) {
    reading = latest;
  }

  Reading reading() {
    return reading;
  }

  Watermark nextWatermark(Instant now) {
    decidedThrough = Optional.of(Instant.ofEpochMilli(throughMs()));
    return watermark(now);
  }

  /**
   * Inclusive, in milliseconds: up to when everything due is decided, except occurrences that wait
   * for the end of a run.
   */
  private long throughMs() {
    long inStepMs = placement.position().throughMs();
    return Math.min(inStepMs, queue.earliestCatchUpMs().map(ms -> ms - 1).orElse(inStepMs));
  }

  @Override
  public Watermark watermark() {
    return watermark(clock.now());
  }

  private Watermark watermark(Instant now) {
    long throughMs = throughMs();
    Optional<Long> beforeHeldMs =
        placement.heldBack().earliest().map(since -> since.toEpochMilli() - 1);
    Watermark watermark =
        Watermark.newBuilder()
            .setPartition(partition.number())
            .setDecidedThrough(
                Instant.ofEpochMilli(Math.min(throughMs, beforeHeldMs.orElse(throughMs))))
            .setWrittenAt(now)
            .setReadThrough(reading.through().orElse(null))
            .setOffsets(Map.copyOf(offsets))
            .setInstance(identity.instance())
            .setTzdb(Tzdb.version())
            .setLive(queue.liveSize())
            .setCatchingUp(queue.catchUpSize())
            .setFired(counts.fired())
            .setMissed(counts.missed())
            .setWalked(counts.checked())
            .setRepaired(counts.repaired())
            .setFaulted(counts.schedules(State.FAULTED))
            .setFailing(counts.failing().values().stream().mapToLong(Long::longValue).sum())
            .setRejected(counts.rejected())
            .setTopicId(identity.topicId().orElse(null))
            .build();
    identity.address().ifPresent(watermark::setAddress);
    watchdog.progress().ifPresent(watermark::setWalk);
    return watermark;
  }

  @Override
  public Optional<ScheduleView> schedule(ScheduleId id) {
    return partition.load(id).map(this::view);
  }

  private ScheduleView view(ScheduleState state) {
    Optional<Pending> pending = encoder.pending(state);
    Optional<DueQueue.Entry> entry = queue.find(state.id().utf8());
    boolean waits =
        entry.isEmpty()
            && pending.filter(at -> placement.isQueuedInStep(state.id(), at)).isPresent();
    return new ScheduleView(
        state,
        OutgoingRecords.statusOf(state, clock.now()),
        pending.flatMap(Pending::next),
        pending.flatMap(Pending::deadline),
        !placement.hasOwnProgress(state.id()),
        waits
            ? Optional.of(Lane.LIVE)
            : entry.map(queued -> queued.isLive() ? Lane.LIVE : Lane.CATCH_UP),
        waits
            ? pending.map(Pending::due)
            : entry.map(queued -> Instant.ofEpochMilli(queued.dueMs())));
  }

  @Override
  public Instant requestPass() {
    return watchdog.hurry(clock.now());
  }

  @Override
  public Counts counts() {
    return counts;
  }

  @Override
  public long backlog(Lane lane, Instant now) {
    return switch (lane) {
      case LIVE -> queue.liveDue(now.toEpochMilli());
      case MANUAL -> commanded.manualSize();
      case CATCH_UP -> queue.catchUpSize();
      case BACKFILL -> commanded.backfillsSize();
      case HELD -> placement.heldBack().size();
    };
  }

  @Override
  public Optional<Instant> checkedSince() {
    return watchdog
        .progress()
        .map(pass -> pass.getEndedAt() == null ? pass.getPreviousStartedAt() : pass.getStartedAt());
  }

  @Override
  public long heldRecords() {
    return admission.held();
  }

  @Override
  public Optional<Instant> decidedThrough() {
    return decidedThrough;
  }
}

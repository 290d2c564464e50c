package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire in a worker's hands. Guarded by whoever guards its {@link FireBuffer}; what is final may
 * be read by anybody, and so may the attempt and the times while it runs, by the thread that runs
 * it.
 *
 * @param <A> what the fire is carried with
 */
public final class BufferedFire<A> extends UnfinishedRecord {
  private final IncomingFire<A> incoming;
  private final long sequence;
  private Optional<Collapsed> collapsed;
  private int attempt;
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> deadline = Optional.empty();
  private Optional<Instant> alarm = Optional.empty();
  private boolean cancelled;
  private boolean ended;

  BufferedFire(IncomingFire<A> incoming, long sequence) {
    super(incoming.offset());
    this.incoming = incoming;
    this.sequence = sequence;
    this.collapsed = Optional.ofNullable(incoming.fire().getCollapsed());
  }

  public AssignedPartition<A> source() {
    return incoming.source();
  }

  public Fire fire() {
    return incoming.fire();
  }

  public RunPolicy policy() {
    return incoming.policy();
  }

  public A attachment() {
    return incoming.attachment();
  }

  /** The other occurrences for which this one runs, by the scheduler's doing and the worker's. */
  public Optional<Collapsed> collapsed() {
    return collapsed;
  }

  /** 0 before the first one; then from 1. */
  public int attempt() {
    return attempt;
  }

  /** When the first attempt started. */
  public Optional<Instant> startedAt() {
    return startedAt;
  }

  /** The end of the time box, exclusive. */
  public Optional<Instant> deadline() {
    return deadline;
  }

  /** True once its time box or its worker's patience is over. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** True once its lane went on without it. */
  public boolean isEnded() {
    return ended;
  }

  String scheduleId() {
    return fire().getScheduleId();
  }

  int priority() {
    return fire().getSchedule().getPriority();
  }

  Optional<String> queueName() {
    return Optional.ofNullable(fire().getSchedule().getQueue());
  }

  long sequence() {
    return sequence;
  }

  Optional<Instant> alarm() {
    return alarm;
  }

  void alarmAt(Optional<Instant> at) {
    alarm = at;
  }

  /** Stands for an older fire of its schedule too. */
  void standFor(BufferedFire<A> older) {
    Collapsed before = older.asCollapsed();
    Optional<Collapsed> own = collapsed;
    collapsed =
        Optional.of(
            new Collapsed(
                before.getCount() + 1 + own.map(Collapsed::getCount).orElse(0L),
                before.getCountIsLowerBound()
                    || own.map(Collapsed::getCountIsLowerBound).orElse(false),
                own.map(Collapsed::getFirst)
                    .filter(first -> first.isBefore(before.getFirst()))
                    .orElse(before.getFirst())));
  }

  private Collapsed asCollapsed() {
    return collapsed.orElse(new Collapsed(0L, false, fire().getOccurrence()));
  }

  void start(Instant now, Optional<Instant> endOfTimeBox) {
    startedAt = Optional.of(now);
    deadline = endOfTimeBox;
  }

  void nextAttempt() {
    attempt++;
  }

  void cancel() {
    cancelled = true;
  }

  void end() {
    ended = true;
  }
}

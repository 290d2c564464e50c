package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A fire that a worker holds. The lock of its {@link FireBuffer} guards it. Any thread may read
 * final fields, and the thread that runs the fire may read the attempt and the times meanwhile.
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public final class BufferedFire<A> {
  /** What a fire takes beside its payload and the names and values of its headers. */
  private static final int SMALL_PARTS = 1024;

  private final UnfinishedRecord mark;
  private final int bytes;
  private final AssignedPartition source;
  private final Fire fire;
  private final RunPolicy policy;
  private final PastAttempts past;
  private final A attachment;
  private long sequence;
  private String lane = "";
  private Optional<Collapsed> collapsed;
  private int attempt;
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> deadline = Optional.empty();
  private Optional<Instant> alarm = Optional.empty();
  private boolean cancelled;
  private boolean ended;

  /** A fire that the worker has just read, and that comes for the first time. */
  public BufferedFire(
      AssignedPartition source, long offset, Fire fire, RunPolicy policy, A attachment) {
    this(source, offset, fire, policy, PastAttempts.NONE, attachment);
  }

  /**
   * A fire that the worker has just read.
   *
   * @param offset the offset of its record in the partition
   * @param attachment an object of the worker that stays with the fire until it is finished
   */
  public BufferedFire(
      AssignedPartition source,
      long offset,
      Fire fire,
      RunPolicy policy,
      PastAttempts past,
      A attachment) {
    this.mark = new UnfinishedRecord(offset);
    this.bytes = bytes(fire);
    this.source = source;
    this.fire = fire;
    this.policy = policy;
    this.past = past;
    this.attachment = attachment;
    this.collapsed = Optional.ofNullable(fire.getCollapsed());
  }

  public AssignedPartition source() {
    return source;
  }

  /** Its place in the partition, which outlives the fire until all before it are finished. */
  public UnfinishedRecord mark() {
    return mark;
  }

  /** The offset of its record in the partition. */
  public long offset() {
    return mark.offset();
  }

  /** About how many bytes its record takes. */
  int bytes() {
    return bytes;
  }

  private static int bytes(Fire fire) {
    Schedule schedule = fire.getSchedule();
    int bytes = SMALL_PARTS;
    if (schedule.getPayload() != null) {
      bytes += schedule.getPayload().remaining();
    }
    for (Map.Entry<String, String> header : schedule.getHeaders().entrySet()) {
      bytes += header.getKey().length() + header.getValue().length();
    }
    return bytes;
  }

  public Fire fire() {
    return fire;
  }

  public RunPolicy policy() {
    return policy;
  }

  public A attachment() {
    return attachment;
  }

  /**
   * The other occurrences that this fire stands for, collapsed by the scheduler or by the worker.
   */
  public Optional<Collapsed> collapsed() {
    return collapsed;
  }

  /** What the group has done about it before. */
  public PastAttempts past() {
    return past;
  }

  /**
   * The number of the current attempt, from 1, counted over all runs of the fire; before the first
   * attempt of a run, the number of the last one.
   */
  public int attempt() {
    return past.attempts() + attempt;
  }

  /** The same within this run: 0 before the first one. */
  int attemptOfRun() {
    return attempt;
  }

  /** When the first attempt started. */
  public Optional<Instant> startedAt() {
    return startedAt;
  }

  /** The end of the timeout, exclusive. */
  public Optional<Instant> deadline() {
    return deadline;
  }

  /** True once the worker has cancelled the run. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** True once its lane has continued without it, or this worker does not run it. */
  public boolean isEnded() {
    return ended;
  }

  String lane() {
    return lane;
  }

  int priority() {
    return fire.getSchedule().getPriority();
  }

  Optional<String> queueName() {
    return Optional.ofNullable(fire.getSchedule().getQueue());
  }

  /** Sets its place in the order of arrival, and its lane. */
  void arrive(long number, String laneOfFire) {
    sequence = number;
    lane = laneOfFire;
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

  /** Makes this fire stand for an older fire of its schedule too. */
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
    return collapsed.orElse(new Collapsed(0L, false, fire.getOccurrence()));
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

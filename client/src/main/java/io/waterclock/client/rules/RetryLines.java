package io.waterclock.client.rules;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the fires of a schedule in order while one of them waits for a retry: the later ones form a
 * line behind it, outside the worker, and return in their order.
 *
 * <p>Idea: what waits for one instant returns in the order in which it was written, and what waits
 * for a later one returns later. So a line needs no list of its fires: it knows its last one, when
 * that returns, and when its head does, which is the one that has failed. A fire that comes while
 * others wait joins the line. What returns runs, unless the head has failed again meanwhile: then
 * it waits once more, for the same instant as the head. A fire that has not waited yet waits a
 * millisecond longer at least, as others may be on their way back. When the last one has ended, the
 * line is over. How many wait is only counted to bound them: after the death of a worker some fires
 * are read again, and counted twice.
 *
 * <p>Worked example: 9:00 fails and waits until 9:11; 9:05 and 9:10 join the line. 9:00 returns,
 * fails, and waits until 10:11; 9:05 and 9:10 return behind it, and wait until 10:11, too. At 10:11
 * all three run, one after another, and the line is gone.
 *
 * <p>Not thread-safe: guarded by the lock of the buffer. A call costs O(1).
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public final class RetryLines<A> {
  /** Inclusive: how many fires of a schedule may wait in its line. */
  public static final int MOST_FIRES = 1_000;

  /** Inclusive: about how many bytes they may have. */
  public static final long MOST_BYTES = 16L << 20;

  /** A head that is later than this is lost: an operator has deleted it, for example. */
  private static final Duration LOST = Duration.ofHours(1);

  /** A head may be this late. */
  private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

  /** The instants at which records return are cut to milliseconds. */
  private static final Duration NEXT = Duration.ofMillis(1);

  private static final long OVERHEAD = 1_024;

  /** The lines of the worker's schedules, which outlive it. Must not block. */
  public interface Memory<A> {
    Optional<Line> line(String scheduleId);

    /**
     * @param line of the schedule of this fire; empty if it has none any more
     */
    void line(BufferedFire<A> work, Optional<Line> line);
  }

  /**
   * The fire that has failed.
   *
   * @param at when it returns
   * @param waits how often it has waited then
   */
  public record Head(String fireId, Instant at, int waits) {}

  /**
   * The line of a schedule.
   *
   * @param fires about how many wait, the head included; at least 0
   * @param bytes about how many bytes all of them have
   * @param head empty once it has ended
   * @param last the id of the last one: the line is over when it has ended
   * @param until when the last one returns
   */
  public record Line(int fires, long bytes, Optional<Head> head, String last, Instant until) {
    private static final Pattern FORM =
        Pattern.compile("(\\d+) (\\d+) (-?\\d+) (\\S+)(?: (-?\\d+) (\\d+) (\\S+))?");

    /** For a store. */
    public String text() {
      return fires
          + " "
          + bytes
          + " "
          + until.toEpochMilli()
          + " "
          + last
          + head.map(it -> " " + it.at().toEpochMilli() + " " + it.waits() + " " + it.fireId())
              .orElse("");
    }

    /** Empty if the text is no line. */
    public static Optional<Line> parse(String text) {
      Matcher form = FORM.matcher(text);
      try {
        return form.matches()
            ? Optional.of(
                new Line(
                    Integer.parseInt(form.group(1)),
                    Long.parseLong(form.group(2)),
                    Optional.ofNullable(form.group(7))
                        .map(
                            id ->
                                new Head(id, ofMs(form.group(5)), Integer.parseInt(form.group(6)))),
                    form.group(4),
                    ofMs(form.group(3))))
            : Optional.empty();
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static Instant ofMs(String text) {
      return Instant.ofEpochMilli(Long.parseLong(text));
    }

    private Line withoutHead() {
      return new Line(Math.max(0, fires - 1), bytes, Optional.empty(), last, until);
    }
  }

  /** Where a fire has to go. */
  public enum Place {
    /** It may run now. */
    RUN,
    /** It joins the line. */
    JOIN,
    /** It would have to join a line that is full. */
    FULL
  }

  private final Memory<A> memory;

  RetryLines(Memory<A> memory) {
    this.memory = memory;
  }

  /** Lines that end with the process. */
  static <A> Memory<A> inProcess() {
    Map<String, Line> lines = new HashMap<>();
    return new Memory<>() {
      @Override
      public Optional<Line> line(String scheduleId) {
        return Optional.ofNullable(lines.get(scheduleId));
      }

      @Override
      public void line(BufferedFire<A> work, Optional<Line> line) {
        String id = work.fire().getScheduleId();
        line.ifPresentOrElse(known -> lines.put(id, known), () -> lines.remove(id));
      }
    };
  }

  /** Decides about a fire whose turn has come. */
  Place place(BufferedFire<A> work, Instant now) {
    Optional<Line> line = line(work, now);
    if (line.isEmpty()) {
      return Place.RUN;
    }
    if (work.past().isReturn()) {
      return line.get().head().filter(head -> !isOf(work, head)).isPresent()
          ? Place.JOIN
          : Place.RUN;
    }
    return line.get().fires() < MOST_FIRES && line.get().bytes() + bytes(work) <= MOST_BYTES
        ? Place.JOIN
        : Place.FULL;
  }

  /**
   * A fire joins the line of its schedule.
   *
   * @return when it returns
   */
  Instant join(BufferedFire<A> work, Instant now) {
    Line line = line(work, now).orElseThrow();
    Instant back = line.head().map(head -> with(head, now)).orElse(now);
    boolean isNew = !work.past().isReturn();
    // others may be on their way back, and wait as long as the head; a new one follows them
    Instant at = isNew ? latest(line.until(), back.plus(NEXT)) : back;
    memory.line(
        work,
        Optional.of(
            new Line(
                line.fires() + (isNew ? 1 : 0),
                line.bytes() + (isNew ? bytes(work) : 0),
                line.head(),
                isNew ? work.fire().getFireId() : line.last(),
                latest(line.until(), at))));
    return at;
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * Just after the head returns, as another thread may write the head later; even if it should have
   * returned already: it is on its way then. If it is late by more, each wait is longer, so that
   * one for a head that is lost costs little.
   */
  private static Instant with(Head head, Instant now) {
    Duration late = Duration.between(head.at(), now);
    return late.compareTo(ON_ITS_WAY) > 0 ? now.plus(late) : head.at().plus(NEXT);
  }

  /**
   * When a fire that has failed returns: at {@code wanted}, unless it is a copy of the head, which
   * is read again after the death of a worker and has waited less often. What has joined meanwhile
   * returns behind the head, so a copy does not move it.
   */
  Instant until(BufferedFire<A> work, Instant wanted) {
    return memory
        .line(work.fire().getScheduleId())
        .flatMap(Line::head)
        .filter(head -> isOf(work, head) && work.past().waits() < head.waits())
        .map(Head::at)
        .orElse(wanted);
  }

  /** A fire has failed and waits: it is the head of its line, which may be a new one. */
  void failed(BufferedFire<A> work, Instant at, Instant now) {
    Optional<Line> line = line(work, now);
    boolean isNew = !work.past().isReturn() || line.isEmpty();
    memory.line(
        work,
        Optional.of(
            new Line(
                line.map(Line::fires).orElse(0) + (isNew ? 1 : 0),
                line.map(Line::bytes).orElse(0L) + (isNew ? bytes(work) : 0),
                Optional.of(new Head(work.fire().getFireId(), at, work.past().waits() + 1)),
                isNew ? work.fire().getFireId() : line.orElseThrow().last(),
                latest(line.map(Line::until).orElse(at), at))));
  }

  /** A fire has ended for good, one way or another. */
  void ended(BufferedFire<A> work) {
    if (work.past().isReturn()) {
      doesNotWait(work);
    }
  }

  /** A fire does not wait, although it was to: its wait cannot be written. */
  void doesNotWait(BufferedFire<A> work) {
    memory
        .line(work.fire().getScheduleId())
        .ifPresent(line -> memory.line(work, without(work, line)));
  }

  private Optional<Line> without(BufferedFire<A> work, Line line) {
    Optional<Head> head = line.head().filter(one -> !isOf(work, one));
    return head.isEmpty() && line.last().equals(work.fire().getFireId())
        ? Optional.empty()
        : Optional.of(
            new Line(
                Math.max(0, line.fires() - 1),
                Math.max(0, line.bytes() - bytes(work)),
                head,
                line.last(),
                line.until()));
  }

  /** The line of a schedule, without a head that is lost; one that does not return is over. */
  private Optional<Line> line(BufferedFire<A> work, Instant now) {
    Optional<Line> known = memory.line(work.fire().getScheduleId());
    Optional<Line> rest =
        known
            .filter(line -> !now.isAfter(line.until().plus(LOST)))
            .map(line -> isLost(line, now) ? line.withoutHead() : line);
    if (!rest.equals(known)) {
      memory.line(work, rest);
    }
    return rest;
  }

  private static boolean isLost(Line line, Instant now) {
    return line.head().filter(head -> now.isAfter(head.at().plus(LOST))).isPresent();
  }

  private boolean isOf(BufferedFire<A> work, Head head) {
    return head.fireId().equals(work.fire().getFireId());
  }

  private long bytes(BufferedFire<A> work) {
    ByteBuffer payload = work.fire().getSchedule().getPayload();
    return OVERHEAD + (payload == null ? 0 : payload.remaining());
  }
}

package io.waterclock.client.rules;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps the fires of a schedule in order while one of them waits for a retry: the later ones form a
 * line behind it, outside the worker, and return in their order.
 *
 * <p>Idea: a line is the list of those that wait, in the order of the topic of fires. One whose
 * turn comes runs if it is the first of its line, or if there is none; else it waits (again) until
 * the first one is back. So it does not matter when they return, how often, and in which order: a
 * copy, a late first one, or the death of a worker between two writes costs a wait. What returns
 * and is not in the list has ended before, or somebody has it run again: it runs at once.
 *
 * <p>Worked example: 9:00 fails and waits until 9:11; 9:05 and 9:10 join the line. 9:00 returns,
 * fails, and waits until 10:11; 9:05 and 9:10 return behind it, and wait until 10:11, too. At 10:11
 * all three run, one after another, and the line is gone.
 *
 * <p>Not thread-safe: guarded by the lock of the buffer. A call costs O(length of the line).
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public final class RetryLines<A> {
  /** Inclusive: how many fires of a schedule may wait in its line. */
  public static final int MOST_FIRES = 1_000;

  /** Inclusive: about how many bytes they may have. */
  public static final long MOST_BYTES = 16L << 20;

  /** Who does not return for so long while those behind it do is lost: deleted, for example. */
  private static final Duration LOST = Duration.ofHours(1);

  /** How long those behind wait at least if the first one should be back and is not. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The instants at which records return are cut to milliseconds. */
  private static final Duration NEXT = Duration.ofMillis(1);

  private static final long OVERHEAD = 1_024;
  private static final Pattern NOT_IN_NAMES = Pattern.compile("\\W|_");
  private static final int NAME = 16;

  /** The lines of the worker's schedules, which outlive it. Must not block. */
  public interface Memory<A> {
    Optional<Line> line(String scheduleId);

    /**
     * @param line of the schedule of this fire; empty if it has none any more
     */
    void line(BufferedFire<A> work, Optional<Line> line);
  }

  /**
   * The line of a schedule.
   *
   * @param fires short names of those that wait, in their order; at least one
   * @param bytes about how many bytes all of them have
   * @param back when the first one returns, or is waited for once more
   * @param missedSince since when others have come back without it; empty if none has
   */
  public record Line(List<String> fires, long bytes, Instant back, Optional<Instant> missedSince) {
    private static final Pattern FORM =
        Pattern.compile("(\\d{1,18}) (-?\\d{1,18}) (-?\\d{1,18}|-)((?: \\w{1,16})+)");

    /** For a store. */
    public String text() {
      return bytes
          + " "
          + back.toEpochMilli()
          + " "
          + missedSince.map(at -> Long.toString(at.toEpochMilli())).orElse("-")
          + " "
          + String.join(" ", fires);
    }

    /** Empty if the text is no line. */
    public static Optional<Line> parse(String text) {
      Matcher form = FORM.matcher(text);
      return form.matches()
          ? Optional.of(
              new Line(
                  List.of(form.group(4).trim().split(" ")),
                  Long.parseLong(form.group(1)),
                  ofMs(form.group(2)),
                  Optional.of(form.group(3)).filter(ms -> !ms.equals("-")).map(Line::ofMs)))
          : Optional.empty();
    }

    private static Instant ofMs(String text) {
      return Instant.ofEpochMilli(Long.parseLong(text));
    }

    private boolean isFirst(String fire) {
      return fires.get(0).equals(fire);
    }

    private Line with(String fire, long itsBytes) {
      return fires.contains(fire)
          ? this
          : new Line(
              Stream.concat(fires.stream(), Stream.of(fire)).toList(),
              bytes + itsBytes,
              back,
              missedSince);
    }

    /** The first one, which has failed, returns at this instant. */
    private Line back(Instant at) {
      return new Line(fires, bytes, at, Optional.empty());
    }

    /**
     * Another one has come back, and the first one has not, which is on its way. The longer it does
     * not come, the longer is the wait, so that one for a fire that is lost costs little.
     */
    private Line missed(Instant now) {
      Instant since = missedSince.orElse(now);
      Duration late = Duration.between(since, now);
      Duration wait = late.compareTo(PATIENCE) > 0 ? late : PATIENCE;
      return new Line(fires, bytes, now.plus(wait), Optional.of(since));
    }

    /** Without a fire; empty if it was the only one. */
    private Optional<Line> without(String fire, long itsBytes) {
      if (!fires.contains(fire)) {
        return Optional.of(this);
      }
      Optional<Instant> missed = isFirst(fire) ? Optional.empty() : missedSince;
      List<String> others = fires.stream().filter(one -> !one.equals(fire)).toList();
      return Optional.of(new Line(others, Math.max(0, bytes - itsBytes), back, missed))
          .filter(rest -> !rest.fires().isEmpty());
    }

    /** Without those before a fire, which are lost. */
    private Line from(String fire) {
      return new Line(
          fires.subList(fires.indexOf(fire), fires.size()), bytes, back, Optional.empty());
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
    Optional<Line> known = line(work);
    if (known.isEmpty()) {
      return Place.RUN;
    }
    Line line = known.get();
    String name = name(work);
    if (line.isFirst(name)) {
      return Place.RUN;
    }
    if (!line.fires().contains(name)) {
      boolean hasRoom =
          line.fires().size() < MOST_FIRES && line.bytes() + bytes(work) <= MOST_BYTES;
      return work.past().isReturn() ? Place.RUN : hasRoom ? Place.JOIN : Place.FULL;
    }
    if (line.missedSince().filter(since -> now.isAfter(since.plus(LOST))).isPresent()) {
      memory.line(work, Optional.of(line.from(name)));
      return Place.RUN;
    }
    return Place.JOIN;
  }

  /**
   * A fire joins the line of its schedule, or waits on in it.
   *
   * @return when it returns: behind the first one, and by its place in the line, so that all of
   *     them return in their order again
   */
  Instant join(BufferedFire<A> work, Instant now) {
    String name = name(work);
    Line joined = line(work).orElseThrow().with(name, bytes(work));
    boolean isMissed = work.past().isReturn() && !now.isBefore(joined.back());
    Line line = isMissed ? joined.missed(now) : joined;
    memory.line(work, Optional.of(line));
    Instant back = now.isBefore(line.back()) ? line.back() : now.plus(PATIENCE);
    return back.plus(NEXT.multipliedBy(line.fires().indexOf(name)));
  }

  /** A fire has failed and waits: it is the first of its line, which may be a new one. */
  void failed(BufferedFire<A> work, Instant at) {
    String name = name(work);
    Line line =
        line(work)
            .map(known -> known.with(name, bytes(work)))
            .orElseGet(() -> new Line(List.of(name), bytes(work), at, Optional.empty()));
    memory.line(work, Optional.of(line.isFirst(name) ? line.back(at) : line));
  }

  /** A fire has ended for good, one way or another; or it does not wait, although it was to. */
  void ended(BufferedFire<A> work) {
    line(work).ifPresent(line -> memory.line(work, line.without(name(work), bytes(work))));
  }

  private Optional<Line> line(BufferedFire<A> work) {
    return memory.line(work.fire().getScheduleId());
  }

  /** The beginning of its id, which is hexadecimal and random. */
  private String name(BufferedFire<A> work) {
    String plain = NOT_IN_NAMES.matcher(work.fire().getFireId()).replaceAll("");
    return plain.isEmpty() ? "0" : plain.substring(0, Math.min(NAME, plain.length()));
  }

  private long bytes(BufferedFire<A> work) {
    ByteBuffer payload = work.fire().getSchedule().getPayload();
    return OVERHEAD + (payload == null ? 0 : payload.remaining());
  }
}

package io.waterclock.judge;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;

/** Names occurrences, in epoch milliseconds and in UTC, by trying one candidate after the other. */
sealed interface Trigger {
  /** The first occurrence after an instant, exclusive. */
  OptionalLong next(long afterMs);

  /** With what its acceptance resolves: the instant from which it counts. */
  default Trigger resolved(long ms) {
    return this;
  }

  /** Whether its acceptance resolves an instant; cron has none. */
  default boolean isResolved() {
    return true;
  }

  default boolean isOnce() {
    return false;
  }

  /**
   * Occurrences in order.
   *
   * @param afterMs exclusive
   * @param toMs inclusive
   */
  default List<Long> between(long afterMs, long toMs) {
    List<Long> found = new ArrayList<>();
    OptionalLong next = next(afterMs);
    while (next.isPresent() && next.getAsLong() <= toMs) {
      found.add(next.getAsLong());
      next = next(next.getAsLong());
    }
    return found;
  }

  default boolean names(long ms) {
    OptionalLong next = next(ms - 1);
    return next.isPresent() && next.getAsLong() == ms;
  }

  /** A grid; the anchor is its first point. */
  record Every(long anchorMs, long stepMs) implements Trigger {
    @Override
    public OptionalLong next(long afterMs) {
      return OptionalLong.of(
          afterMs < anchorMs
              ? anchorMs
              : anchorMs + (Math.floorDiv(afterMs - anchorMs, stepMs) + 1) * stepMs);
    }
  }

  /** A grid that begins when it is accepted: its first point is one step later. */
  record Grid(long stepMs) implements Trigger {
    @Override
    public Trigger resolved(long ms) {
      return new Bounded(new Every(ms, stepMs), ms + 1, Long.MAX_VALUE / 2);
    }

    @Override
    public OptionalLong next(long afterMs) {
      throw new IllegalStateException("not resolved: " + this);
    }
  }

  /** A single instant. */
  record Once(long atMs) implements Trigger {
    @Override
    public boolean isOnce() {
      return true;
    }

    @Override
    public OptionalLong next(long afterMs) {
      return afterMs < atMs ? OptionalLong.of(atMs) : OptionalLong.empty();
    }
  }

  /** A single instant some time after it is accepted, which is what its acceptance says. */
  record Delayed(long delayMs) implements Trigger {
    @Override
    public Trigger resolved(long ms) {
      return new Once(ms);
    }

    @Override
    public boolean isOnce() {
      return true;
    }

    @Override
    public OptionalLong next(long afterMs) {
      throw new IllegalStateException("not resolved: " + this);
    }
  }

  /** Numbers, lists and steps; one of the fields of days is a star. */
  record Cron(List<BitSet> fields) implements Trigger {
    private static final int FARTHEST_DAYS = 8 * 366;

    static Cron parse(String expression) {
      List<String> parts = new ArrayList<>(List.of(expression.split(" ")));
      if (parts.size() == 5) {
        parts.add(0, "0");
      }
      if (parts.size() != 6 || (!parts.get(3).equals("*") && !parts.get(5).equals("*"))) {
        throw new IllegalArgumentException("the account does not know the cron " + expression);
      }
      List<Integer> last = List.of(59, 59, 23, 31, 12, 6);
      List<BitSet> fields = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        fields.add(field(parts.get(i), last.get(i)));
      }
      return new Cron(fields);
    }

    private static BitSet field(String text, int limit) {
      BitSet set = new BitSet(limit + 1);
      for (String part : text.split(",")) {
        String[] stepped = part.split("/");
        int step = stepped.length == 1 ? 1 : Integer.parseInt(stepped[1]);
        boolean isAll = stepped[0].equals("*");
        int first = isAll ? 0 : Integer.parseInt(stepped[0]);
        int last = isAll || stepped.length > 1 ? limit : first;
        for (int n = first; n <= last; n += step) {
          set.set(n);
        }
      }
      return set;
    }

    @Override
    public boolean isResolved() {
      return false;
    }

    @Override
    public OptionalLong next(long afterMs) {
      LocalDateTime at =
          LocalDateTime.ofEpochSecond(Math.floorDiv(afterMs, 1_000) + 1, 0, ZoneOffset.UTC);
      LocalDateTime farthest = at.plusDays(FARTHEST_DAYS);
      while (at.isBefore(farthest)) {
        if (!has(3, at.getDayOfMonth())
            || !has(4, at.getMonthValue())
            || !has(5, at.getDayOfWeek().getValue() % 7)) {
          at = at.truncatedTo(ChronoUnit.DAYS).plusDays(1);
        } else if (!has(2, at.getHour())) {
          at = at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
        } else if (!has(1, at.getMinute())) {
          at = at.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        } else if (!has(0, at.getSecond())) {
          at = at.plusSeconds(1);
        } else {
          return OptionalLong.of(at.toInstant(ZoneOffset.UTC).toEpochMilli());
        }
      }
      return OptionalLong.empty();
    }

    private boolean has(int field, int number) {
      return fields.get(field).get(number);
    }
  }

  /**
   * A part of another trigger.
   *
   * @param startMs inclusive
   * @param endMs exclusive
   */
  record Bounded(Trigger of, long startMs, long endMs) implements Trigger {
    @Override
    public Trigger resolved(long ms) {
      return new Bounded(of.resolved(ms), startMs, endMs);
    }

    @Override
    public boolean isResolved() {
      return of.isResolved();
    }

    @Override
    public boolean isOnce() {
      return of.isOnce();
    }

    @Override
    public OptionalLong next(long afterMs) {
      OptionalLong next = of.next(Math.max(afterMs, startMs - 1));
      return next.isPresent() && next.getAsLong() < endMs ? next : OptionalLong.empty();
    }
  }

  /** The instant that a definition says in a field. */
  static long instant(String text) {
    return Instant.parse(text).toEpochMilli();
  }
}

package io.waterclock.bench.chaos.account;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;

/** Names occurrences, in epoch milliseconds. It reads only what a run with faults writes. */
sealed interface Trigger {
  /** The first occurrence after an instant, exclusive. */
  OptionalLong next(long afterMs);

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

  /** A single instant. */
  record Once(long atMs) implements Trigger {
    @Override
    public OptionalLong next(long afterMs) {
      return afterMs < atMs ? OptionalLong.of(atMs) : OptionalLong.empty();
    }
  }

  /** Seconds and minutes of every hour, in UTC: cron expressions that end in four stars. */
  record Cron(BitSet seconds, BitSet minutes) implements Trigger {
    private static final int HOUR = 3_600;

    static Cron parse(String expression) {
      String[] fields = expression.split(" ");
      if (fields.length != 6 || !expression.endsWith(" * * * *")) {
        throw new IllegalArgumentException("the account does not know the cron " + expression);
      }
      return new Cron(field(fields[0]), field(fields[1]));
    }

    private static BitSet field(String text) {
      BitSet set = new BitSet(60);
      for (String part : text.split(",")) {
        String[] stepped = part.split("/");
        int step = stepped.length == 1 ? 1 : Integer.parseInt(stepped[1]);
        boolean isAll = stepped[0].equals("*");
        int first = isAll ? 0 : Integer.parseInt(stepped[0]);
        int last = isAll || stepped.length > 1 ? 59 : first;
        for (int n = first; n <= last; n += step) {
          set.set(n);
        }
      }
      return set;
    }

    @Override
    public OptionalLong next(long afterMs) {
      long first = Math.floorDiv(afterMs, 1_000) + 1;
      for (long second = first; second <= first + HOUR; second++) {
        if (seconds.get((int) Math.floorMod(second, 60L))
            && minutes.get((int) Math.floorMod(Math.floorDiv(second, 60L), 60L))) {
          return OptionalLong.of(second * 1_000);
        }
      }
      return OptionalLong.empty();
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
    public OptionalLong next(long afterMs) {
      OptionalLong next = of.next(Math.max(afterMs, startMs - 1));
      return next.isPresent() && next.getAsLong() < endMs ? next : OptionalLong.empty();
    }
  }
}

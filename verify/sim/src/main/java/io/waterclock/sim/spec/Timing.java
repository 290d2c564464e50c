package io.waterclock.sim.spec;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** When a definition occurs, in UTC. */
public sealed interface Timing {
  long MINUTE = 60_000;
  long HOUR = 60 * MINUTE;
  long DAY = 24 * HOUR;

  /** The field of the definition in JSON. */
  String json();

  /**
   * The occurrences in a range, ascending, found by trying one candidate after the other.
   *
   * @param resolvedMs the timestamp from which a timing counts that names no instant of its own
   * @param afterMs exclusive
   * @param throughMs inclusive
   */
  List<Long> in(long resolvedMs, long afterMs, long throughMs);

  /**
   * The instant after another that the timing names, or else the one before it, whether or not they
   * are too early to be occurrences; empty if there is none.
   */
  Optional<Long> neighbourMs(long resolvedMs, long ofMs);

  /** An interval of exact length. */
  record Every(long stepMs, OptionalLong anchorMs) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      long first = anchorMs.orElse(resolvedMs);
      return Optional.of(ofMs < first ? first : first + ((ofMs - first) / stepMs + 1) * stepMs);
    }

    @Override
    public String json() {
      String anchor =
          anchorMs.isPresent()
              ? ",\"anchor\":\"" + Instant.ofEpochMilli(anchorMs.getAsLong()) + "\""
              : "";
      return "\"every\":\"" + stepMs + "ms\"" + anchor;
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      long first = anchorMs.orElse(resolvedMs);
      long candidate = first + Math.max(0, (afterMs - first) / stepMs - 1) * stepMs;
      List<Long> found = new ArrayList<>();
      for (; candidate <= throughMs; candidate += stepMs) {
        boolean isAnchorItself = anchorMs.isEmpty() && candidate == first;
        if (candidate > afterMs && !isAnchorItself) {
          found.add(candidate);
        }
      }
      return found;
    }
  }

  /** A minute of each hour. */
  record Hourly(int minute) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      return in(resolvedMs, ofMs, ofMs + HOUR).stream().findFirst();
    }

    @Override
    public String json() {
      return "\"cron\":\"" + minute + " * * * *\"";
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      return from(afterMs / HOUR * HOUR + minute * MINUTE, HOUR, afterMs, throughMs);
    }
  }

  /** A minute of each day. */
  record Daily(int hour, int minute) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      return in(resolvedMs, ofMs, ofMs + DAY).stream().findFirst();
    }

    @Override
    public String json() {
      return "\"cron\":\"" + minute + " " + hour + " * * *\"";
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      return from(afterMs / DAY * DAY + hour * HOUR + minute * MINUTE, DAY, afterMs, throughMs);
    }
  }

  /** A minute of one weekday. */
  record Weekly(DayOfWeek day, int hour, int minute) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      return in(resolvedMs, ofMs, ofMs + 7 * DAY).stream().findFirst();
    }

    @Override
    public String json() {
      return "\"cron\":\"" + minute + " " + hour + " * * " + day.getValue() % 7 + "\"";
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      return new Daily(hour, minute)
          .in(resolvedMs, afterMs, throughMs).stream()
              .filter(ms -> Instant.ofEpochMilli(ms).atZone(ZoneOffset.UTC).getDayOfWeek() == day)
              .toList();
    }
  }

  /** One instant. */
  record At(long ms) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      return Optional.of(ms).filter(it -> it != ofMs);
    }

    @Override
    public String json() {
      return "\"at\":\"" + Instant.ofEpochMilli(ms) + "\"";
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      return ms > afterMs && ms <= throughMs ? List.of(ms) : List.of();
    }
  }

  /** One instant, some time after the record. */
  record In(long delayMs) implements Timing {
    @Override
    public Optional<Long> neighbourMs(long resolvedMs, long ofMs) {
      return new At(resolvedMs + delayMs).neighbourMs(resolvedMs, ofMs);
    }

    @Override
    public String json() {
      return "\"in\":\"" + java.time.Duration.ofMillis(delayMs) + "\"";
    }

    @Override
    public List<Long> in(long resolvedMs, long afterMs, long throughMs) {
      return new At(resolvedMs + delayMs).in(resolvedMs, afterMs, throughMs);
    }
  }

  private static List<Long> from(long first, long step, long afterMs, long throughMs) {
    List<Long> found = new ArrayList<>();
    for (long ms = first; ms <= throughMs; ms += step) {
      if (ms > afterMs) {
        found.add(ms);
      }
    }
    return found;
  }

  /** True if its acceptance resolves an instant from which it counts; cron has none. */
  default boolean isResolved() {
    return isOnce() || this instanceof Every;
  }

  /** True if it occurs once. */
  default boolean isOnce() {
    return this instanceof At || this instanceof In;
  }
}

package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits that a group has had, as their records say. */
final class JudgedLimit {
  private static final Pattern MAX_RUNNING = Pattern.compile("\"max_running\":(\\d+)");
  private static final Pattern PER_SECOND = Pattern.compile("\"per_second\":(\\d+)");

  /** So many seconds from each second of a minute that is a multiple. */
  private static final Pattern CLOSED =
      Pattern.compile("\"cron\":\"\\*/(\\d+) \\* \\* \\* \\* \\*\",\"duration\":\"(\\d+)s\"");

  private final List<Since> all =
      new ArrayList<>(List.of(new Since(Long.MIN_VALUE, Long.MIN_VALUE, Limit.NONE)));

  /**
   * What a record says.
   *
   * @param running how many may run; empty without a bound
   * @param rate how many may start in a second; empty without a bound
   * @param closed when nothing starts
   */
  record Limit(OptionalInt running, OptionalInt rate, boolean isPaused, Optional<Windows> closed) {
    static final Limit NONE =
        new Limit(OptionalInt.empty(), OptionalInt.empty(), false, Optional.empty());

    /** Empty for a record that changes nothing. */
    static Optional<Limit> of(String json) {
      OptionalInt running = number(MAX_RUNNING, json);
      OptionalInt rate = number(PER_SECOND, json);
      boolean isValid = json.startsWith("{") && running.orElse(1) > 0 && rate.orElse(1) > 0;
      return isValid
          ? Optional.of(new Limit(running, rate, json.contains("\"paused\""), Windows.of(json)))
          : Optional.empty();
    }

    boolean isShut(long ms) {
      return isPaused || closed.filter(windows -> windows.contain(ms)).isPresent();
    }

    private static OptionalInt number(Pattern pattern, String json) {
      Matcher found = pattern.matcher(json);
      return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }
  }

  /** Windows in which nothing starts, over and over. */
  record Windows(long everyMs, long lengthMs) {
    private static Optional<Windows> of(String json) {
      Matcher found = CLOSED.matcher(json);
      return found.find()
          ? Optional.of(
              new Windows(
                  1_000L * Integer.parseInt(found.group(1)),
                  1_000L * Integer.parseInt(found.group(2))))
          : Optional.empty();
    }

    boolean contain(long ms) {
      return Math.floorMod(ms, everyMs) < lengthMs;
    }

    /** The first edge of a window after an instant. */
    long nextEdge(long ms) {
      long inMs = Math.floorMod(ms, everyMs);
      return ms - inMs + (inMs < lengthMs ? lengthMs : everyMs);
    }
  }

  /** A limit that was written at one instant, and was there for all at another. */
  private record Since(long writtenMs, long ms, Limit limit) {}

  /** The records of a group are added in their order. */
  void add(Entry<String> entry) {
    entry
        .value()
        .map(Limit::of)
        .orElseGet(() -> Optional.of(Limit.NONE))
        .ifPresent(limit -> all.add(new Since(entry.appendedMs(), entry.visibleMs(), limit)));
  }

  /** Those that were in force at some time between two instants, both inclusive. */
  List<Limit> between(long fromMs, long toMs) {
    List<Limit> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean hasBegun = all.get(i).writtenMs() <= toMs;
      boolean hasEnded = i + 1 < all.size() && all.get(i + 1).ms() < fromMs;
      if (hasBegun && !hasEnded) {
        found.add(all.get(i).limit());
      }
    }
    return found;
  }

  List<Long> changes() {
    return all.stream().map(Since::ms).filter(ms -> ms > Long.MIN_VALUE).toList();
  }

  /** The edges of all windows that there ever were, between two instants. */
  Set<Long> edges(long fromMs, long toMs) {
    Set<Long> edges = new TreeSet<>();
    for (Since since : all) {
      since
          .limit()
          .closed()
          .ifPresent(
              windows -> {
                for (long ms = windows.nextEdge(fromMs); ms < toMs; ms = windows.nextEdge(ms)) {
                  edges.add(ms);
                }
              });
    }
    return edges;
  }
}

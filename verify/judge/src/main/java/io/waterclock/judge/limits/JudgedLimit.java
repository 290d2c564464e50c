package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits that a group has had, as their records say. */
final class JudgedLimit {
  private static final Pattern MAX_RUNNING = Pattern.compile("\"max_running\":(\\d+)");
  private static final Pattern PER_SECOND = Pattern.compile("\"per_second\":(\\d+)");

  private final List<Since> all = new ArrayList<>(List.of(new Since(Long.MIN_VALUE, Limit.NONE)));

  /**
   * What a record says.
   *
   * @param running how many may run; empty without a bound
   * @param rate how many may start in a second; empty without a bound
   */
  record Limit(OptionalInt running, OptionalInt rate, boolean isPaused) {
    static final Limit NONE = new Limit(OptionalInt.empty(), OptionalInt.empty(), false);

    /** Empty for a record that changes nothing. */
    static Optional<Limit> of(String json) {
      OptionalInt running = number(MAX_RUNNING, json);
      OptionalInt rate = number(PER_SECOND, json);
      boolean isValid = json.startsWith("{") && running.orElse(1) > 0 && rate.orElse(1) > 0;
      return isValid
          ? Optional.of(new Limit(running, rate, json.contains("\"paused\"")))
          : Optional.empty();
    }

    private static OptionalInt number(Pattern pattern, String json) {
      Matcher found = pattern.matcher(json);
      return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }
  }

  private record Since(long ms, Limit limit) {}

  /** The records of a group are added in their order. */
  void add(Entry<String> entry) {
    entry
        .value()
        .map(Limit::of)
        .orElseGet(() -> Optional.of(Limit.NONE))
        .ifPresent(limit -> all.add(new Since(entry.visibleMs(), limit)));
  }

  /** Those that were in force at some time between two instants, both inclusive. */
  List<Limit> between(long fromMs, long toMs) {
    List<Limit> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean hasBegun = all.get(i).ms() <= toMs;
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
}

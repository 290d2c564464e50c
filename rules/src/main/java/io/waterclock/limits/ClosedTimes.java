package io.waterclock.limits;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * When the windows of a limit let nothing start. Windows that touch each other are one time.
 *
 * <p>Cost: two searches for each occurrence of a window, {@value #MOST} occurrences at most; what
 * comes after those counts as open. Not thread-safe.
 */
public final class ClosedTimes {
  /** Two weeks of a window that begins every minute. */
  private static final int MOST = 20_000;

  private final List<GroupLimit.Window> windows;
  private int left = MOST;

  private ClosedTimes(GroupLimit limit) {
    this.windows = limit.closed();
  }

  /**
   * One time.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public record Span(Instant from, Instant to) {
    boolean contains(Instant at) {
      return !at.isBefore(from) && at.isBefore(to);
    }
  }

  /** The time that contains an instant, or the next one after it; empty if none comes. */
  public static Optional<Span> next(GroupLimit limit, Instant at) {
    return new ClosedTimes(limit).next(at);
  }

  /**
   * The times of a range, in their order; the first may begin before it, the last end after it.
   *
   * @param to exclusive
   */
  public static List<Span> between(GroupLimit limit, Instant from, Instant to) {
    ClosedTimes times = new ClosedTimes(limit);
    List<Span> found = new ArrayList<>();
    for (Optional<Span> span = times.next(from);
        span.filter(one -> one.from().isBefore(to)).isPresent();
        span = times.next(span.get().to())) {
      found.add(span.get());
    }
    return found;
  }

  private Optional<Span> next(Instant at) {
    Optional<Span> first =
        windows.stream()
            .flatMap(window -> endingAfter(window, at).stream())
            .min(Comparator.comparing(Span::from));
    return first.map(span -> new Span(span.from(), extended(span.to())));
  }

  /** The end of the windows that begin, one after the other, before the one before them ends. */
  private Instant extended(Instant end) {
    Instant latest = end;
    for (boolean isExtended = true; isExtended; ) {
      isExtended = false;
      for (GroupLimit.Window window : windows) {
        Optional<Span> next = endingAfter(window, latest);
        if (next.isPresent() && !next.get().from().isAfter(latest)) {
          latest = next.get().to();
          isExtended = true;
        }
      }
    }
    return latest;
  }

  private Optional<Span> endingAfter(GroupLimit.Window window, Instant at) {
    if (left-- <= 0) {
      return Optional.empty();
    }
    return window
        .begins()
        .nthAfter(at.minus(window.lasts()), 1)
        .map(begin -> new Span(begin, begin.plus(window.lasts())));
  }
}

package io.waterclock.bench.cron;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One expression of one library in one zone, asked from prepared starts, so that no conversion is
 * measured.
 *
 * @param <T> how the library takes and gives times
 */
final class NextSearch<T> {
  private final List<T> starts;
  private final Function<Instant, T> given;
  private final Function<T, Optional<T>> asked;
  private final Function<T, Instant> taken;

  NextSearch(
      List<Instant> starts,
      Function<Instant, T> given,
      Function<T, Optional<T>> asked,
      Function<T, Instant> taken) {
    this.starts = starts.stream().map(given).toList();
    this.given = given;
    this.asked = asked;
    this.taken = taken;
  }

  Optional<T> next(int start) {
    return asked.apply(starts.get(start));
  }

  Optional<Instant> after(Instant start) {
    return asked.apply(given.apply(start)).map(taken);
  }
}

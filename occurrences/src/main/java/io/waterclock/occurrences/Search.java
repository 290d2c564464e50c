package io.waterclock.occurrences;

/**
 * Finds occurrences in epoch seconds. Where there is none, an answer lies outside the horizon.
 *
 * <p>What an implementation cannot work out it steps through; then counting costs a search each.
 */
sealed interface Search permits CronSearch, SteadySearch, RecurringTimes, RecurringInstants {

  /** The first occurrence after a second. */
  long next(long after);

  /** The last occurrence up to a second. */
  long previous(long upTo);

  /** True where {@link #count} and the n-th occurrence cost a search for each occurrence. */
  default boolean steps() {
    return true;
  }

  /** The first occurrence after a second; no answer once the effort is spent. */
  default long next(long after, Effort effort) {
    effort.spend(1);
    return next(after);
  }

  /** The number of occurrences after one second up to another; at least {@code limit} is enough. */
  default Count count(long after, long through, long limit) {
    long count = 0;
    long at = next(after);
    while (at <= through && count < limit) {
      count++;
      at = next(at);
    }
    return new Count(count, at > through);
  }

  /** The n-th occurrence after a second, for n from 1. */
  default long nthNext(long after, long n) {
    return nthNext(after, n, Effort.unlimited());
  }

  /** The n-th occurrence after a second, for n from 1; no answer once the effort is spent. */
  default long nthNext(long after, long n, Effort effort) {
    if (!steps()) {
      return nthNext(after, n);
    }
    long at = after;
    for (long i = 0; i < n && at <= Horizon.LAST_SECOND && !effort.isSpent(); i++) {
      at = next(at, effort);
    }
    return at;
  }

  /** The n-th occurrence back from a second, inclusive, for n from 1. */
  default long nthPrevious(long upTo, long n) {
    long at = previous(upTo);
    for (long i = 1; i < n && at >= Horizon.FIRST_SECOND; i++) {
      at = previous(at - 1);
    }
    return at;
  }
}

package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out which schedules are due in a range, until its {@link SearchBudget} is spent. Of those
 * that are alike, it searches one. For one thread.
 */
final class DueSearch {
  private final Upcoming upcoming;
  private final Instant from;
  private final Instant to;
  private final SearchBudget budget = new SearchBudget();
  private final Map<String, Boolean> found = new HashMap<>();

  /**
   * A schedule to search.
   *
   * @param bytes that its records take
   */
  record Subject(KnownSchedule known, long bytes) {}

  /**
   * @param from inclusive
   * @param to exclusive
   */
  DueSearch(Upcoming upcoming, Instant from, Instant to) {
    this.upcoming = upcoming;
    this.from = from;
    this.to = to;
  }

  boolean isSpent() {
    return budget.isSpent();
  }

  /** What was found for one that is alike; empty if none was searched yet. */
  Optional<Boolean> found(String group) {
    return Optional.ofNullable(found.get(group));
  }

  /**
   * Searches a schedule.
   *
   * @param group of those that are alike; empty if no other is
   */
  boolean isDue(Subject subject, Optional<String> group) {
    boolean isDue =
        upcoming
            .following(subject.known(), from.minusMillis(1), budget.next(subject.bytes()))
            .findFirst()
            .filter(next -> next.due().isBefore(to))
            .isPresent();
    group.ifPresent(name -> found.put(name, isDue));
    return isDue;
  }
}

package io.waterclock.console.bulk;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import java.util.Collection;
import java.util.List;

/**
 * The schedules that a person has chosen: some by their ids, or those that match. Immutable.
 *
 * @param ids empty to choose by the selector
 */
public record Chosen(List<String> ids, Selector selector) {
  public Chosen {
    ids = List.copyOf(ids);
  }

  Collection<String> candidates(Candidates all) {
    return ids.isEmpty() ? all.withPrefix(selector.idPrefix()) : ids;
  }

  /** As the commands of the terminal: a schedule that was never accepted is not meant by itself. */
  boolean matches(KnownSchedule schedule) {
    return !ids.isEmpty() || selector.selects(schedule);
  }

  /** The effort of {@link #matches}, at most, beside that of a few short texts. */
  long steps(KnownSchedule schedule) {
    return ids.isEmpty() && selector.matchesIdAndState(schedule)
        ? selector.where().map(where -> where.steps(schedule)).orElse(0L)
        : 0;
  }

  /** Whether its definition decides, so that it must be known. */
  boolean needsDefinition() {
    return ids.isEmpty() && selector.looksAtDefinitions();
  }

  /** The ids of all schedules. */
  @FunctionalInterface
  interface Candidates {
    Collection<String> withPrefix(String prefix);
  }
}

package io.waterclock.definition.whatif;

import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The occurrences of a plan that fire in a window, ascending; without those that are skipped or
 * that a calendar leaves out.
 *
 * @param brokenOffAt exclusive: only occurrences before it were searched; empty if all were
 */
record Forecast(List<Occurrence> fires, Optional<Instant> brokenOffAt) {
  /**
   * How far after the window a search may look for the occurrence that ends it: a schedule whose
   * occurrences a calendar leaves out for good has none.
   */
  private static final Duration BEYOND = Duration.ofDays(366);

  /** The steps for one plan: about a second. */
  private static final long MOST_STEPS = 20_000_000;

  static final Forecast NONE = new Forecast(List.of(), Optional.empty());

  /**
   * @param most occurrences to find
   */
  static Forecast of(Plan plan, Side side, TimeFrame window, int most) {
    if (plan.isSilent()) {
      return NONE;
    }
    Effort effort = Effort.of(Effort.DECISION);
    Search search = new Search(plan, window, most, effort);
    try {
      search.run(until(window.end().plus(BEYOND), side.timetable(plan, effort)), plan, side);
    } catch (EffortSpentException e) {
      search.brokenOffAt = search.brokenOffAt.or(() -> Optional.of(window.now()));
    }
    return new Forecast(List.copyOf(search.fires), search.brokenOffAt);
  }

  private static Timetable until(Instant end, Timetable table) {
    return new Timetable(
        table.id(),
        table.trigger().within(Optional.empty(), Optional.of(end)),
        table.jitter(),
        table.dueFloor(),
        table.dueCeiling(),
        table.ownsAfter(),
        table.exclusions(),
        table.effort());
  }

  /** The part before an instant, exclusive. */
  Forecast before(Optional<Instant> end) {
    return end.isEmpty()
        ? this
        : new Forecast(fires.stream().filter(fire -> fire.at().isBefore(end.get())).toList(), end);
  }

  private static final class Search {
    private final TimeFrame window;
    private final int most;
    private final Effort effort;
    private final Set<Instant> skips;
    private final List<Occurrence> fires = new ArrayList<>();
    private Optional<Instant> brokenOffAt = Optional.empty();

    Search(Plan plan, TimeFrame window, int most, Effort effort) {
      this.window = window;
      this.most = most;
      this.effort = effort;
      this.skips = new HashSet<>(plan.skips());
      skips.addAll(plan.schedule().getSkip());
    }

    void run(Timetable table, Plan plan, Side side) {
      Instant decided = window.now().minusMillis(1);
      if (plan.replaced().isPresent()) {
        Optional<Instant> first = table.nextAfter(plan.ownsAfter()).map(Occurrence::at);
        Timetable old = side.timetable(plan.replaced().get(), effort).before(first);
        search(old, old.cursorAt(decided), Optional.of(window.now()));
        effort.renew();
      }
      if (brokenOffAt.isEmpty()) {
        search(table, plan.isNew() ? plan.ownsAfter() : table.cursorAt(decided), Optional.empty());
      }
    }

    /**
     * @param through inclusive: the last instant that the timetable owns; empty for no end
     */
    private void search(Timetable table, Instant after, Optional<Instant> through) {
      Instant cursor = after;
      try {
        Optional<Occurrence> next = next(table, cursor);
        while (next.isPresent()
            && next.get().at().isBefore(window.end())
            && through.filter(next.get().at()::isAfter).isEmpty()) {
          cursor = next.get().at();
          add(next.get());
          if (fires.size() >= most) {
            brokenOffAt = Optional.of(cursor.plusMillis(1));
            return;
          }
          next = next(table, cursor);
        }
        if (next.isEmpty() && !effort.hasReserve()) {
          brokenOffAt = Optional.of(cursor.plusMillis(1));
        }
      } catch (EffortSpentException e) {
        brokenOffAt = Optional.of(cursor.plusMillis(1));
      }
    }

    private Optional<Occurrence> next(Timetable table, Instant cursor) {
      effort.renew();
      if (effort.total() > MOST_STEPS) {
        throw effort.exception();
      }
      return table.nextNotLeftOut(cursor);
    }

    /** An occurrence that is overdue fires at once. */
    private void add(Occurrence next) {
      Instant due = next.due().isBefore(window.now()) ? window.now() : next.due();
      if (window.contains(due) && !skips.contains(next.at())) {
        fires.add(new Occurrence(next.at(), due));
      }
    }
  }
}

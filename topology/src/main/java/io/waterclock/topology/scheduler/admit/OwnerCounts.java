package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Counts the schedules of each owner in this partition, without completed ones, and decides if the
 * owner may have one more.
 *
 * <p>A task sees only its own partition, but the limit covers all partitions. A hash spreads the
 * ids: of {@code L} schedules over {@code P} partitions, a partition has {@code m = L / P} on
 * average, with a standard deviation of {@code sqrt(m (1 - 1/P))}. A partition accepts {@code m}
 * plus four deviations plus one. So about one partition in ten thousand at most refuses an owner
 * that is below its limit, and with one partition the limit is exact.
 *
 * <p>A schedule that is over when the new one is written does not count, even if the scheduler has
 * not completed it yet, because it was down. Only a definition that would be refused looks for such
 * schedules, in a bounded part of the owner's. A search also notes which schedules end in the next
 * minute, so that the definitions that are refused in this minute need no other one.
 *
 * <p>The count of an owner begins with its first new schedule after the assignment. Each new
 * schedule counts a bounded part of the owner's schedules, from where the one before stopped, so
 * that none blocks the thread. Until the count is whole, an owner with many schedules may therefore
 * exceed its limit by one schedule for each part. Later changes cost one lookup in a small map.
 */
final class OwnerCounts {
  /** The most schedules that one definition counts, and searches: some tens of milliseconds. */
  static final int PART = 4_096;

  /** How far a search looks ahead of the time of the partition. */
  static final Duration AHEAD = Duration.ofMinutes(1);

  /** Of the schedules that end soon, those that end first are remembered. */
  private static final int MOST_ENDING = 10_000;

  /** To read a schedule costs as much as so many steps, and one more for some of its bytes. */
  private static final int STEPS_OF_ROW = 100;

  private static final int BYTES_OF_STEP = 32;

  /** The most schedules of an owner that are remembered as over before they complete. */
  private static final int MOST_OVER = 100_000;

  private static final int SLICE = 512;
  private static final double DEVIATIONS = 4;

  private final OwnerLimits limits;
  private final int partitions;
  private final ScheduleStore schedules;
  private final Ends ends;
  private final Supplier<Instant> clock;
  private final Effort effort;
  private final Map<Owner, Counted> counts = new HashMap<>();

  /** Finds since when schedules are over. */
  interface Ends {
    /**
     * Since when a schedule is over that a scheduler that is up has completed by an instant; empty
     * if that costs too much to find.
     *
     * @param unstored the state of the schedule, if it is not the one in the stores
     */
    Optional<Instant> overSince(
        ScheduleId id, Accepted accepted, Optional<ScheduleState> unstored, Instant by);
  }

  /**
   * @param clock the time of the partition
   * @param effort counts the schedules that are read
   */
  OwnerCounts(
      OwnerLimits limits,
      int partitions,
      ScheduleStore schedules,
      Ends ends,
      Supplier<Instant> clock,
      Effort effort) {
    this.limits = limits;
    this.partitions = partitions;
    this.schedules = schedules;
    this.ends = ends;
    this.clock = clock;
    this.effort = effort;
  }

  /**
   * The problem that a change gives the owner too many schedules; empty when it does not.
   *
   * @param written when the change was written
   */
  Optional<Problem> tooMany(
      ScheduleId id,
      Optional<ScheduleState> before,
      Optional<ScheduleState> after,
      Instant written) {
    if (limits.owners().isEmpty() || number(after) == 0) {
      return Optional.empty();
    }
    Optional<Owner> owner = limits.of(id).filter(found -> found.schedules().isPresent());
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    int limit = owner.get().schedules().get();
    int share = share(limit, partitions);
    Counted counted = counts.computeIfAbsent(owner.get(), Counted::new);
    if (number(before) == 1 && !counted.over.contains(id)) {
      return Optional.empty();
    }
    counted.countOn(share);
    counted.leaveOutOver(share, written);
    return counted.count < share
        ? Optional.empty()
        : Optional.of(problem(owner.get(), limit, counted.count, share));
  }

  /** Adjusts the counts to a changed schedule. */
  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    boolean isFollowed = !counts.isEmpty() && !isSame(before, after);
    if (isFollowed) {
      limits.of(id).map(counts::get).ifPresent(counted -> counted.changed(id, before, after));
    }
  }

  /** The most schedules that one of several partitions accepts. */
  static int share(int limit, int partitions) {
    double mean = (double) limit / partitions;
    double deviation = Math.sqrt(mean * (1 - 1.0 / partitions));
    return (int) Math.min(limit, Math.ceil(mean + DEVIATIONS * deviation) + 1);
  }

  private ScheduleStore.Slice read(Owner owner, Optional<ScheduleId> after) {
    ScheduleStore.Slice slice = schedules.rowsWith(owner.prefix(), after, SLICE);
    for (ScheduleStore.Row row : slice.rows()) {
      int bytes = row.stored().accepted().snapshot().body().length;
      effort.count(STEPS_OF_ROW + bytes / BYTES_OF_STEP);
    }
    return slice;
  }

  /** A schedule that counts until an instant. */
  private record Ending(Instant at, ScheduleId id) {
    static final Comparator<Ending> ORDER =
        Comparator.comparing(Ending::at).thenComparing(Ending::id);
  }

  /** The schedules of an owner among those that were counted so far. */
  private final class Counted {
    private final Owner owner;
    private int count;
    private Optional<ScheduleId> reached = Optional.empty();
    private boolean isWhole;

    /** Those that count no more, though they have not been completed. */
    private final Set<ScheduleId> over = new HashSet<>();

    /** Those that were found to end, and still count. */
    private final NavigableSet<Ending> ending = new TreeSet<>(Ending.ORDER);

    private final Map<ScheduleId, Instant> endsAt = new HashMap<>();

    /** Inclusive: the search finds all that end up to here. Empty before the first search. */
    private Optional<Instant> through = Optional.empty();

    /** How far the search is that goes on. */
    private Optional<ScheduleId> searched = Optional.empty();

    private boolean isSearched;

    Counted(Owner owner) {
      this.owner = owner;
    }

    /** Counts one more part, unless the count has reached {@code enough}. */
    void countOn(int enough) {
      for (int left = PART; left > 0 && !isWhole && count < enough; left -= SLICE) {
        ScheduleStore.Slice slice = read(owner, reached);
        for (ScheduleStore.Row row : slice.rows()) {
          boolean isOf = limits.of(row.id()).equals(Optional.of(owner));
          count += isOf && row.stored().completedAt().isEmpty() ? 1 : 0;
          reached = Optional.of(row.id());
        }
        isWhole = slice.isLast();
        isSearched = false;
        searched = Optional.empty();
      }
    }

    /**
     * Looks for schedules that are over, if need be in one more part, until there is room. A part
     * is shorter where the ends of schedules are costly to find.
     */
    void leaveOutOver(int share, Instant by) {
      leaveOutEnded(share, by);
      long enough = effort.total() + Slice.ENOUGH_STEPS;
      for (int left = PART;
          left > 0 && effort.total() < enough && count >= share && !knowsAll(by);
          left -= SLICE) {
        search(by, enough);
        leaveOutEnded(share, by);
      }
    }

    private void leaveOutEnded(int share, Instant by) {
      while (count >= share && !ending.isEmpty() && !ending.first().at().isAfter(by)) {
        ScheduleId id = ending.first().id();
        forget(id);
        over.add(id);
        count--;
      }
    }

    private boolean knowsAll(Instant by) {
      return over.size() >= MOST_OVER || (isSearched && through.filter(by::isAfter).isEmpty());
    }

    private void search(Instant by, long enough) {
      if (searched.isEmpty()) {
        Instant now = clock.get();
        through = Optional.of((by.isAfter(now) ? by : now).plus(AHEAD));
      }
      ScheduleStore.Slice slice = read(owner, searched);
      for (ScheduleStore.Row row : slice.rows()) {
        if (isCounted(row)) {
          note(row.id(), row.stored().accepted(), Optional.empty());
        }
        searched = Optional.of(row.id());
        if (effort.total() >= enough) {
          return;
        }
      }
      isSearched = slice.isLast();
      if (isSearched) {
        searched = Optional.empty();
      }
    }

    private void note(ScheduleId id, Accepted accepted, Optional<ScheduleState> unstored) {
      forget(id);
      Optional<Instant> at =
          through.flatMap(horizon -> ends.overSince(id, accepted, unstored, horizon));
      if (at.isEmpty()) {
        return;
      }
      endsAt.put(id, at.get());
      ending.add(new Ending(at.get(), id));
      if (ending.size() > MOST_ENDING) {
        Ending last = ending.last();
        forget(last.id());
        through = Optional.of(last.at().minusMillis(1));
      }
    }

    private void forget(ScheduleId id) {
      Instant at = endsAt.remove(id);
      if (at != null) {
        ending.remove(new Ending(at, id));
      }
    }

    private boolean isCounted(ScheduleStore.Row row) {
      return row.stored().completedAt().isEmpty()
          && isReached(row.id())
          && !over.contains(row.id())
          && limits.of(row.id()).equals(Optional.of(owner));
    }

    private boolean isReached(ScheduleId id) {
      return isWhole || reached.filter(last -> id.compareTo(last) <= 0).isPresent();
    }

    void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
      if (!isReached(id)) {
        return;
      }
      count += number(after) - (over.remove(id) ? 0 : number(before));
      forget(id);
      after
          .filter(state -> number(after) == 1)
          .ifPresent(state -> note(id, state.current(), after));
    }
  }

  /** True when neither the definition nor the completion changes, nor whether it is held. */
  @SuppressWarnings("ReferenceEquality") // an equal definition of a new life is another object
  private static boolean isSame(Optional<ScheduleState> before, Optional<ScheduleState> after) {
    return before.isPresent()
        && after.isPresent()
        && number(before) == number(after)
        && before.get().isHeld() == after.get().isHeld()
        && before.get().current() == after.get().current();
  }

  private static int number(Optional<ScheduleState> state) {
    return state.filter(it -> it.completedAt().isEmpty()).isPresent() ? 1 : 0;
  }

  private Problem problem(Owner owner, int limit, int count, int share) {
    String usage =
        partitions == 1
            ? count + " of the " + limit + " schedules that it may have"
            : ("%s schedules in this partition, which accepts %s of the %s that it may"
                    + " have in all")
                .formatted(count, share, limit);
    return Problem.newBuilder()
        .setField("")
        .setMessage(
            ("%s has %s (owner.limits, schedules); delete some that are not needed,"
                    + " or ask the operator for more")
                .formatted(owner.name(), usage))
        .build();
  }
}

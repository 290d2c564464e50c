package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many schedules each owner has in this partition, completed ones not counted; and whether it
 * may have one more.
 *
 * <p>A task sees its own partition only, and the limit is meant for all. Ids spread over the
 * partitions as a hash spreads them: with a limit of {@code L} over {@code P} partitions one that
 * has taken its part of {@code L} schedules has {@code m = L / P} of them, with a standard
 * deviation of {@code sqrt(m (1 - 1/P))}. A partition takes four deviations and one more than
 * {@code m}: an owner below its limit is refused in no more than about one partition of ten
 * thousand, and with one partition the limit is exact.
 *
 * <p>An owner is counted when schedules of it are first defined after the assignment. Each
 * definition counts a bounded part of what the owner has, from where the one before came to, so
 * that none holds the thread; an owner with many schedules may so get one more for each part that
 * is not counted yet. From then on it is counted with each change, which costs a look into a small
 * map.
 */
final class OwnerCounts {
  /** How many schedules a definition counts at most: some milliseconds. */
  static final int PART = 4_096;

  private static final int SLICE = 512;
  private static final double DEVIATIONS = 4;

  private final OwnerLimits limits;
  private final int partitions;
  private final ScheduleStore schedules;
  private final Map<Owner, Counted> counts = new HashMap<>();

  OwnerCounts(OwnerLimits limits, int partitions, ScheduleStore schedules) {
    this.limits = limits;
    this.partitions = partitions;
    this.schedules = schedules;
  }

  /** Why a schedule may not become what it would; empty when it may. */
  Optional<Problem> tooMany(
      ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    if (limits.owners().isEmpty() || number(after) <= number(before)) {
      return Optional.empty();
    }
    Optional<Owner> owner = limits.of(id).filter(found -> found.schedules().isPresent());
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    int limit = owner.get().schedules().get();
    int share = share(limit, partitions);
    Counted counted = counts.computeIfAbsent(owner.get(), Counted::new);
    counted.goOn(share);
    return counted.count < share
        ? Optional.empty()
        : Optional.of(problem(owner.get(), limit, counted.count, share));
  }

  /** The state of a schedule is another from now on. */
  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    if (counts.isEmpty()) {
      return;
    }
    int change = number(after) - number(before);
    if (change != 0) {
      limits.of(id).map(counts::get).ifPresent(counted -> counted.changed(id, change));
    }
  }

  /** What one of several partitions takes of a limit. */
  static int share(int limit, int partitions) {
    if (partitions == 1) {
      return limit;
    }
    double mean = (double) limit / partitions;
    double deviation = Math.sqrt(mean * (1 - 1.0 / partitions));
    return (int) Math.min(limit, Math.ceil(mean + DEVIATIONS * deviation) + 1);
  }

  /** How many schedules an owner has among those that were passed. */
  private final class Counted {
    private final Owner owner;
    private int count;
    private Optional<ScheduleId> reached = Optional.empty();
    private boolean isWhole;

    Counted(Owner owner) {
      this.owner = owner;
    }

    /** Counts a part more, unless there are enough already. */
    void goOn(int enough) {
      for (int left = PART; left > 0 && !isWhole && count < enough; left -= SLICE) {
        ScheduleStore.Slice slice = schedules.rowsWith(owner.prefix(), reached, SLICE);
        for (ScheduleStore.Row row : slice.rows()) {
          boolean isOf = limits.of(row.id()).equals(Optional.of(owner));
          count += isOf && row.stored().completedAt().isEmpty() ? 1 : 0;
          reached = Optional.of(row.id());
        }
        isWhole = slice.isLast();
      }
    }

    void changed(ScheduleId id, int change) {
      if (isWhole || reached.filter(last -> id.compareTo(last) <= 0).isPresent()) {
        count += change;
      }
    }
  }

  private static boolean counts(ScheduleState state) {
    return state.completedAt().isEmpty();
  }

  private static int number(Optional<ScheduleState> state) {
    return state.filter(OwnerCounts::counts).isPresent() ? 1 : 0;
  }

  private Problem problem(Owner owner, int limit, int count, int share) {
    String what =
        partitions == 1
            ? count + " of the " + limit + " schedules that it may have"
            : count
                + " schedules in this partition, which takes "
                + share
                + " of the "
                + limit
                + " that it may have in all";
    return Problem.newBuilder()
        .setField("")
        .setMessage(
            owner.name()
                + " has "
                + what
                + " (owner.limits, schedules); delete some that are not needed, or ask the operator"
                + " for more")
        .build();
  }
}

package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.decide.OwnerLimits;
import io.waterclock.topology.decide.OwnerLimits.Owner;
import io.waterclock.topology.decide.ScheduleState;
import io.waterclock.topology.state.ScheduleStore;
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
 * <p>An owner is counted when a schedule of it is first defined after the assignment, which costs a
 * pass over what it has, and from then on with each change, which costs a look into a small map.
 */
final class OwnerCounts {
  private static final int SLICE = 512;
  private static final double DEVIATIONS = 4;

  private final OwnerLimits limits;
  private final int partitions;
  private final ScheduleStore schedules;
  private final Map<Owner, Integer> counts = new HashMap<>();

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
    int count = counts.computeIfAbsent(owner.get(), this::count);
    return count < share
        ? Optional.empty()
        : Optional.of(problem(owner.get(), limit, count, share));
  }

  /** The state of a schedule is another from now on. */
  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    if (counts.isEmpty()) {
      return;
    }
    int change = number(after) - number(before);
    if (change != 0) {
      limits.of(id).ifPresent(owner -> counts.computeIfPresent(owner, (o, n) -> n + change));
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

  private int count(Owner owner) {
    int count = 0;
    Optional<ScheduleId> last = Optional.empty();
    ScheduleStore.Slice slice;
    do {
      slice = schedules.rowsWith(owner.prefix(), last, SLICE);
      for (ScheduleStore.Row row : slice.rows()) {
        boolean isOf = limits.of(row.id()).equals(Optional.of(owner));
        count += isOf && row.stored().completedAt().isEmpty() ? 1 : 0;
        last = Optional.of(row.id());
      }
    } while (!slice.isLast());
    return count;
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

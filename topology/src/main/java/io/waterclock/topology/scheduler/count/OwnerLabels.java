package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.text.SafeText;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The owners of schedules as labels of metrics, bounded in number and length: the owner of the
 * definition, or else the id up to its first slash. The first ones that are asked for have labels
 * of their own for as long as the task lives, so that what was counted under one label is taken
 * from the same label. Not thread-safe.
 */
final class OwnerLabels {
  /** The largest number of labels in a partition, beside the last two. */
  static final int MOST = 100;

  /** Of all owners that came later. */
  static final String OTHER = "other";

  /** Of a schedule that names no owner, and whose id has no slash. */
  static final String NONE = "none";

  private static final int LONGEST = 64;

  private final Set<String> known = new HashSet<>();

  String of(ScheduleState state) {
    return of(state.id(), Optional.ofNullable(state.current().schedule().getOwner()));
  }

  /**
   * @param named the owner of its definition; empty if it has none, or is gone
   */
  String of(ScheduleId id, Optional<String> named) {
    String owner = owner(id, named);
    if (owner.equals(NONE) || known.contains(owner)) {
      return owner;
    }
    return known.size() < MOST && known.add(owner) ? owner : OTHER;
  }

  private static String owner(ScheduleId id, Optional<String> named) {
    int slash = id.value().indexOf('/');
    return named
        .filter(owner -> !owner.isBlank())
        .or(() -> slash < 0 ? Optional.empty() : Optional.of(id.value().substring(0, slash)))
        .map(owner -> SafeText.beginning(owner, LONGEST))
        .orElse(NONE);
  }
}

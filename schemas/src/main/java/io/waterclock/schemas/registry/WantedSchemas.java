package io.waterclock.schemas.registry;

import java.util.LinkedHashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The ids of schemas that are to be asked for, in an order that a flood of ids which do not exist
 * cannot hold a valid one up in.
 *
 * <p>Idea: two orders take turns. One is by age, so that each id gets its turn. The other is by the
 * id, the lowest first: registries count their schemas, so few ids below a valid one do not exist,
 * and the lowest always get in. Example: of 5,000 made-up ids a second up to two billion hardly any
 * is below the id of a schema that was registered a moment ago, which is the next to be asked for.
 *
 * <p>At most twice {@value #MOST} ids. For one thread at a time.
 */
final class WantedSchemas {
  static final int MOST = 500;

  private final Set<Integer> oldest = new LinkedHashSet<>();
  private final TreeSet<Integer> lowest = new TreeSet<>();
  private boolean byAge;

  /** Adds an id, unless there is no room: then who wants it has to come again. */
  void add(int id) {
    if (oldest.size() < MOST) {
      oldest.add(id);
    }
    if (lowest.size() < MOST) {
      lowest.add(id);
    } else if (id < lowest.last() && lowest.add(id)) {
      lowest.pollLast();
    }
  }

  void remove(int id) {
    oldest.remove(id);
    lowest.remove(id);
  }

  boolean isEmpty() {
    return oldest.isEmpty() && lowest.isEmpty();
  }

  /**
   * Whose turn it is; empty when there is nobody else.
   *
   * @param but not these
   */
  OptionalInt next(Set<Integer> but) {
    byAge = !byAge;
    return Stream.concat((byAge ? oldest : lowest).stream(), (byAge ? lowest : oldest).stream())
        .filter(id -> !but.contains(id))
        .mapToInt(Integer::intValue)
        .findFirst();
  }
}

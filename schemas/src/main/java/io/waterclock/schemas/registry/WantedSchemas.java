package io.waterclock.schemas.registry;

import java.util.LinkedHashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The ids of wanted schemas, in an order in which a flood of ids that do not exist cannot delay a
 * valid one.
 *
 * <p>Idea: two orders alternate. One is by age, so that each id is requested at some time. The
 * other is by id, lowest first: registries number their schemas, so few ids below a valid one do
 * not exist, and the queue always accepts the lowest. Example: of 5,000 made-up ids a second up to
 * two billion hardly any is below the id of a schema that was registered a moment ago, which is the
 * next to be asked for.
 *
 * <p>At most twice {@value #MOST} ids. For one thread at a time.
 */
final class WantedSchemas {
  static final int MOST = 500;

  private final Set<Integer> oldest = new LinkedHashSet<>();
  private final TreeSet<Integer> lowest = new TreeSet<>();
  private boolean byAge;

  /** Adds an id if there is room. Otherwise the caller must ask again. */
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
   * The next id; empty if there is no other.
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

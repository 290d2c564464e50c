package io.waterclock.definition;

import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The calendars that a task knows, each with the versions that may still apply to undecided
 * occurrences. The version in force at an occurrence applies to it, independently of when it is
 * decided. So a change of a calendar affects the future only, and downtime has no effect.
 *
 * <p>Memory holds the newest version of each used calendar, which nearly all look-ups use, and the
 * most recently used older version: a calendar of 10,000 dates takes 160 KB and may have a thousand
 * versions. A version is loaded at its first use, by the thread that uses it. Otherwise immutable.
 */
public final class Calendars {
  public static final Calendars NONE = new Calendars(Map.of());

  private final Map<String, List<InForce>> byName;

  /** Those that exist after the last change. */
  private final Set<String> names;

  private final Instant lastChange;

  /**
   * @param after exclusive
   * @param namedFrom inclusive
   */
  private record InForce(
      Instant after, Instant namedFrom, Supplier<CalendarDays> days, boolean deleted) {}

  /**
   * A version whose dates can be loaded.
   *
   * @param effectiveAt as in {@link CalendarVersion}
   * @param namedFrom inclusive: when the calendar began to exist, or ended if {@code deleted};
   *     empty if it may have been so always
   * @param load loads the calendar; called again at each need
   */
  public record Loadable(
      Optional<Instant> effectiveAt,
      Optional<Instant> namedFrom,
      boolean deleted,
      Supplier<Optional<Calendar>> load) {}

  private Calendars(Map<String, List<InForce>> byName) {
    this.byName = byName;
    this.lastChange =
        byName.values().stream()
            .map(versions -> versions.get(versions.size() - 1).namedFrom())
            .max(Comparator.naturalOrder())
            .orElse(Instant.MIN);
    this.names = existing(lastChange, lastChange);
  }

  /**
   * These calendars with changes for some names.
   *
   * @param changed all versions of each changed name, oldest first; an empty list removes the name
   */
  public Calendars with(Map<String, List<CalendarVersion>> changed) {
    Map<String, List<Loadable>> loadable = new HashMap<>();
    changed.forEach(
        (name, versions) ->
            loadable.put(
                name,
                versions.stream()
                    .map(
                        version ->
                            new Loadable(
                                version.effectiveAt(),
                                version.effectiveAt(),
                                version.calendar().isEmpty(),
                                version::calendar))
                    .toList()));
    return loading(loadable);
  }

  /** As {@link #with}, with versions that need not stay in memory. */
  public Calendars loading(Map<String, List<Loadable>> changed) {
    Map<String, List<InForce>> all = new HashMap<>(byName);
    changed.forEach(
        (name, versions) -> {
          if (versions.isEmpty()) {
            all.remove(name);
          } else {
            all.put(name, inForce(versions));
          }
        });
    return new Calendars(Map.copyOf(all));
  }

  private static List<InForce> inForce(List<Loadable> versions) {
    LatelyUsed newest = new LatelyUsed();
    LatelyUsed older = new LatelyUsed();
    List<InForce> all = new ArrayList<>();
    for (Loadable version : versions) {
      boolean isNewest = all.size() == versions.size() - 1;
      all.add(
          new InForce(
              all.isEmpty() ? Instant.MIN : version.effectiveAt().orElse(Instant.MIN),
              version.namedFrom().orElse(Instant.MIN),
              () -> (isNewest ? newest : older).of(version),
              version.deleted()));
    }
    return List.copyOf(all);
  }

  /**
   * The most recently used version of a calendar: the newest one, or one of the older ones. One of
   * these is enough, because ranges are processed in order.
   */
  private static final class LatelyUsed {
    private record Loaded(Loadable version, CalendarDays days) {}

    private Optional<Loaded> latest = Optional.empty();

    @SuppressWarnings("ReferenceEquality") // the same object: an equal version is loaded again
    CalendarDays of(Loadable wanted) {
      Optional<Loaded> last = latest;
      if (last.isPresent() && last.get().version() == wanted) {
        return last.get().days();
      }
      CalendarDays days = wanted.load().get().map(CalendarDays::of).orElse(CalendarDays.NONE);
      latest = Optional.of(new Loaded(wanted, days));
      return days;
    }
  }

  /**
   * The names that existed at any time from {@code from} through {@code through}, in order. Costs a
   * look at each calendar if one has changed since {@code from}.
   */
  public Set<String> names(Instant from, Instant through) {
    return from.isBefore(lastChange) ? existing(from, through) : names;
  }

  private Set<String> existing(Instant from, Instant through) {
    Set<String> existing = new TreeSet<>();
    byName.forEach(
        (name, versions) -> {
          if (exists(versions, from, through)) {
            existing.add(name);
          }
        });
    return Collections.unmodifiableSet(existing);
  }

  private static boolean exists(List<InForce> versions, Instant from, Instant through) {
    for (int i = versions.size() - 1; i >= 0; i--) {
      InForce version = versions.get(i);
      if (version.namedFrom().isAfter(through)) {
        continue;
      }
      if (!version.deleted()) {
        return true;
      }
      if (!version.namedFrom().isAfter(from)) {
        return false;
      }
    }
    return false;
  }

  /** An unknown calendar has no versions. */
  History history(String name) {
    return new History(byName.getOrDefault(name, List.of()));
  }

  /** The versions of one calendar, oldest first. */
  record History(List<InForce> versions) {

    /** The days that apply to an occurrence. */
    CalendarDays at(Instant at) {
      return versions.isEmpty()
          ? CalendarDays.NONE
          : versions.get(Math.max(0, after(at) - 1)).days().get();
    }

    /** The index of the first version that takes effect at or after an instant. */
    private int after(Instant at) {
      int low = 0;
      int high = versions.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (versions.get(middle).after().isBefore(at)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /**
     * The last instant, inclusive, to which the version for {@code at} applies; {@link Instant#MAX}
     * for the newest.
     */
    Instant judgesThrough(Instant at) {
      int next = after(at);
      return next < versions.size() ? versions.get(next).after() : Instant.MAX;
    }
  }
}

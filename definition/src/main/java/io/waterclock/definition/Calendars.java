package io.waterclock.definition;

import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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
 * <p>Memory holds the newest version of each calendar, which nearly all look-ups use, and the most
 * recently used older version: a calendar of 10,000 dates takes 160 KB and may have a thousand
 * versions. Otherwise immutable. For one thread if older versions are loaded.
 */
public final class Calendars {
  /** No calendar is known. */
  public static final Calendars NONE = new Calendars(Map.of());

  private final Map<String, List<InForce>> byName;
  private final Set<String> names;

  /**
   * @param after exclusive
   */
  private record InForce(Instant after, Supplier<ExcludedDays> days, boolean deleted) {}

  /**
   * A version whose dates can be loaded.
   *
   * @param effectiveAt as in {@link CalendarVersion}
   * @param load loads the calendar; called again at each need
   */
  public record Loadable(
      Optional<Instant> effectiveAt, boolean deleted, Supplier<Optional<Calendar>> load) {}

  private Calendars(Map<String, List<InForce>> byName) {
    this.byName = byName;
    Set<String> usable = new TreeSet<>();
    byName.forEach(
        (name, versions) -> {
          if (!versions.get(versions.size() - 1).deleted()) {
            usable.add(name);
          }
        });
    this.names = Collections.unmodifiableSet(usable);
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
    LatelyUsed older = new LatelyUsed();
    List<InForce> all = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      Loadable version = versions.get(i);
      boolean isNewest = i == versions.size() - 1;
      ExcludedDays newest = isNewest ? compiled(version) : ExcludedDays.NONE;
      all.add(
          new InForce(
              version.effectiveAt().orElse(Instant.MIN),
              isNewest ? () -> newest : () -> older.of(version),
              version.deleted()));
    }
    return List.copyOf(all);
  }

  private static ExcludedDays compiled(Loadable version) {
    return version.load().get().map(ExcludedDays::of).orElse(ExcludedDays.NONE);
  }

  /**
   * The most recently used older version of a calendar. One is enough, because ranges are processed
   * in order.
   */
  private static final class LatelyUsed {
    private Optional<Loadable> version = Optional.empty();
    private ExcludedDays days = ExcludedDays.NONE;

    @SuppressWarnings("ReferenceEquality") // the same object: an equal version is loaded again
    ExcludedDays of(Loadable wanted) {
      if (version.isEmpty() || version.get() != wanted) {
        days = compiled(wanted);
        version = Optional.of(wanted);
      }
      return days;
    }
  }

  /** The names that a schedule may use now, in order. */
  public Set<String> names() {
    return names;
  }

  /** An unknown calendar has no versions. */
  History history(String name) {
    return new History(byName.getOrDefault(name, List.of()));
  }

  /** The versions of one calendar, oldest first. */
  record History(List<InForce> versions) {

    /** The days that apply to an occurrence. */
    ExcludedDays at(Instant at) {
      return versions.isEmpty()
          ? ExcludedDays.NONE
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

package io.waterclock.definition;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
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
 * The calendars as a task knows them, each with the versions that occurrences may still have to be
 * judged by. An occurrence is judged by the version that was in force at its own instant, whenever
 * it is decided; so a change of a calendar affects the future only, and an outage does not show.
 *
 * <p>In memory are the newest version of each, by which nearly everything is judged, and the one
 * older version that was asked for last: a calendar of 10,000 dates takes 160 KB, and it may have a
 * thousand versions. Immutable but for that; of one thread where older versions are loaded.
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
   * A version whose dates can be asked for.
   *
   * @param effectiveAt as in {@link CalendarVersion}
   * @param load gives what the calendar said; asked again whenever it is needed again
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
   * As given, but for some names.
   *
   * @param changed all versions of each of these, oldest first; an empty list forgets the name
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

  /** As {@link #with}, of versions that need not stay in memory. */
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

  /** The older version of a calendar that was asked for last: ranges are judged in their order. */
  private static final class LatelyUsed {
    private Optional<Loadable> version = Optional.empty();
    private ExcludedDays days = ExcludedDays.NONE;

    @SuppressWarnings("ReferenceEquality") // the very version: what is equal to it is loaded anew
    public ExcludedDays of(Loadable wanted) {
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

  /**
   * What the calendars that a schedule names exclude of it. One that is not known excludes nothing.
   *
   * @param effort from which its steps are spent
   */
  public Exclusions of(Schedule schedule, ZoneId zone, Effort effort) {
    List<History> histories =
        schedule.getExcept().stream()
            .map(name -> new History(byName.getOrDefault(name, List.of())))
            .toList();
    boolean moves = schedule.getOnExcluded() == OnExcluded.NEXT_WORKING_DAY;
    return new Exclusions(zone, histories, moves, effort);
  }

  /** The versions of one calendar, oldest first. */
  record History(List<InForce> versions) {

    /** What it excludes of the occurrences at an instant. */
    ExcludedDays at(Instant at) {
      return versions.isEmpty()
          ? ExcludedDays.NONE
          : versions.get(Math.max(0, after(at) - 1)).days().get();
    }

    /** The index of the first version that begins to judge at or after an instant. */
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
     * Inclusive: until when the version that judges {@code at} does so; the far future for ever.
     */
    Instant judgesThrough(Instant at) {
      int next = after(at);
      return next < versions.size() ? versions.get(next).after() : Instant.MAX;
    }
  }
}

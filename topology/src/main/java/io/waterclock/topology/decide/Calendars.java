package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The calendars as a task knows them, each with the versions that occurrences may still have to be
 * judged by. An occurrence is judged by the version that was in force at its own instant, whenever
 * it is decided; so a change of a calendar affects the future only, and an outage does not show.
 *
 * <p>Immutable and thread-safe.
 */
public final class Calendars {
  /** No calendar is known. */
  public static final Calendars NONE = new Calendars(Map.of());

  private final Map<String, List<InForce>> byName;
  private final Set<String> names;

  /**
   * @param after exclusive
   */
  private record InForce(Instant after, ExcludedDays days, boolean deleted) {}

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
    Map<String, List<InForce>> all = new HashMap<>(byName);
    changed.forEach(
        (name, versions) -> {
          if (versions.isEmpty()) {
            all.remove(name);
          } else {
            all.put(name, versions.stream().map(Calendars::compiled).toList());
          }
        });
    return new Calendars(Map.copyOf(all));
  }

  private static InForce compiled(CalendarVersion version) {
    return new InForce(
        version.effectiveAt().orElse(Instant.MIN),
        version.calendar().map(ExcludedDays::of).orElse(ExcludedDays.NONE),
        version.calendar().isEmpty());
  }

  /** The names that a schedule may use now, in order. */
  public Set<String> names() {
    return names;
  }

  /**
   * What the calendars that a schedule names exclude of it. One that is not known excludes nothing.
   */
  Exclusions of(Schedule schedule, ZoneId zone) {
    List<History> histories =
        schedule.getExcept().stream()
            .map(name -> new History(byName.getOrDefault(name, List.of())))
            .toList();
    return new Exclusions(zone, histories, schedule.getOnExcluded() == OnExcluded.NEXT_WORKING_DAY);
  }

  /** The versions of one calendar, oldest first. */
  record History(List<InForce> versions) {

    /** What it excludes of the occurrences at an instant. */
    ExcludedDays at(Instant at) {
      for (int i = versions.size() - 1; i >= 0; i--) {
        if (versions.get(i).after().isBefore(at)) {
          return versions.get(i).days();
        }
      }
      return versions.isEmpty() ? ExcludedDays.NONE : versions.get(0).days();
    }

    /**
     * Inclusive: until when the version that judges {@code at} does so; the far future for ever.
     */
    Instant judgesThrough(Instant at) {
      Instant through = Instant.MAX;
      for (int i = versions.size() - 1; i >= 0 && !versions.get(i).after().isBefore(at); i--) {
        through = versions.get(i).after();
      }
      return through;
    }
  }
}

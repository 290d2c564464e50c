package io.waterclock.decide.whatif;

import static java.util.stream.Collectors.toList;

import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers which occurrences of a schedule an edit, a calendar or other time-zone data add, remove
 * or move in a window of time. Reads no clock and no topic.
 *
 * <p>Idea: compute both lists of occurrences with the scheduler's own timetables, and compare them.
 * An occurrence is moved if it keeps its nominal instant and fires at another one. Of the others, a
 * removed and an added one are one moved occurrence if they have the same wall-clock time, or if no
 * other occurrence is removed or added on their date. Example: an edit from 09:00 to 10:00 moves an
 * occurrence a day; an edit from daily to hourly adds 23 a day.
 *
 * <p>Equal plans with equal zone rules and calendars cost nothing. Other ones cost a search of the
 * trigger for each occurrence, about a second for each side at most; then the difference ends
 * early. Thread-safe.
 *
 * @param most the largest number of occurrences of one schedule on one side
 */
public record WhatIf(Side before, Side after, TimeFrame window, int most) {
  private static final Duration LONGEST = Duration.ofDays(3_660);

  /**
   * Compares two plans of one schedule.
   *
   * @param old empty if the schedule does not exist before
   * @param changed empty if it does not exist afterwards
   */
  public ScheduleDifference compare(String id, Optional<Plan> old, Optional<Plan> changed) {
    List<String> problems = new ArrayList<>();
    if (old.equals(changed) && old.filter(this::isAlike).isPresent()) {
      return new ScheduleDifference(id, List.of(), 0, 0, Optional.empty(), problems);
    }
    Forecast first = forecast(old, before, problems, "before: ");
    Forecast second = forecast(changed, after, problems, "after: ");
    Optional<Instant> until =
        Stream.of(first.brokenOffAt(), second.brokenOffAt())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    first = first.before(until);
    second = second.before(until);
    return new ScheduleDifference(
        id,
        problems.isEmpty()
            ? changes(first.fires(), zone(old, before), second.fires(), zone(changed, after))
            : List.of(),
        first.fires().size(),
        second.fires().size(),
        until,
        List.copyOf(problems));
  }

  /**
   * The next occurrences of a plan that fire at {@code now} or later, ascending; fewer if there are
   * no more within ten years, or if they are costly to find.
   *
   * @param now a whole millisecond: everything due before is decided
   * @param most at least 1
   * @throws io.waterclock.occurrences.core.InvalidTriggerException if the zone is unknown
   */
  public static List<Occurrence> next(Plan plan, Side side, Instant now, int most) {
    return Forecast.of(plan, side, new TimeFrame(now, now.plus(LONGEST)), most).fires();
  }

  private boolean isAlike(Plan plan) {
    try {
      return before.isAlikeFor(plan.schedule(), after);
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  private Forecast forecast(Optional<Plan> plan, Side side, List<String> problems, String where) {
    try {
      return plan.map(one -> Forecast.of(one, side, window, most)).orElse(Forecast.NONE);
    } catch (InvalidTriggerException e) {
      problems.add(where + e.getMessage());
      return Forecast.NONE;
    }
  }

  private static ZoneId zone(Optional<Plan> plan, Side side) {
    return plan.map(Plan::schedule).map(side::zone).orElse(ZoneOffset.UTC);
  }

  private static List<OccurrenceChange> changes(
      List<Occurrence> before, ZoneId zoneBefore, List<Occurrence> after, ZoneId zoneAfter) {
    Map<Instant, Occurrence> gone = new LinkedHashMap<>();
    before.forEach(occurrence -> gone.put(occurrence.at(), occurrence));
    Map<Instant, Occurrence> added = new LinkedHashMap<>();
    List<OccurrenceChange> changes = new ArrayList<>();
    for (Occurrence occurrence : after) {
      Optional<Occurrence> same = Optional.ofNullable(gone.remove(occurrence.at()));
      if (same.isEmpty()) {
        added.put(occurrence.at(), occurrence);
      } else if (!same.get().due().equals(occurrence.due())) {
        changes.add(new OccurrenceChange(same, Optional.of(occurrence)));
      }
    }
    List<Function<LocalDateTime, Object>> keys = List.of(time -> time, LocalDateTime::toLocalDate);
    for (Function<LocalDateTime, Object> key : keys) {
      moved(
              byKey(gone, at -> key.apply(LocalDateTime.ofInstant(at, zoneBefore))),
              byKey(added, at -> key.apply(LocalDateTime.ofInstant(at, zoneAfter))))
          .forEach(
              change -> {
                gone.remove(change.before().orElseThrow().at());
                added.remove(change.after().orElseThrow().at());
                changes.add(change);
              });
    }
    gone.values()
        .forEach(one -> changes.add(new OccurrenceChange(Optional.of(one), Optional.empty())));
    added
        .values()
        .forEach(one -> changes.add(new OccurrenceChange(Optional.empty(), Optional.of(one))));
    changes.sort(Comparator.comparing(OccurrenceChange::firstDue));
    return List.copyOf(changes);
  }

  private static <K> Map<K, List<Occurrence>> byKey(
      Map<Instant, Occurrence> occurrences, Function<Instant, K> key) {
    return occurrences.values().stream()
        .collect(Collectors.groupingBy(one -> key.apply(one.at()), LinkedHashMap::new, toList()));
  }

  /** The only removed and the only added occurrence of a key are one moved occurrence. */
  private static <K> List<OccurrenceChange> moved(
      Map<K, List<Occurrence>> gone, Map<K, List<Occurrence>> added) {
    List<OccurrenceChange> moved = new ArrayList<>();
    added.forEach(
        (key, now) -> {
          List<Occurrence> old = gone.getOrDefault(key, List.of());
          if (old.size() == 1 && now.size() == 1) {
            moved.add(new OccurrenceChange(Optional.of(old.get(0)), Optional.of(now.get(0))));
          }
        });
    return moved;
  }
}

package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.occurrences.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Counts the load ahead, as a whole and by group. Schedules of one cron expression and zone in a
 * group are counted together, and the others one by one, or a sample of them where there are many.
 * Of more than {@value #MOST_GROUPS} groups, those with the fewest schedules are one. Not
 * thread-safe.
 */
final class LoadSurvey {
  static final int MOST_GROUPS = 50;

  /** The name of the group of all groups that are too many. */
  static final String REST = "…";

  /** Of counting one by one: some seconds. */
  private static final long MOST_STEPS = 20_000_000;

  /** The same numbers give the same sample. */
  private static final long SEED = 24;

  private final LoadQuestion question;
  private Map<String, Group> groups = new HashMap<>();

  LoadSurvey(LoadQuestion question) {
    this.question = question;
  }

  private static final class Group {
    final Map<String, Alike> alike = new HashMap<>();
    final List<String> others = new ArrayList<>();
    long schedules;

    void add(Group other) {
      schedules += other.schedules;
      others.addAll(other.others);
      other.alike.forEach(
          (key, one) -> alike.computeIfAbsent(key, k -> new Alike(one.id)).number += one.number);
    }
  }

  /** Schedules with the same occurrences to come. */
  private static final class Alike {
    final String id;
    long number;

    Alike(String id) {
      this.id = id;
    }
  }

  /** Takes an active schedule. */
  void take(ScheduleEntry entry, ToIntFunction<String> partition) {
    Group group = groups.computeIfAbsent(question.group(entry, partition), name -> new Group());
    group.schedules++;
    if (entry.isAlike) {
      String key = entry.trigger + " " + entry.zone;
      group.alike.computeIfAbsent(key, k -> new Alike(entry.id)).number++;
    } else {
      group.others.add(entry.id);
    }
  }

  /**
   * Counts what was taken.
   *
   * @param schedules finds a schedule by its id
   */
  LoadAhead count(
      Function<String, Optional<KnownSchedule>> schedules, Upcoming upcoming, Instant now) {
    merge();
    Duration jitter = question.jitter();
    Upcoming single = jitter.isZero() ? upcoming : upcoming.with(Jitter.of(jitter));
    Map<String, LoadCounter> counters = new HashMap<>();
    List<String[]> others = new ArrayList<>();
    groups.forEach(
        (name, group) -> {
          LoadCounter counter = new LoadCounter(now);
          counters.put(name, counter);
          group
              .alike
              .values()
              .forEach(
                  alike ->
                      schedules
                          .apply(alike.id)
                          .ifPresent(
                              known -> {
                                if (alike.number == 1) {
                                  counter.add(known, single, 1);
                                } else {
                                  counter.add(known, upcoming, alike.number, jitter);
                                }
                              }));
          group.others.forEach(id -> others.add(new String[] {name, id}));
        });
    Collections.shuffle(others, new Random(SEED));
    Map<String, LoadCounter> samples = new HashMap<>();
    long steps = 0;
    int counted = 0;
    while (counted < others.size() && steps < MOST_STEPS) {
      String[] one = others.get(counted++);
      LoadCounter sample = samples.computeIfAbsent(one[0], name -> new LoadCounter(now));
      long before = sample.steps();
      schedules.apply(one[1]).ifPresent(known -> sample.add(known, single, 1));
      steps += sample.steps() - before;
    }
    groups.forEach(
        (name, group) -> {
          LoadCounter sample = samples.get(name);
          LoadCounter counter = counters.get(name);
          if (sample != null && counter != null) {
            counter.addSample(sample, group.others.size());
          }
        });
    return result(counters, counted < others.size(), now);
  }

  private LoadAhead result(Map<String, LoadCounter> counters, boolean isEstimate, Instant now) {
    LoadCounter all = new LoadCounter(now);
    List<LoadAhead.Group> found = new ArrayList<>();
    counters.forEach(
        (name, counter) -> {
          if (question.wants().test(name)) {
            all.addAll(counter);
          }
          if (question.by().isPresent()) {
            LoadAhead alone = counter.result(isEstimate, List.of());
            found.add(
                new LoadAhead.Group(
                    name,
                    alone.schedules(),
                    alone.total(),
                    alone.fullest(1).stream()
                        .mapToLong(LoadAhead.Minute::occurrences)
                        .findFirst()
                        .orElse(0)));
          }
        });
    found.sort(
        Comparator.comparing(LoadAhead.Group::fullest)
            .thenComparing(LoadAhead.Group::occurrences)
            .reversed()
            .thenComparing(LoadAhead.Group::name));
    return all.result(isEstimate, found);
  }

  private void merge() {
    if (groups.size() <= MOST_GROUPS) {
      return;
    }
    List<Map.Entry<String, Group>> largest = new ArrayList<>(groups.entrySet());
    largest.sort(
        Comparator.comparing((Map.Entry<String, Group> one) -> one.getValue().schedules)
            .reversed());
    Map<String, Group> kept = new HashMap<>();
    Group rest = new Group();
    for (Map.Entry<String, Group> one : largest) {
      boolean isWanted = question.value().filter(one.getKey()::equals).isPresent();
      if (kept.size() < MOST_GROUPS - 1 || isWanted) {
        kept.put(one.getKey(), one.getValue());
      } else {
        rest.add(one.getValue());
      }
    }
    kept.put(REST, rest);
    groups = kept;
  }
}

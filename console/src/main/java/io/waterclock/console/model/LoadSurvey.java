package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.core.Effort;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the load ahead, as a whole and by group, within a {@link SearchBudget}. Schedules of one
 * cron expression and zone in a group are counted together, those that are most first, and with at
 * least half of the budget the others one by one, or a sample of all that are not counted yet. Of
 * more than {@value #MOST_GROUPS} groups, those with the fewest schedules are one. Not thread-safe.
 */
final class LoadSurvey {
  static final int MOST_GROUPS = 50;

  /** The name of the group of all groups that are too many. */
  static final String REST = "…";

  /** The same numbers give the same sample. */
  private static final long SEED = 24;

  private final LoadQuestion question;
  private Map<String, Group> groups = new HashMap<>();

  LoadSurvey(LoadQuestion question) {
    this.question = question;
  }

  private static final class Group {
    final Map<String, Item> alike = new HashMap<>();
    final List<Item> others = new ArrayList<>();
    long schedules;

    void add(Group other) {
      schedules += other.schedules;
      others.addAll(other.others);
      other.alike.forEach((key, one) -> alike.merge(key, one, Item::and));
    }

    Stream<Item> items() {
      return Stream.concat(others.stream(), alike.values().stream());
    }
  }

  /**
   * A schedule.
   *
   * @param number how many it stands for: those with the same occurrences to come
   */
  private record Item(String id, long bytes, long number) {
    Item and(Item alike) {
      return new Item(id, bytes, number + alike.number);
    }
  }

  private record Member(String group, Item item) {}

  void take(ScheduleEntry entry, ToIntFunction<String> partition) {
    Group group = groups.computeIfAbsent(question.group(entry, partition), name -> new Group());
    group.schedules++;
    Item item = new Item(entry.id, entry.counted, 1);
    if (entry.isAlike) {
      group.alike.merge(entry.trigger + " " + entry.zone, item, Item::and);
    } else {
      group.others.add(item);
    }
  }

  /** Counts what was taken. */
  LoadAhead count(
      Function<String, Optional<KnownSchedule>> schedules, Upcoming upcoming, Instant now) {
    merge();
    List<Member> crowds = new ArrayList<>();
    List<Member> others = new ArrayList<>();
    groups.forEach(
        (name, group) ->
            group
                .items()
                .forEach(
                    item -> (item.number() > 1 ? crowds : others).add(new Member(name, item))));
    crowds.sort(
        Comparator.comparingLong((Member crowd) -> crowd.item().number())
            .reversed()
            .thenComparing(crowd -> crowd.item().id()));
    Count whole = new Count(schedules, upcoming, now);
    int counted = whole.addAll(crowds, SearchBudget.MOST / 2);
    others.addAll(crowds.subList(counted, crowds.size()));
    Collections.shuffle(others, new Random(SEED));
    Count sample = new Count(schedules, upcoming, now);
    int sampled = sample.addAll(others, SearchBudget.MOST - whole.budget.spent());
    groups.keySet().forEach(whole::of);
    others.stream()
        .collect(Collectors.groupingBy(Member::group, Collectors.summingLong(m -> m.item.number)))
        .forEach((name, all) -> whole.of(name).addSample(sample.of(name), all));
    return result(whole.counters, sampled < others.size(), now);
  }

  private final class Count {
    final Map<String, LoadCounter> counters = new HashMap<>();
    final SearchBudget budget = new SearchBudget();
    private final Function<String, Optional<KnownSchedule>> schedules;
    private final Upcoming upcoming;
    private final Instant now;

    Count(Function<String, Optional<KnownSchedule>> schedules, Upcoming upcoming, Instant now) {
      this.schedules = schedules;
      this.upcoming = upcoming;
      this.now = now;
    }

    LoadCounter of(String group) {
      return counters.computeIfAbsent(group, name -> new LoadCounter(now));
    }

    /** Returns how many it has counted, the first ones, with about so many steps. */
    int addAll(List<Member> members, long steps) {
      int counted = 0;
      while (counted < members.size() && budget.spent() < steps) {
        Member member = members.get(counted++);
        schedules
            .apply(member.item().id())
            .ifPresent(known -> add(known, member.item(), of(member.group())));
      }
      return counted;
    }

    private void add(KnownSchedule known, Item item, LoadCounter counter) {
      Effort effort = budget.next(item.bytes());
      Duration jitter = question.jitter();
      if (item.number() > 1) {
        counter.add(known, upcoming, item.number(), jitter, effort);
      } else {
        Upcoming single = jitter.isZero() ? upcoming : upcoming.with(Jitter.of(jitter));
        counter.add(known, single, 1, effort);
      }
    }
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
                        .orElse(0),
                    Optional.empty(),
                    question.by().filter(LoadQuestion.By.LIMIT::equals).isPresent()
                        ? alone.minutes()
                        : List.of()));
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

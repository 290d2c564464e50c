package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.avro.Weekday;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Searches for the most expensive decision: definitions, calendars and outages are drawn, and those
 * that cost most are changed further. No decision may need more than {@link Effort#DECISION} steps,
 * and none about a definition that is accepted may fail for that. {@code -Dwaterclock.seed=N}
 * begins elsewhere, {@code -Dwaterclock.decisions=N} looks further; what was found is printed.
 */
class CostliestDecisionTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int SAMPLES = Integer.getInteger("waterclock.decisions", 200);
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final int KEPT = 24;

  private static final List<String> ZONES =
      List.of("UTC", "Europe/Berlin", "Asia/Gaza", "Africa/Casablanca", "Pacific/Apia");
  private static final List<String> FREQUENCIES =
      List.of("SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY");
  private static final List<Integer> INTERVALS =
      List.of(1, 2, 3, 7, 11, 13, 14, 24, 52, 61, 97, 128, 168, 256, 896, 1009, 1440, 1487, 1499);
  private static final List<String> CRONS =
      List.of(
          "* * * * * *",
          "0 0 29 2 1",
          "* 2 * 3 0L",
          "30 2 * * *",
          "*/7 3,5 31 1-12/2 *",
          "0 0 1 1 *",
          "59 59 23 31W 12 *");

  private static final Map<String, Calendar> CALENDARS =
      Map.of(
          "all", Calendar.newBuilder().setDates(List.of(dates("0001-01-01", "9999-12-31"))).build(),
          "weekends", Calendar.newBuilder().setWeekdays(List.of(Weekday.SAT, Weekday.SUN)).build(),
          "odd", alternate("1999-01-01"),
          "even", alternate("1999-01-02"),
          "but-mondays",
              Calendar.newBuilder()
                  .setWeekdays(
                      Stream.of(Weekday.values()).filter(day -> day != Weekday.MON).toList())
                  .build());

  private static final Calendars KNOWN = calendars();

  private static DateRange dates(String first, String last) {
    return new DateRange(LocalDate.parse(first), LocalDate.parse(last));
  }

  private static Calendar alternate(String first) {
    LocalDate from = LocalDate.parse(first);
    return Calendar.newBuilder()
        .setDates(
            IntStream.range(0, 10_000)
                .mapToObj(i -> new DateRange(from.plusDays(2L * i), from.plusDays(2L * i)))
                .toList())
        .build();
  }

  private static Calendars calendars() {
    return Calendars.NONE.with(
        CALENDARS.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry ->
                        List.of(
                            new CalendarVersion(
                                0,
                                Instant.EPOCH,
                                Optional.empty(),
                                Optional.of(entry.getValue()))))));
  }

  /**
   * What is tried.
   *
   * @param outageSeconds after which it is decided what was due meanwhile
   */
  private record Sample(Schedule definition, Instant definedAt, long outageSeconds) {}

  /** What it cost. */
  private record Found(Sample sample, String step, long steps, boolean accepted) {
    @Override
    public String toString() {
      return steps
          + " steps to "
          + step
          + ": defined at "
          + sample.definedAt()
          + ", decided "
          + Duration.ofSeconds(sample.outageSeconds())
          + " later: "
          + sample.definition();
    }
  }

  @Test
  void no_decision_takes_more_steps_than_it_may() {
    List<Found> worst = new ArrayList<>();
    for (long seed = SEED; seed < SEED + SAMPLES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Sample sample =
          worst.isEmpty() || random.nextInt(3) == 0
              ? drawn(random)
              : changed(worst.get(random.nextInt(worst.size())).sample(), random);
      Found found;
      try {
        found = new Trial(sample).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dwaterclock.seed=" + seed + " for " + sample, e);
      }
      if (!found.accepted()) {
        continue; // it was tried as one that an older scheduler has accepted
      }
      worst.add(found);
      worst.sort(Comparator.comparingLong(Found::steps).reversed());
      if (worst.size() > KEPT) {
        worst.remove(KEPT);
      }
    }
    System.out.println("The costliest: " + worst.get(0));
    assertThat(worst.get(0).steps()).isBetween(1_000L, Effort.DECISION);
  }

  /** One definition through all that can happen to it. */
  private static final class Trial {
    private final Sample sample;
    private final Timetables tables = new Timetables();
    private final Decider decider = new Decider(tables, Duration.ofHours(1));
    private final boolean accepted;
    private Optional<ScheduleState> state = Optional.empty();
    private String costliest = "nothing";
    private long most;
    private int offset;

    Trial(Sample sample) {
      this.sample = sample;
      tables.follow(KNOWN);
      this.accepted =
          new Validation(Duration.ofSeconds(1), ZoneOffset.UTC)
              .problems(
                  "a",
                  sample.definition(),
                  List.of(),
                  sample.definedAt(),
                  Set.copyOf(CALENDARS.keySet()))
              .isEmpty();
    }

    Found run() {
      Instant later = sample.definedAt().plusSeconds(sample.outageSeconds());
      if (!decide("define", defined(sample.definition()), sample.definedAt())) {
        return found();
      }
      decide("ask for the next", command(new NextCommand(100, null)), sample.definedAt());
      due(later);
      decide("ask for the next later", command(new NextCommand(100, null)), later);
      decide("skip", command(SkipCommand.newBuilder().setOccurrence(later).build()), later);
      decide(
          "backfill",
          command(
              BackfillCommand.newBuilder()
                  .setFrom(Instant.EPOCH)
                  .setTo(later.plusSeconds(1))
                  .build()),
          later);
      decide("go on with the backfill", new Event.BackfillDue(100, Optional.empty()), later);
      decide("pause", command(new PauseCommand()), later);
      Instant end = later.plusSeconds(sample.outageSeconds());
      decide(
          "resume",
          command(ResumeCommand.newBuilder().setOnResume(OnResume.FIRE_ONCE).build()),
          end);
      due(end);
      Schedule edited = Schedule.newBuilder(sample.definition()).setPriority(1).build();
      boolean survives = decide("edit", defined(edited), end.plusSeconds(sample.outageSeconds()));
      due(end.plusSeconds(sample.outageSeconds()));
      Instant checked = end.plusSeconds(sample.outageSeconds());
      decide("review", new Event.Reviewed(checked), checked);
      decide(
          "delete",
          new Event.Deleted(end.plusSeconds(2 * sample.outageSeconds())),
          end.plusSeconds(2 * sample.outageSeconds()));
      assertThat(state.isEmpty() || !survives).as("it can be deleted").isTrue();
      return found();
    }

    private void due(Instant now) {
      for (int i = 0; i < 4 && state.isPresent(); i++) {
        decide("catch up", new Event.Due(), now);
      }
    }

    private Event defined(Schedule definition) {
      return new Event.Defined(definition, "r" + offset++, sample.definedAt());
    }

    private Event command(Object action) {
      Command command = Command.newBuilder().setCommandId("c" + offset++).setAction(action).build();
      return new Event.Commanded(
          command, sample.definedAt().plusSeconds(sample.outageSeconds()), "c-0@1");
    }

    /**
     * @return false when the definition is refused for good
     */
    private boolean decide(String step, Event event, Instant now) {
      if (state.isEmpty() && !(event instanceof Event.Defined)) {
        return false;
      }
      try {
        state = decider.decide(ID, state, event, now).state();
        return true;
      } catch (EffortSpentException e) {
        assertThat(accepted).as(step + " of what was accepted takes too many steps").isFalse();
        assertThat(event).as("a delete must not fail").isNotInstanceOf(Event.Deleted.class);
        return false;
      } catch (InvalidTriggerException e) {
        return false; // refused when it was compiled
      } finally {
        long spent = Math.min(tables.effort().spent(), Effort.DECISION);
        if (spent > most) {
          most = spent;
          costliest = step;
        }
      }
    }

    private Found found() {
      return new Found(sample, costliest, most, accepted);
    }
  }

  private static Sample drawn(SplittableRandom random) {
    Schedule.Builder schedule =
        Schedule.newBuilder().setTrigger(trigger(random)).setTimezone(one(ZONES, random));
    for (int i = 0; i < 4; i++) {
      change(schedule, random);
    }
    return new Sample(schedule.build(), definedAt(random), outage(random));
  }

  private static Sample changed(Sample sample, SplittableRandom random) {
    Schedule.Builder schedule = Schedule.newBuilder(sample.definition());
    Instant definedAt = sample.definedAt();
    long outage = sample.outageSeconds();
    switch (random.nextInt(6)) {
      case 0 -> definedAt = definedAt(random);
      case 1 -> outage = outage(random);
      case 2 -> schedule.setTrigger(trigger(random));
      default -> change(schedule, random);
    }
    return new Sample(schedule.build(), definedAt, outage);
  }

  private static void change(Schedule.Builder schedule, SplittableRandom random) {
    switch (random.nextInt(10)) {
      case 0 -> schedule.setCatchUp(one(List.of(CatchUp.values()), random));
      case 1 -> schedule.setMaxReplay(one(List.of(1L, 10_000L, 1_000_000L, 60_000_000L), random));
      case 2 -> schedule.setExcept(names(random));
      case 3 -> schedule.setOnExcluded(one(List.of(OnExcluded.values()), random));
      case 4 -> schedule.setJitterMs(one(List.of(0L, 1_000L, 86_400_000L), random));
      case 5 -> schedule.setOverlap(one(List.of(Overlap.values()), random));
      case 6 -> schedule.setGraceMs(one(List.of(0L, 60_000L, 86_400_000L), random));
      case 7 -> schedule.setSkip(skips(random));
      case 8 -> schedule.setMaxOccurrences(one(List.of(1L, 1_000L, 1_000_000L), random));
      default -> schedule.setTimezone(one(ZONES, random));
    }
  }

  private static List<String> names(SplittableRandom random) {
    return CALENDARS.keySet().stream().filter(name -> random.nextInt(3) == 0).sorted().toList();
  }

  private static List<Instant> skips(SplittableRandom random) {
    int step = 1 + random.nextInt(1_000);
    return IntStream.range(0, random.nextInt(1_001))
        .mapToObj(i -> START.plusSeconds((long) i * step))
        .toList();
  }

  private static Instant definedAt(SplittableRandom random) {
    return one(
        List.of(
            START,
            START.plusSeconds(random.nextInt(100_000_000)),
            Instant.EPOCH,
            Instant.parse("2037-12-31T23:00:00Z")),
        random);
  }

  private static long outage(SplittableRandom random) {
    long most = one(List.of(140L, 86_400L, 2_600_000L, 32_000_000L, 1_800_000_000L), random);
    return 1 + random.nextLong(most);
  }

  private static Object trigger(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> CronTrigger.newBuilder().setExpression(one(CRONS, random)).build();
      case 1 ->
          EveryTrigger.newBuilder()
              .setN(1 + random.nextInt(40))
              .setUnit(one(List.of(Unit.SECOND, Unit.HOUR, Unit.DAY, Unit.MONTH), random))
              .setAnchor(anchor(random))
              .build();
      default -> RRuleTrigger.newBuilder().setRule(rule(random)).setAnchor(anchor(random)).build();
    };
  }

  private static Instant anchor(SplittableRandom random) {
    return one(
        List.of(
            START,
            Instant.parse("0001-01-01T00:00:00Z"),
            Instant.parse("1970-01-05T13:37:11Z"),
            Instant.parse("2031-07-01T00:00:00Z")),
        random);
  }

  private static String rule(SplittableRandom random) {
    String frequency = one(FREQUENCIES, random);
    StringBuilder rule = new StringBuilder("FREQ=" + frequency);
    rule.append(";INTERVAL=").append(one(INTERVALS, random));
    part(rule, "BYSECOND", 0, 59, random);
    part(rule, "BYMINUTE", 0, 59, random);
    part(rule, "BYHOUR", 0, 23, random);
    if (random.nextInt(4) == 0) {
      part(rule, "BYMONTH", 1, 12, random);
    }
    if (random.nextInt(3) == 0 && !frequency.equals("WEEKLY")) {
      part(rule, "BYMONTHDAY", 27, 31, random);
    }
    if (random.nextInt(3) == 0) {
      rule.append(";BYDAY=").append(one(List.of("MO", "TU,WE", "SU", "MO,TU,WE,TH,FR"), random));
    }
    if (random.nextInt(5) == 0) {
      rule.append(";BYSETPOS=").append(one(List.of("-1", "1,3,-2", "200"), random));
    }
    return rule.toString();
  }

  private static void part(
      StringBuilder rule, String name, int least, int most, SplittableRandom random) {
    if (random.nextInt(2) == 0) {
      return;
    }
    int count = random.nextBoolean() ? 1 : 1 + random.nextInt(most - least + 1);
    String values =
        random
            .ints(count, least, most + 1)
            .distinct()
            .sorted()
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    rule.append(";").append(name).append("=").append(values);
  }

  private static <T> T one(List<T> all, SplittableRandom random) {
    return all.get(random.nextInt(all.size()));
  }
}

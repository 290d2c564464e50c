package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.whatif.OccurrenceChange;
import io.waterclock.decide.whatif.Outage;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.ScheduleDifference;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.TimeFrame;
import io.waterclock.decide.whatif.WhatIf;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plan of a schedule foresees, made of what its topics show, is what happens then. */
class PlanTest {
  private static final Instant ACCEPTED = Instant.parse("2026-03-18T10:00:00Z");
  private static final Instant NOW = Instant.parse("2026-03-20T12:00:00Z");
  private static final TimeFrame WINDOW = new TimeFrame(NOW, NOW.plus(Duration.ofDays(12)));
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final String[] ZONES = {"UTC", "Europe/Berlin", "America/New_York"};
  private static final String[] TRIGGERS = {
    "'cron':'0 9 * * *'",
    "'cron':'30 2 * * *'",
    "'cron':'0 */6 * * MON-FRI'",
    "'every':'7h'",
    "'every':'2 days'",
    "'every':'1 week','anchor':'2026-01-05T01:30:00Z'",
    "'rrule':'FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=3'",
    "'at':'2026-03-25T01:00:00Z'",
    "'at':'2026-03-19T01:00:00Z'",
    "'at':'2026-03-10T01:00:00Z'",
    "'in':'PT30H'",
    "'in':'PT70H'"
  };

  private final Timetables tables = new Timetables();
  private final Decider decider = new Decider(tables, Duration.ofDays(400));
  private final List<Occurrence> fires = new ArrayList<>();
  private long missed;
  private Optional<ScheduleState> state = Optional.empty();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void an_edit_fires_what_its_plan_foresees(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 150; i++) {
      Calendars calendars = calendars(random);
      tables.follow(calendars);
      state = Optional.empty();
      Schedule first = schedule(random);
      Schedule second = schedule(random);
      String where = "seed " + seed + " round " + i + ": " + first + " -> " + second;
      apply(new Event.Defined(first, "r1", ACCEPTED), ACCEPTED);
      runUntil(NOW);
      Plan old = inForce();
      Plan edited = old.edited(second, NOW, Side.of(calendars));
      fires.clear();
      apply(new Event.Defined(second, "r2", NOW), NOW);
      runUntil(WINDOW.end());

      ScheduleDifference difference =
          new WhatIf(Side.of(calendars), Side.of(calendars), WINDOW, 10_000)
              .compare("a", Optional.empty(), Optional.of(edited));

      assertThat(
              difference.changes().stream()
                  .map(OccurrenceChange::after)
                  .flatMap(Optional::stream)
                  .toList())
          .as(where)
          .isEqualTo(fires);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_scheduler_that_is_back_fires_what_the_outage_foresees(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 150; i++) {
      Calendars calendars = calendars(random);
      tables.follow(calendars);
      state = Optional.empty();
      Schedule schedule = catchingUp(schedule(random), random);
      apply(new Event.Defined(schedule, "r1", ACCEPTED), ACCEPTED);
      runUntil(NOW);
      TimeFrame window = new TimeFrame(NOW, NOW.plus(Duration.ofHours(1 + random.nextInt(200))));
      Outage foreseen = Outage.of(inForce(), Side.of(calendars), window, 10_000);
      fires.clear();
      missed = 0;
      Instant back = window.end().minusMillis(1);
      while (decider.pending(state.orElseThrow()).filter(n -> !n.due().isAfter(back)).isPresent()) {
        apply(new Event.Due(), back);
      }
      String where = "seed " + seed + " round " + i + " until " + back + ": " + schedule;
      assertThat(foreseen.fires()).as(where).isEqualTo(fires.size());
      assertThat(foreseen.missed()).as(where).isEqualTo((int) missed);
    }
  }

  /** The schedule as its topics show it. */
  private Plan inForce() {
    ScheduleState known = state.orElseThrow();
    Accepted current = known.current();
    Revision revision =
        Revision.newBuilder()
            .setScheduleId("a")
            .setRevision(current.revision())
            .setSchedule(current.schedule())
            .setOwnsAfter(current.ownsAfter())
            .setEffectiveAt(current.effectiveAt())
            .setAcceptedAt(current.effectiveAt())
            .setResolvedAt(current.resolvedAt().orElse(null))
            .setBoundedBy(current.boundedBy().orElse(null))
            .setTzdb("")
            .build();
    ScheduleStatus status = OutgoingRecords.statusOf(known, NOW);
    return Plan.inForce("a", revision, status);
  }

  private void runUntil(Instant end) {
    Optional<Occurrence> next = decider.pending(state.orElseThrow()).flatMap(Pending::next);
    while (next.isPresent() && next.get().due().isBefore(end)) {
      Instant due = next.get().due().isBefore(NOW) && end.isAfter(NOW) ? NOW : next.get().due();
      apply(new Event.Due(), due);
      next = decider.pending(state.orElseThrow()).flatMap(Pending::next);
    }
  }

  private void apply(Event event, Instant now) {
    Decision decision = decider.decide(ID, state, event, now);
    for (FirePlan fire : decision.fires()) {
      Instant due = fire.occurrence().due();
      fires.add(new Occurrence(fire.occurrence().at(), due.isBefore(now) ? now : due));
    }
    missed +=
        decision.missed().stream()
            .filter(range -> range.reason() != MissedReason.SKIPPED)
            .mapToLong(MissedRange::count)
            .sum();
    state = decision.state();
  }

  private static Schedule schedule(SplittableRandom random) {
    StringBuilder json = new StringBuilder("{" + TRIGGERS[random.nextInt(TRIGGERS.length)]);
    json.append(",'timezone':'").append(ZONES[random.nextInt(ZONES.length)]).append('\'');
    if (random.nextInt(5) == 0) {
      json.append(",'enabled':false");
    }
    if (random.nextInt(3) == 0) {
      json.append(",'jitter':'").append(1 + random.nextInt(600)).append("m'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'start_at':'2026-03-2").append(random.nextInt(10)).append("T05:00:00Z'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'end_at':'2026-03-2").append(1 + random.nextInt(9)).append("T05:00:00Z'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'max_occurrences':").append(1 + random.nextInt(12));
    }
    if (random.nextInt(4) == 0) {
      json.append(",'skip':['2026-03-24T09:00:00Z','2026-03-25T08:00:00Z']");
    }
    if (random.nextInt(3) == 0) {
      json.append(",'except':['h'],'on_excluded':'")
          .append(random.nextBoolean() ? "skip" : "next_working_day")
          .append('\'');
    }
    byte[] bytes = json.append('}').toString().replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new Validation(Duration.ofMillis(1), ZoneOffset.UTC)
        .normalise(ScheduleJson.read(bytes, ZoneOffset.UTC).schedule());
  }

  private static Schedule catchingUp(Schedule schedule, SplittableRandom random) {
    CatchUp[] policies = CatchUp.values();
    return Schedule.newBuilder(schedule)
        .setCatchUp(policies[random.nextInt(policies.length)])
        .setGraceMs(Duration.ofMinutes(random.nextInt(900)).toMillis())
        .setMaxReplay(random.nextBoolean() ? 10_000 : 1 + random.nextInt(4))
        .setCatchUpWindowMs(
            random.nextBoolean() ? null : Duration.ofHours(1 + random.nextInt(90)).toMillis())
        .build();
  }

  private static Calendars calendars(SplittableRandom random) {
    List<DateRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      LocalDate first = LocalDate.parse("2026-03-18").plusDays(random.nextInt(12));
      ranges.add(new DateRange(first, first.plusDays(random.nextInt(4))));
    }
    Calendar calendar = Calendar.newBuilder().setDates(ranges).build();
    return Calendars.NONE.with(
        Map.of(
            "h",
            List.of(
                new CalendarVersion(0, Instant.EPOCH, Optional.empty(), Optional.of(calendar)))));
  }
}

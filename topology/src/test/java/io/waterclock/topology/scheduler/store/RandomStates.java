package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.Failing;
import io.waterclock.decide.model.Failures;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.ResumeFire;
import io.waterclock.decide.model.Resumed;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.decide.model.Watch;
import io.waterclock.decide.model.Watches;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Weekday;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Values of states; they need make no sense together. */
final class RandomStates {
  private final SplittableRandom random;

  RandomStates(SplittableRandom random) {
    this.random = random;
  }

  Instant instant() {
    return Instant.ofEpochMilli(random.nextLong(-1_000, 4_000_000_000_000L));
  }

  Optional<Instant> maybe() {
    return random.nextBoolean() ? Optional.of(instant()) : Optional.empty();
  }

  String revision() {
    return "schedules-0@" + random.nextInt(10_000);
  }

  Accepted accepted() {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(CronTrigger.newBuilder().setExpression("0 9 * * *").build())
            .setTimezone("Europe/Berlin")
            .setCatchUp(List.of(CatchUp.values()).get(random.nextInt(CatchUp.values().length)))
            .setSkip(List.of(instant(), instant()))
            .setDescription("täglich " + random.nextInt())
            .build();
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        revision(),
        instant(),
        instant(),
        instant(),
        maybe(),
        maybe(),
        maybe(),
        maybe(),
        instant(),
        past());
  }

  private Past past() {
    Map<Expectation, Instant> since = new EnumMap<>(Expectation.class);
    for (Expectation each : Expectation.values()) {
      maybe().ifPresent(at -> since.put(each, at));
    }
    return new Past(
        maybe().map(at -> new Resumed(new Written(at, "c-1@7"), random.nextBoolean())),
        maybe(),
        maybe(),
        since);
  }

  CarriedOccurrences carried(long seq) {
    return new CarriedOccurrences(
        seq,
        revision(),
        instant(),
        new Occurrence(instant(), instant()),
        maybe(),
        random.nextLong(),
        random.nextBoolean(),
        random.nextBoolean());
  }

  CalendarVersion calendarVersion() {
    LocalDate date = LocalDate.ofEpochDay(random.nextInt(40_000));
    Calendar calendar =
        Calendar.newBuilder()
            .setDates(List.of(new DateRange(date, date.plusDays(random.nextInt(9)))))
            .setWeekdays(List.of(List.of(Weekday.values()).get(random.nextInt(7))))
            .build();
    return new CalendarVersion(
        random.nextLong(1L << 40),
        instant(),
        maybe(),
        random.nextBoolean() ? Optional.of(calendar) : Optional.empty());
  }

  /** What commands may have set and ordered. */
  CommandState commanded(long firstFire, Accepted inForce) {
    return new CommandState(
        random.nextBoolean()
            ? Optional.of(
                new Pause(
                    instant(),
                    new Written(instant(), "c-1@" + random.nextInt(99)),
                    Optional.of("Wartung ö"),
                    Optional.empty(),
                    random.nextBoolean()))
            : Optional.empty(),
        random.nextBoolean(),
        random.nextBoolean()
            ? Optional.of(
                new ResumeFire(
                    instant(),
                    instant(),
                    maybe().map(at -> new FirePlan.CollapsedRange(3, false, at))))
            : Optional.empty(),
        ascending(),
        WaitingFires.of(
            LongStream.range(firstFire, firstFire + random.nextInt(3))
                .mapToObj(this::manualFire)
                .toList(),
            inForce),
        Stream.generate(this::backfill).limit(random.nextInt(3)).toList(),
        List.of());
  }

  /** What may be known of runs. */
  Runs runs() {
    return new Runs(
        random.nextBoolean()
            ? Optional.of(
                new Run(
                    instant(),
                    instant(),
                    instant(),
                    Duration.ofMillis(random.nextLong(1L << 40)),
                    instant(),
                    random.nextBoolean()))
            : Optional.empty(),
        new Failures(
            maybe(),
            ascending(),
            random.nextBoolean()
                ? Optional.of(
                    new Failing(
                        instant(),
                        1 + random.nextLong(1_000),
                        instant(),
                        instant(),
                        Optional.of("no disk")))
                : Optional.empty()),
        watches());
  }

  private Watches watches() {
    List<Watch> all =
        Stream.of(Expectation.values())
            .filter(each -> random.nextBoolean())
            .map(
                each ->
                    new Watch(
                        each,
                        Stream.generate(this::openRun).limit(1 + random.nextInt(3)).toList(),
                        random.nextBoolean()))
            .toList();
    return all.isEmpty() ? Watches.NONE : new Watches(all);
  }

  private OpenRun openRun() {
    return new OpenRun(
        instant(),
        instant(),
        maybe(),
        maybe(),
        random.nextBoolean()
            ? Optional.of(
                new OpenRun.Report(OutcomeState.FAILED, instant(), Optional.of("no disk")))
            : Optional.empty());
  }

  private List<Instant> ascending() {
    return Stream.generate(this::instant).limit(random.nextInt(3)).sorted().toList();
  }

  ManualFire manualFire(long seq) {
    ByteBuffer payload = ByteBuffer.wrap(revision().getBytes(StandardCharsets.UTF_8));
    return new ManualFire(
        seq,
        "command " + seq,
        instant(),
        random.nextBoolean() ? Optional.of(payload) : Optional.empty());
  }

  Backfill backfill() {
    boolean isBounded = random.nextBoolean();
    Backfill.Pace pace =
        new Backfill.Pace(
            random.nextBoolean(), isBounded ? OptionalInt.of(3) : OptionalInt.empty());
    Instant at = instant();
    return Backfill.of("fülle " + random.nextInt(), instant(), instant(), pace)
        .through(
            instant(),
            77,
            isBounded
                ? List.of(new Backfill.Going(at, Duration.ofMinutes(5), at.plusSeconds(300)))
                : List.of());
  }
}

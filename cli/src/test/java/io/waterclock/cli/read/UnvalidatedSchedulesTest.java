package io.waterclock.cli.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.waterclock.cli.CliRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.model.LoadQuestion;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.ScheduleFilter;
import io.waterclock.console.model.SchedulePage;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.preview.PlanInForce;
import io.waterclock.decide.whatif.Outage;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.TimeFrame;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Definitions that Avro can hold, most of which no scheduler accepts: each field in turn is null or
 * has an extreme value. Any of them may be the newest record of its id, and what reads it there
 * must not fail.
 */
@Tag("all")
class UnvalidatedSchedulesTest {
  private static final Instant NOW = CliRun.NOW;
  private static final String POSITION = "waterclock.schedules-0@7";

  /** Of each record, with all fields at extremes. */
  private static final int DRAWS = 30;

  private static final Side SIDE = Side.of(Calendars.NONE);
  private static final TimeFrame HOUR = new TimeFrame(NOW, NOW.plus(Duration.ofHours(1)));

  @Test
  void what_shows_schedules_fails_on_no_definition() {
    schedules()
        .flatMap(UnvalidatedSchedulesTest::states)
        .forEach(
            known ->
                assertThatCode(() -> show(known)).as(() -> text(known)).doesNotThrowAnyException());
  }

  @Test
  void a_trigger_that_says_nothing_is_shown_as_it_is() {
    Schedule schedule = Schedule.newBuilder().setTrigger(new OnceTrigger(null, null)).build();
    assertThat(TriggerLine.withDialect(schedule)).isEqualTo("at no instant");
  }

  private static String text(KnownSchedule known) {
    String text = known.toString();
    return text.substring(0, Math.min(text.length(), 1_000));
  }

  private static void show(KnownSchedule known) {
    Schedule schedule = known.schedule().orElseThrow();
    TriggerLine.withDialect(schedule);
    Optional<List<Instant>> next =
        new Upcoming(ZoneOffset.UTC, Calendars.NONE).dueAfter(known, NOW, 3);
    EntryJson.of(known, next);
    PlanInForce.of(known, ZoneOffset.UTC, NOW).ifPresent(plan -> Outage.of(plan, SIDE, HOUR, 100));
    model(known);
  }

  private static void model(KnownSchedule known) {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    known
        .definition()
        .ifPresent(
            one -> model.write(to -> to.written(known.id(), one.revision(), one.schedule(), NOW)));
    known
        .status()
        .ifPresent(status -> model.write(to -> to.status(known.id(), Optional.of(status), NOW)));
    model.write(to -> to.calendar("c", Optional.empty(), NOW));
    model.write(to -> to.refreshNext(NOW.plusSeconds(3600), 10));
    model.read(
        all ->
            all.page(
                ScheduleFilter.ALL, id -> true, SchedulePage.Order.BY_ID, Optional.empty(), 10));
    model.read(all -> all.overview(id -> true, NOW));
    model
        .read(ModelQueries::upcoming)
        .after(model.read(all -> all.schedule(known.id())).orElseThrow(), NOW, 5);
    model.load(LoadQuestion.ALL, id -> true, NOW);
    model.dueIn(NOW, NOW.plusSeconds(3600), LoadQuestion.ALL, id -> true, 10);
  }

  /** Not read yet, newer than one in force that no topic retains, in force, and rejected. */
  private static Stream<KnownSchedule> states(Schedule schedule) {
    KnownSchedule written =
        KnownSchedule.of("a")
            .with(Optional.of(new WrittenDefinition(POSITION, Optional.of(schedule))));
    ScheduleStatus.Builder status =
        ScheduleStatus.newBuilder().setScheduleId("a").setSince(NOW).setState(State.ACTIVE);
    return Stream.of(
        written,
        written.withStatus(Optional.of(status.setRevision("waterclock.schedules-0@1").build())),
        written.withStatus(Optional.of(status.setRevision(POSITION).build())),
        written.withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("a")
                    .setSince(NOW)
                    .setState(State.REJECTED)
                    .setRejectedRevision(POSITION)
                    .build())));
  }

  private static Stream<Schedule> schedules() {
    List<Schedule> plain =
        Stream.of(
                new CronTrigger("0 9 * * *"),
                new EveryTrigger(5L, Unit.DAY, NOW, null),
                new OnceTrigger(NOW.plusSeconds(60), null),
                new RRuleTrigger("FREQ=DAILY", NOW, null))
            .map(trigger -> Schedule.newBuilder().setTrigger(trigger).build())
            .toList();
    Stream<Schedule> triggers =
        plain.stream()
            .flatMap(
                schedule ->
                    variants((SpecificRecordBase) schedule.getTrigger())
                        .map(trigger -> Schedule.newBuilder().setTrigger(trigger).build()));
    Stream<Schedule> sparse =
        Stream.of(
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
                "FREQ=SECONDLY;INTERVAL=86399;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYSECOND=3",
                "FREQ=MINUTELY;INTERVAL=999983;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3",
                "FREQ=DAILY;INTERVAL=2;BYYEARDAY=366;BYMONTH=12;BYDAY=MO")
            .map(
                rule ->
                    Schedule.newBuilder()
                        .setTrigger(
                            new RRuleTrigger(rule, Instant.parse("2001-01-01T00:00:00Z"), null))
                        .setJitterMs(3_600_000L)
                        .setExcept(List.of("c"))
                        .setOnExcluded(OnExcluded.NEXT_WORKING_DAY)
                        .build());
    return Stream.of(triggers, plain.stream().flatMap(UnvalidatedSchedulesTest::extremes), sparse)
        .flatMap(all -> all);
  }

  /** The schedule with each of its other fields in turn at each extreme. */
  private static Stream<Schedule> extremes(Schedule schedule) {
    return Schedule.SCHEMA$.getFields().stream()
        .filter(field -> !field.name().equals("trigger"))
        .flatMap(
            field ->
                extremes(field.schema()).stream()
                    .map(
                        value -> {
                          Schedule copy = Schedule.newBuilder(schedule).build();
                          copy.put(field.pos(), value.orElse(null));
                          return copy;
                        }));
  }

  /** The record with each of its fields in turn at each extreme, and with all of them at any. */
  private static Stream<SpecificRecordBase> variants(SpecificRecordBase record) {
    Stream<SpecificRecordBase> one =
        record.getSchema().getFields().stream()
            .flatMap(
                field ->
                    extremes(field.schema()).stream()
                        .map(
                            value -> {
                              SpecificRecordBase copy = copy(record);
                              copy.put(field.pos(), value.orElse(null));
                              return copy;
                            }));
    return Stream.concat(one, drawn(record));
  }

  private static Stream<SpecificRecordBase> drawn(SpecificRecordBase record) {
    Random random = new Random(1);
    List<List<Optional<Object>>> values =
        record.getSchema().getFields().stream().map(field -> extremes(field.schema())).toList();
    return IntStream.range(0, DRAWS)
        .mapToObj(
            draw -> {
              SpecificRecordBase copy = copy(record);
              for (int i = 0; i < values.size(); i++) {
                List<Optional<Object>> of = values.get(i);
                copy.put(i, of.get(random.nextInt(of.size())).orElse(null));
              }
              return copy;
            });
  }

  private static SpecificRecordBase copy(SpecificRecordBase record) {
    return SpecificData.get().deepCopy(record.getSchema(), record);
  }

  private static Optional<Object> time(Schema schema, Instant at) {
    return Optional.of(
        schema.getLogicalType().getName().startsWith("local-")
            ? LocalDateTime.ofInstant(at, ZoneOffset.UTC)
            : at);
  }

  private static List<Optional<Object>> extremes(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> List.of(Optional.empty());
      case UNION -> schema.getTypes().stream().flatMap(type -> extremes(type).stream()).toList();
      case LONG ->
          schema.getLogicalType() == null
              ? List.of(
                  Optional.of(Long.MIN_VALUE),
                  Optional.of(-1L),
                  Optional.of(0L),
                  Optional.of(1L),
                  Optional.of(Long.MAX_VALUE))
              : Stream.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE)
                  .map(ms -> time(schema, Instant.ofEpochMilli(ms)))
                  .toList();
      case INT ->
          List.of(Optional.of(Integer.MIN_VALUE), Optional.of(0), Optional.of(Integer.MAX_VALUE));
      case BOOLEAN -> List.of(Optional.of(false), Optional.of(true));
      case STRING -> List.of(Optional.of(""), Optional.of("\u0000x".repeat(100_000)));
      case BYTES ->
          List.of(Optional.of(ByteBuffer.allocate(0)), Optional.of(ByteBuffer.allocate(1 << 20)));
      case ENUM ->
          schema.getEnumSymbols().stream()
              .map(symbol -> Optional.of(SpecificData.get().createEnum(symbol, schema)))
              .toList();
      case ARRAY ->
          extremes(schema.getElementType()).stream()
              .map(element -> Optional.<Object>of(List.of(element.orElseThrow())))
              .toList();
      case MAP -> List.of(Optional.of(Map.of("", "")));
      default ->
          drawn((SpecificRecordBase) SpecificData.get().newRecord(null, schema))
              .filter(record -> SpecificData.get().validate(schema, record))
              .map(record -> Optional.<Object>of(record))
              .toList();
    };
  }
}

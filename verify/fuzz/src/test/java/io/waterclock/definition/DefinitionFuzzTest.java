package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Records whose meaning is checked after they were read. What the rules accept means the same in
 * each format, and its occurrences are found in few steps.
 */
final class DefinitionFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final Set<String> CALENDARS = Set.of("holidays");
  private static final Validation RULES =
      new Validation(Duration.ofSeconds(1), ZoneId.of("Europe/Berlin"));
  private static final RecordCodec<Schedule> CODEC = RecordCodecs.schedule();

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void schedule(byte @NotNull [] value) throws Exception {
    Schedule read;
    try {
      read = Claims.bounded(value.length, () -> CODEC.decode(value));
    } catch (UndecodableException e) {
      Claims.rejectedInOneLine(e);
      bestEffort(value);
      return;
    }
    byte[] avro = CODEC.encode(read, WireFormat.AVRO);
    assertThat(CODEC.encode(CODEC.decode(avro), WireFormat.AVRO)).isEqualTo(avro);
    byte[] body = CODEC.encodeBody(read);
    assertThat(ScheduleSnapshot.ofBody(body, 0, body.length)).isEqualTo(ScheduleSnapshot.of(read));
    if (meaning(read, List.of()).isEmpty()) {
      same(read);
    }
  }

  /** A definition in JSON that has problems is shown as far as it can be read. */
  private static void bestEffort(byte[] value) {
    if (WireFormat.detect(value).filter(WireFormat.JSON::equals).isPresent()) {
      ScheduleReading reading = ScheduleJson.read(value, ZoneOffset.UTC);
      assertThat(reading.isValid()).isFalse();
      assertThat(meaning(reading.schedule(), reading.problems())).isNotNull();
    }
  }

  private static List<Problem> meaning(Schedule schedule, List<Problem> known) {
    Schedule normal = RULES.normalise(schedule);
    assertThat(RULES.normalise(normal)).as("normalised again").isEqualTo(normal);
    List<Problem> problems = RULES.problems("a", normal, known, NOW, CALENDARS);
    problems.forEach(DefinitionFuzzTest::forPeople);
    if (problems.isEmpty() && known.isEmpty()) {
      occurs(normal);
    }
    return problems;
  }

  private static void forPeople(Problem problem) {
    assertThat(problem.getMessage()).isNotBlank();
    assertThat(problem.getMessage()).hasSizeLessThan(2_000);
    assertThat(SafeText.line(Problems.text(problem))).isEqualTo(Problems.text(problem));
  }

  private static void occurs(Schedule schedule) {
    ZoneId zone = ZoneId.of(schedule.getTimezone());
    Optional<Instant> resolved = Triggers.resolve(schedule, zone, NOW);
    Trigger trigger =
        Triggers.define("a", schedule, zone, resolved).metered(Effort.of(Effort.DECISION));
    trigger.nextAfter(NOW).ifPresent(next -> assertThat(next).isAfter(NOW));
    Triggers.end(schedule, trigger, NOW).ifPresent(end -> assertThat(end).isAfter(Instant.MIN));
  }

  /** What the rules accept reads from JSON as from Avro. */
  private static void same(Schedule schedule) {
    byte[] avro = CODEC.encode(schedule, WireFormat.AVRO);
    byte[] json = CODEC.encode(schedule, WireFormat.JSON);
    Schedule again = CODEC.decode(json);
    assertThat(CODEC.encode(again, WireFormat.AVRO)).isEqualTo(avro);
    assertThat(CODEC.encode(again, WireFormat.JSON)).isEqualTo(json);
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void command(byte @NotNull [] value) {
    Command command;
    try {
      command = RecordCodecs.command().decode(value);
    } catch (UndecodableException e) {
      return; // RecordsFuzzTest looks at it
    }
    List<Problem> problems = CommandValidation.problems(command);
    problems.forEach(DefinitionFuzzTest::forPeople);
    if (problems.isEmpty()) {
      byte[] json = RecordCodecs.command().encode(command, WireFormat.JSON);
      assertThat(RecordCodecs.command().decode(json)).isEqualTo(command);
    }
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void calendar(byte @NotNull [] value) {
    Calendar calendar;
    try {
      calendar = RecordCodecs.calendar().decode(value);
    } catch (UndecodableException e) {
      return; // RecordsFuzzTest looks at it
    }
    List<Problem> problems = CalendarRules.problems(calendar);
    problems.forEach(DefinitionFuzzTest::forPeople);
    if (problems.isEmpty()) {
      byte[] json = RecordCodecs.calendar().encode(calendar, WireFormat.JSON);
      assertThat(RecordCodecs.calendar().decode(json)).isEqualTo(calendar);
    }
  }
}

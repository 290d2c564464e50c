package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithLength;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.definition.Validation;
import io.waterclock.fuzz.Claims;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records of the input topics as a task reads them: key, value and headers are the fuzzer's. A bad
 * record has problems for a person, and no record throws.
 */
final class ReadersFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  static final Settings SETTINGS =
      new Settings(
          new Settings.Channels(
              Topics.ofDefault(),
              12,
              new TargetRules(
                  AllowList.none(),
                  OwnerLimits.none(),
                  Topics.ofDefault(),
                  Topics.ofDefault().prefix()),
              true,
              new Wire(Encoding.AVRO, SchemaSource.none()),
              ZoneOffset.UTC),
          new Settings.Limits(Duration.ofSeconds(1), 1_000_000),
          new Settings.Pace(
              Duration.ofMillis(5),
              new Settings.Budget(Duration.ofMillis(50), 1_000),
              100,
              Duration.ofSeconds(1),
              Duration.ofMinutes(1)),
          new Settings.Retention(Duration.ofDays(7), Duration.ofHours(1), Duration.ofDays(7)),
          Settings.Alerting.OFF,
          Settings.Identity.of("fuzz"));
  static final CommandReader COMMANDS =
      new CommandReader(SETTINGS.limits(), SETTINGS.channels().wire().schemas());
  static final OutcomeReader OUTCOMES =
      new OutcomeReader(
          SETTINGS.channels().topics().ceSource(), SETTINGS.channels().wire().schemas());
  private static final Schedule HOURLY =
      RecordCodecs.schedule()
          .decode(
              "{\"every\":\"PT1H\",\"anchor\":\"2026-11-24T00:00:00Z\"}"
                  .getBytes(StandardCharsets.UTF_8));

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void command(byte @NotNull @WithLength(max = 64) [] key, byte @NotNull [] value)
      throws Exception {
    CommandReader.Reading reading =
        Claims.bounded(value.length, () -> COMMANDS.read(inbound(key, value, "x", key)));
    if (reading instanceof CommandReader.Reading.Bad bad) {
      forPeople(bad.problems());
    }
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void outcome(byte @NotNull @WithLength(max = 64) [] key, byte @NotNull [] value)
      throws Exception {
    OutcomeReader.Reading reading =
        Claims.bounded(value.length, () -> OUTCOMES.read(inbound(key, value, "x", key)));
    if (reading instanceof OutcomeReader.Reading.Bad bad) {
      forPeople(bad.problems());
    }
  }

  /** Headers of requests, and the record as it is held. */
  @FuzzTest
  void headers(
      byte @NotNull @WithLength(max = 64) [] key, @NotNull String name, byte @NotNull [] value) {
    for (String header :
        List.of(
            HeaderNames.CORRELATION_ID, HeaderNames.ANSWER_PARTITION, HeaderNames.STAMPED, name)) {
      Inbound inbound = inbound(key, value, header, value);
      AnswerAddress.of(inbound.headers())
          .ifPresent(address -> assertThat(address.correlationId()).hasSizeLessThan(256));
      assertThat(inbound.size()).isPositive();
      byte[] held = InboundBytes.encode(inbound);
      assertThat(InboundBytes.encode(InboundBytes.decode(held))).isEqualTo(held);
      if (RecordKey.of(inbound) instanceof RecordKey.Bad bad) {
        forPeople(List.of(bad.problem()));
      }
    }
  }

  /** The state that a record brings along; what the rules accept becomes a state and back. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void imported(byte @NotNull [] value) throws Exception {
    ImportReader reader = new ImportReader(SETTINGS.limits(), Effort.of(Effort.DECISION));
    List<Problem> problems = new ArrayList<>();
    Inbound inbound = inbound(new byte[] {'a'}, value, HeaderNames.IMPORT, value);
    Optional<ExportedState> state =
        Claims.bounded(value.length, () -> reader.read(inbound, problems));
    forPeople(problems);
    if (state.isEmpty()) {
      assertThat(problems).isNotEmpty();
      return;
    }
    Validation rules = new Validation(Duration.ofSeconds(1), ZoneOffset.UTC);
    state
        .get()
        .getOlder()
        .forEach(older -> older.setSchedule(rules.normalise(older.getSchedule())));
    ScheduleId id = new ScheduleId("a");
    Schedule normal = rules.normalise(HOURLY);
    ExportedState settled = ExportedStates.notAfter(state.get(), NOW);
    List<Problem> found =
        reader.problems(
            id,
            new Event.Imported(normal, settled, "waterclock.schedules-0@7", NOW),
            older -> rules.problems("a", older.getSchedule(), List.of(), NOW, Set.of()));
    forPeople(found);
    if (found.isEmpty()) {
      ScheduleState made =
          ExportedStates.state(
              id,
              ExportedStates.accepted(normal, settled, "waterclock.schedules-0@7", NOW),
              settled);
      ScheduleState again = ExportedStates.state(id, made.current(), ExportedStates.of(made));
      assertThat(ExportedStates.of(again)).isEqualTo(ExportedStates.of(made));
    }
  }

  private static void forPeople(List<Problem> problems) {
    for (Problem problem : BoundedText.problems(problems)) {
      assertThat(problem.getMessage()).isNotBlank();
    }
  }

  private static Inbound inbound(byte[] key, byte[] value, String header, byte[] headerValue) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(header, headerValue);
    return new Inbound(
        Optional.of(key), Optional.of(value), headers, NOW, "waterclock.commands", 0, 7);
  }
}

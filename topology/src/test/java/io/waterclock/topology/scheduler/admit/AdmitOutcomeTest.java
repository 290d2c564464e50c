package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the outcomes that workers report. */
final class AdmitOutcomeTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final String OUTCOME =
      "{\"fire_key\":\"a|2026-11-20T09:00:00.000Z\",\"state\":\"succeeded\"}";

  private final List<Sink> sent = new ArrayList<>();
  private final TaskContext task = task(1_000_000);

  @ParameterizedTest
  @ValueSource(strings = {"a|2026-11-20T09:00:00.000Z", "a|2026-11-20T09:00:00.000Z|by hand"})
  void an_outcome_that_changes_nothing_is_counted_as_ignored(String fireKey) {
    Inbound definition = record("a", "{\"every\":\"1h\",\"overlap\":\"skip\"}", 0);
    task.applier().apply(TestAdmission.definitions(task).accept(definition, NOW));
    note(
        outcomes(task)
            .accept(
                record("a", "{\"fire_key\":\"" + fireKey + "\",\"state\":\"succeeded\"}", 0), NOW));

    assertThat(task.partition().counts().outcomesIgnored()).isEqualTo(1);
    assertThat(task.partition().counts().acceptedFrom(InputTopic.OUTCOMES)).isZero();
    assertThat(sent).isEmpty();
  }

  @Test
  void a_record_without_a_value_or_without_an_id_is_a_dead_letter() {
    note(outcomes(task).accept(record("a", null, 0), NOW));
    note(outcomes(task).accept(record("no id", OUTCOME, 0), NOW));
    assertThat(sent).containsExactly(Sink.DLQ, Sink.DLQ);
  }

  @ParameterizedTest
  @CsvSource({"1000000, 524288", "100000, 98976"})
  void a_stray_is_written_to_its_partition_if_its_topic_takes_it(int limit, int largest) {
    AdmitOutcome outcomes = outcomes(task(limit));
    String fits = OUTCOME + " ".repeat(largest - "a".length() - OUTCOME.length());
    note(outcomes.acceptStray(record("a", fits, 1), NOW));
    assertThat(sent).filteredOn(Sink.OUTCOMES::equals).hasSize(1);
    note(outcomes.acceptStray(record("a", fits + " ", 1), NOW));
    assertThat(sent).filteredOn(Sink.OUTCOMES::equals).hasSize(1);
  }

  /** The limit of its schedule, or any limit if its schedule is gone or had another one. */
  @ParameterizedTest
  @CsvSource({
    "'', succeeded, 10:30, ''",
    "deleted, succeeded, 10:30, false ended",
    "deleted, started, 10:30, false begun 1795168800000",
    "'{\"every\":\"1h\"}', succeeded, 10:30, ''",
    "'{\"every\":\"1h\",\"limit\":\"etl\"}', succeeded, 10:30, true ended",
    "'{\"every\":\"1h\",\"limit\":\"etl\"}', started, 10:30, true begun 1795168800000",
    "'{\"every\":\"1h\",\"limit\":\"etl\"}', succeeded, 09:30, false ended",
    "'{\"every\":\"1h\",\"limit\":\"etl\"}', succeeded, 10:30|by-hand, false ended"
  })
  void the_limiter_learns_what_became_of_a_fire(
      String definition, String state, String occurrence, String told) {
    Inbound outcome =
        record(
            "a",
            "{\"fire_key\":\"a|2026-11-20T%s\",\"state\":\"%s\"}"
                .formatted(occurrence.replaceFirst("^.....", "$0:00.000Z"), state),
            0);
    boolean isDeleted = definition.equals("deleted");
    if (!definition.isEmpty()) {
      String json = isDeleted ? "{\"every\":\"1h\",\"limit\":\"etl\"}" : definition;
      task.applier().apply(TestAdmission.definitions(task).accept(record("a", json, 0), NOW));
    }
    if (isDeleted) {
      ScheduleId id = ScheduleId.parse("a");
      Optional<ScheduleState> before = task.partition().load(id);
      task.applier().apply(before, task.encoder().of(id, before, new Event.Deleted(NOW), NOW));
    }
    List<String> notes = new ArrayList<>();
    for (Effect effect : outcomes(task).accept(outcome, NOW)) {
      Outgoing record = ((Effect.Send) effect).record();
      assertThat(record.sink()).isEqualTo(Sink.WAITING);
      notes.add(
          WaitingNote.group(record.record().headers()).isPresent()
              + " "
              + WaitingNote.of(record.record().headers()).text());
    }
    assertThat(String.join(",", notes)).isEqualTo(told);
  }

  @Test
  void a_note_of_the_limiter_changes_the_run_that_waited_and_nothing_else() {
    Inbound definition =
        record(
            "a", "{\"at\":\"now\",\"overlap\":\"skip\",\"timeout\":\"5m\",\"limit\":\"etl\"}", 0);
    task.applier().apply(TestAdmission.definitions(task).accept(definition, NOW));
    RecordHeaders headers =
        new WaitingNote.Begun(NOW).ofFire(FireKey.parse("a|2026-11-20T10:00:00.000Z"));
    assertThat(outcomes(task).accept(note(headers), NOW)).isEmpty();
    headers.remove(HeaderNames.FIRE_KEY);
    note(outcomes(task).accept(note(headers), NOW));
    assertThat(sent).containsExactly(Sink.DLQ);
  }

  private static Inbound note(RecordHeaders headers) {
    return new Inbound(
        Optional.of("a".getBytes(UTF_8)),
        Optional.empty(),
        headers,
        NOW,
        "waterclock.outcomes",
        0,
        1);
  }

  private static TaskContext task(int maxStrayBytes) {
    return TestTask.with(
        new Settings.Limits(
            Duration.ofSeconds(1),
            1_000_000,
            maxStrayBytes,
            1_000_000,
            OwnerLimits.none(),
            AllowList.none(),
            Settings.FireBytes.unlimited()),
        TargetTopics.unknown());
  }

  private static AdmitOutcome outcomes(TaskContext of) {
    return new AdmitOutcome(of, TestAdmission.deadLetters(of));
  }

  private void note(List<Effect> effects) {
    for (Effect effect : effects) {
      sent.add(((Effect.Send) effect).record().sink());
    }
  }

  private static Inbound record(String key, String json, int partition) {
    return new Inbound(
        Optional.of(key.getBytes(UTF_8)),
        Optional.ofNullable(json).map(text -> text.getBytes(UTF_8)),
        new RecordHeaders(),
        NOW,
        "waterclock.outcomes",
        partition,
        1);
  }
}

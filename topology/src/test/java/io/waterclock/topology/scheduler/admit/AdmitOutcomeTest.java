package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
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
    assertThat(sent).containsExactly(Sink.OUTCOMES);
    note(outcomes.acceptStray(record("a", fits + " ", 1), NOW));
    assertThat(sent).hasSize(1);
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

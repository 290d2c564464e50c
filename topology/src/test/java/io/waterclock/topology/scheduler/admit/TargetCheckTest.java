package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a definition with a target must know of the target's topic. */
final class TargetCheckTest {
  private static final Instant WRITTEN = Instant.parse("2026-11-20T09:00:00Z");

  private TargetTopic known = new TargetTopic.Unknown();
  private final List<Instant> asked = new ArrayList<>();
  private final TaskContext task =
      TestTask.with(new Settings.Limits(Duration.ofSeconds(1), 1_000_000), this::find);
  private final DefinitionReader reader =
      new DefinitionReader(
          task.settings(),
          task.encoder().records().limit(),
          task.encoder().tables()::calendars,
          this::find,
          Effort.unlimited());

  private TargetTopic find(String topic, Instant asOf) {
    asked.add(asOf);
    return known;
  }

  @Test
  void a_topic_that_is_missing_since_the_record_was_written_is_told() {
    known = new TargetTopic.Missing();
    assertThat(problems("{\"topic\":\"mail\"}"))
        .singleElement()
        .asString()
        .startsWith("there is no topic \"mail\"");
    assertThat(asked).containsOnly(WRITTEN);
  }

  @Test
  void a_topic_that_may_be_no_target_is_not_looked_for() {
    known = new TargetTopic.Missing();
    assertThat(problems("{\"topic\":\"waterclock.fires\"}"))
        .singleElement()
        .asString()
        .contains("of the scheduler itself");
    assertThat(asked).isEmpty();
  }

  @Test
  void a_definition_is_accepted_while_no_broker_says_if_its_topic_exists() {
    assertThat(problems("{\"topic\":\"mail\"}")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fire", "payload"})
  void a_fire_must_fit_into_its_target_to_the_byte(String value) {
    String target = "{\"topic\":\"mail\",\"value\":\"" + value + "\"}";
    known = new TargetTopic.Present(1, 3);
    String tooLarge = problems(target).get(0);
    assertThat(tooLarge).contains("more than the 1 that \"mail\" accepts");
    int size = Integer.parseInt(tooLarge.replaceAll("\\D+(\\d+) bytes.*", "$1"));

    known = new TargetTopic.Present(size - 1, 3);
    assertThat(problems(target)).hasSize(1);
    known = new TargetTopic.Present(size, 3);
    assertThat(problems(target)).isEmpty();
  }

  private List<String> problems(String target) {
    String json = "{\"every\":\"1h\",\"payload\":\"hello\",\"target\":" + target + "}";
    DefinitionReader.Reading reading =
        reader.read(
            new Inbound(
                Optional.of("a".getBytes(UTF_8)),
                Optional.of(json.getBytes(UTF_8)),
                new RecordHeaders(),
                WRITTEN,
                "waterclock.schedules",
                0,
                1));
    return reading instanceof DefinitionReader.Reading.Rejected rejected
        ? rejected.problems().stream().map(Problem::getMessage).toList()
        : List.of();
  }
}

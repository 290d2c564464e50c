package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;

/** What is admitted in one go when what has waited is costly. */
final class CostlyCommandsTest {
  private static final String COSTLY =
      "\"rrule\":\"FREQ=SECONDLY;INTERVAL=1487;BYSECOND=1;BYMINUTE=1\","
          + "\"anchor\":\"2026-01-01T00:01:01\"";

  /** One question may exceed it. */
  private static final long MOST_STEPS = Slice.ENOUGH_STEPS + 2 * Effort.SEARCH;

  private final TestAdmission a = new TestAdmission(RecordDeaths.none());
  private int asked;

  @Test
  void a_definition_executes_a_bounded_effort_of_the_commands_that_wait_for_it() {
    ask(600);
    long before = steps();
    define(COSTLY);
    assertThat(steps() - before).isLessThan(MOST_STEPS);
    assertThat(answers()).isBetween(20L, 300L);
    while (answers() < 600) {
      long answers = answers();
      before = steps();
      a.admission.retry(TestAdmission.NOW);
      assertThat(steps() - before).isLessThan(MOST_STEPS);
      assertThat(answers()).isGreaterThan(answers);
    }
    assertThat(a.deadLetters()).isEmpty();
    assertThat(a.admission.held()).isZero();
  }

  @Test
  void what_is_written_later_waits_behind_the_commands_that_are_not_executed_yet() {
    ask(300);
    define(COSTLY);
    String first = revision();
    define("\"every\":\"1h\"");
    ask(1);
    while (answers() < 300) {
      assertThat(revision()).isEqualTo(first);
      a.admission.retry(TestAdmission.NOW);
    }
    a.admission.retry(TestAdmission.NOW);
    assertThat(revision()).isNotEqualTo(first);
    assertThat(answers()).isEqualTo(301);
    assertThat(a.admission.held()).isZero();
  }

  @Test
  void a_delete_refuses_the_commands_that_are_not_executed_yet() {
    ask(300);
    define(COSTLY);
    int left = a.admission.held();
    assertThat(left).isPositive();
    a.admit(TestAdmission.SCHEDULES, "a", Optional.empty());
    assertThat(a.exists("a")).isFalse();
    assertThat(a.deadLetters()).hasSize(left).allMatch(why -> why.contains("was deleted at"));
  }

  @Test
  void of_too_many_costly_commands_the_last_are_refused() {
    ask(3_000);
    define(COSTLY);
    assertThat(a.admission.held()).isEqualTo(1_000);
    assertThat(answers()).as("with the refusals").isEqualTo(2_000);
    for (int i = 0; i < 100 && a.admission.held() > 0; i++) {
      a.admission.retry(TestAdmission.NOW);
    }
    assertThat(answers()).isEqualTo(3_000);
  }

  @Test
  void commands_for_a_large_definition_are_executed_up_to_so_many_bytes_at_a_time() {
    ask(800);
    define("\"every\":\"1h\",\"payload\":\"" + "x".repeat(900_000) + "\"");
    assertThat(answers()).isBetween(50L, 100L);
    assertThat(a.admission.held()).isGreaterThan(700);
    for (int i = 0; i < 100 && a.admission.held() > 0; i++) {
      a.admission.retry(TestAdmission.NOW);
    }
    assertThat(answers()).isEqualTo(800);
    assertThat(a.deadLetters()).isEmpty();
  }

  @Test
  void held_questions_are_executed_up_to_an_effort_at_a_time() {
    define(COSTLY);
    a.admit(TestAdmission.SCHEDULES, "a", TestAdmission.REGISTERED);
    ask(500);
    a.lookups.set(0, TestAdmission.UNKNOWN);
    long before = steps();
    a.admission.retry(TestAdmission.NOW);
    assertThat(steps() - before).isLessThan(MOST_STEPS);
    assertThat(a.admission.held()).isPositive();
  }

  private void define(String trigger) {
    a.admit(TestAdmission.SCHEDULES, "a", "{" + trigger + "}");
  }

  private void ask(int number) {
    for (int i = 0; i < number; i++) {
      String json = "{\"command_id\":\"c%d\",\"next\":{\"count\":100}}".formatted(asked++);
      a.admit(
          TestAdmission.COMMANDS,
          "a",
          Optional.of(json.getBytes(UTF_8)),
          new RecordHeader(HeaderNames.CORRELATION_ID, "c".getBytes(UTF_8)),
          new RecordHeader(HeaderNames.ANSWER_PARTITION, "0".getBytes(UTF_8)));
    }
  }

  private long answers() {
    return a.sent(Sink.ANSWERS);
  }

  private long steps() {
    return a.task.encoder().tables().effort().total();
  }

  private String revision() {
    return a.task.partition().load(ScheduleId.parse("a")).orElseThrow().current().revision();
  }
}

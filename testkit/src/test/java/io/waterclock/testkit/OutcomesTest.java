package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workers report, from the record to what becomes of it. */
final class OutcomesTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final String EVERY_MINUTE =
      "{\"every\":\"1m\",\"anchor\":\"2026-03-01T00:00:00Z\",%s}";
  private final SchedulerHarness scheduler = SchedulerHarness.startingAt(START);

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static String report(String fireKey, String rest) {
    return "{\"fire_key\":\"" + fireKey + "\"," + rest + "}";
  }

  private void failed(String id, Fire fire) {
    String key = FireKey.of(new ScheduleId(id), fire.getOccurrence()).text();
    scheduler.report(id, report(key, "\"state\":\"failed\",\"error\":\"no disk\""));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"overlap\":\"skip\"', true",
    "'\"overlap\":\"buffer_one\"', true",
    "'\"pause_after_failures\":3', true",
    "'\"overlap\":\"allow\"', false"
  })
  void fires_ask_for_their_outcome_where_the_schedule_needs_it(String policy, boolean asks) {
    scheduler.put("a", EVERY_MINUTE.formatted(policy));
    scheduler.advance(Duration.ofMinutes(1));
    assertThat(scheduler.fires()).singleElement().returns(asks, Fire::getWantsOutcome);
  }

  @Test
  void a_schedule_that_keeps_failing_is_paused_and_says_why() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"pause_after_failures\":2"));
    scheduler.advance(Duration.ofMinutes(2));
    scheduler.fires("a").forEach(fire -> failed("a", fire));
    scheduler.advance(Duration.ofMinutes(2));

    ScheduleStatus status = scheduler.status("a").orElseThrow();
    assertThat(status.getState()).isEqualTo(State.PAUSED);
    assertThat(status.getPause().getAuthor()).isEqualTo("waterclock");
    assertThat(status.getPause().getNote())
        .startsWith("paused after 2 failed fires in a row")
        .endsWith("2026-03-01T00:02:00Z: no disk");
    assertThat(scheduler.fires("a")).hasSize(2);
  }

  @Test
  void a_schedule_that_fails_time_after_time_says_so_until_it_succeeds() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"overlap\":\"allow\""));
    for (int i = 0; i < 3; i++) {
      scheduler.advance(Duration.ofMinutes(1));
      failed("a", scheduler.fires("a").get(i));
    }
    scheduler.stop();
    scheduler.start();
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(scheduler.status("a").orElseThrow())
        .returns(State.ACTIVE, ScheduleStatus::getState)
        .satisfies(
            status -> {
              assertThat(status.getFailing().getCount()).isEqualTo(3);
              assertThat(status.getFailing().getError()).isEqualTo("no disk");
              assertThat(status.getFailing().getOccurrence()).isEqualTo(START.plusSeconds(180));
            });
    assertThat(last().getFailing()).isEqualTo(1);

    scheduler.advance(Duration.ofMinutes(1));
    scheduler.report("a", report("a|2026-03-01T00:04:00.000Z", "\"state\":\"succeeded\""));
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(scheduler.status("a").orElseThrow().getFailing()).isNull();
    assertThat(last().getFailing()).isZero();
    assertThat(scheduler.fires("a")).hasSize(4);
  }

  @Test
  void what_nobody_asked_for_changes_nothing_and_is_no_dead_letter() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"overlap\":\"allow\""));
    scheduler.advance(Duration.ofMinutes(1));
    String succeeded = "\"state\":\"succeeded\"";
    scheduler.report("a", report("a|2026-03-01T00:01:00.000Z", succeeded));
    scheduler.report("unknown", report("unknown|2026-03-01T00:01:00.000Z", succeeded));
    scheduler.report("a", report("a|2026-03-01T00:01:00.000Z|by hand", succeeded));

    assertThat(scheduler.records(scheduler.topics().dlq())).isEmpty();
    assertThat(scheduler.store("progress"))
        .as("nothing but the position, and how far the input was taken")
        .hasSize(2);
  }

  @Test
  void the_outcome_of_a_fire_by_hand_ends_no_run_of_the_schedule() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"overlap\":\"buffer_one\",\"timeout\":\"10m\""));
    scheduler.advance(Duration.ofMinutes(1));
    scheduler.command("a", "{\"command_id\":\"by hand\",\"trigger\":{}}");
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(scheduler.fires("a"))
        .extracting(Fire::getOccurrence)
        .containsExactly(START.plusSeconds(60), START.plusSeconds(60));

    scheduler.report("a", report("a|2026-03-01T00:01:00.000Z|by hand", "\"state\":\"succeeded\""));
    scheduler.advance(Duration.ofMinutes(2));
    assertThat(scheduler.fires("a")).as("the first one still runs").hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; fire_key",
        "{\"fire_key\":\"a|2026-03-01T00:01:00Z\",\"state\":\"failed\"}; milliseconds",
        "{\"fire_key\":\"a|2026-03-01T00:01:00.000Z\",\"state\":\"done\"}; state",
        "{\"fire_key\":\"b|2026-03-01T00:01:00.000Z\",\"state\":\"failed\"};"
            + " names a fire of b",
        "{\"fire_key\":\"a|2026-03-01T00:01:00.000Z\",\"state\":\"failed\",\"attempt\":0};"
            + " the first is 1",
        "{\"fire_key\":\"a|2026-03-01T00:01:00.000Z\",\"fire_id\":\"x\",\"state\":\"failed\"};"
            + " is not the id",
        "nonsense; neither"
      })
  void what_is_no_outcome_is_a_dead_letter_that_says_why(String value, String reason) {
    scheduler.report("a", value);
    assertThat(errors()).singleElement().asString().contains(reason);
  }

  @Test
  void all_that_is_too_large_is_told_at_once() {
    scheduler.report("a", saying(16 * 1024, 64 * 1024), START);
    assertThat(errors()).isEmpty();
    scheduler.report("a", saying(16 * 1024 + 1, 64 * 1024 + 1), START);
    assertThat(errors())
        .singleElement()
        .asString()
        .contains(
            "reason: has 16385 bytes",
            "output: has 16385 bytes",
            "error: has 16385 bytes",
            "checkpoint: has 65537 bytes");
  }

  /** An outcome with texts and a checkpoint of so many bytes. */
  private static Outcome saying(int length, int checkpoint) {
    String text = "x".repeat(length);
    return Outcome.newBuilder()
        .setFireKey("a|2026-03-01T00:01:00.000Z")
        .setState(OutcomeState.FAILED)
        .setReason(text)
        .setOutput(text)
        .setError(text)
        .setCheckpoint(ByteBuffer.allocate(checkpoint))
        .build();
  }

  @Test
  void an_id_beside_the_key_must_be_that_of_the_fire() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"pause_after_failures\":1"));
    scheduler.advance(Duration.ofMinutes(1));
    String key = "a|2026-03-01T00:01:00.000Z";
    String id = FireIds.of(scheduler.topics().ceSource()).of(FireKey.parse(key)).toString();
    scheduler.report("a", report(key, "\"fire_id\":\"" + id + "\",\"state\":\"failed\""));
    assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.PAUSED);
  }

  @Test
  void the_watermark_does_not_pass_what_is_held_back() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"overlap\":\"buffer_one\",\"timeout\":\"10m\""));
    scheduler.advance(Duration.ofMinutes(5));
    assertThat(last().getDecidedThrough()).isBefore(START.plus(Duration.ofMinutes(2)));
    scheduler.report("a", report("a|2026-03-01T00:01:00.000Z", "\"state\":\"succeeded\""));
    scheduler.report("a", report("a|2026-03-01T00:02:00.000Z", "\"state\":\"succeeded\""));
    scheduler.advance(Duration.ofSeconds(30));
    assertThat(scheduler.fires("a")).hasSize(2);
    assertThat(scheduler.missed())
        .allMatch(range -> range.getReason() == MissedReason.OVERLAP)
        .hasSize(1);
    assertThat(last().getRepaired()).isZero();
  }

  @Test
  void a_restart_forgets_neither_the_run_nor_what_it_holds_back() {
    scheduler.put("a", EVERY_MINUTE.formatted("\"overlap\":\"buffer_one\",\"timeout\":\"10m\""));
    scheduler.advance(Duration.ofMinutes(3));
    scheduler.stop();
    scheduler.advance(Duration.ofSeconds(10));
    scheduler.start();
    assertThat(scheduler.fires("a")).hasSize(1);
    scheduler.report("a", report("a|2026-03-01T00:01:00.000Z", "\"state\":\"dropped\""));
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(scheduler.fires("a"))
        .extracting(Fire::getOccurrence)
        .containsExactly(START.plusSeconds(60), START.plusSeconds(120));
  }

  private Watermark last() {
    List<Watermark> all = scheduler.watermarks();
    return all.get(all.size() - 1);
  }

  private List<String> errors() {
    return scheduler.records(scheduler.topics().dlq()).stream()
        .map(TestRecord::headers)
        .map(
            headers ->
                new String(headers.lastHeader(HeaderNames.ERROR).value(), StandardCharsets.UTF_8))
        .toList();
  }
}

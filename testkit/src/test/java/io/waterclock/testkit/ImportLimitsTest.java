package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who writes the header of an import is held to what definitions and commands are held to. */
final class ImportLimitsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant BEFORE = START.minusSeconds(3_600);
  private static final String HOURLY =
      "{\"every\":\"1h\",\"anchor\":\"2026-03-01T00:00:00Z\",\"pause_after_failures\":1000}";

  /** In bytes: less than what a thousand skips and as many failures take. */
  private static final int LARGEST = 10_000;

  private SchedulerHarness scheduler =
      Limited.scheduler(START, "acme/ schedules=2 min.interval=1m payload.bytes=10", LARGEST);

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void an_import_takes_room_as_any_definition_does() {
    for (String id : List.of("acme/1", "acme/2", "acme/3")) {
      take(id, HOURLY, hourly());
    }
    assertThat(state("acme/1")).isEqualTo(State.ACTIVE);
    assertThat(state("acme/2")).isEqualTo(State.ACTIVE);
    assertThat(state("acme/3")).isEqualTo(State.REJECTED);
    assertThat(problems("acme/3"))
        .singleElement()
        .extracting(Problem::getMessage)
        .asString()
        .startsWith("acme/ has 2 of the 2 schedules that it may have");
  }

  @Test
  void what_waits_is_bounded_in_bytes_as_for_triggers() {
    String large = "{\"at\":\"2027-01-01T00:00:00Z\",\"payload\":\"" + "x".repeat(5_000) + "\"}";
    List<OrderedFire> fires =
        IntStream.range(0, 4_000).mapToObj(i -> new OrderedFire("c-" + i, BEFORE, null)).toList();
    Instant at = Instant.parse("2027-01-01T00:00:00Z");
    take("other/1", large, begun().setOwnsAfter(BEFORE).setResolvedAt(at).setFires(fires));
    assertThat(problems("other/1"))
        .singleElement()
        .extracting(Problem::getMessage)
        .asString()
        .contains("with this definition they take 20", "at most 16777216 may wait");
    take("other/2", large, begun().setOwnsAfter(BEFORE).setResolvedAt(at));
    assertThat(state("other/2")).isEqualTo(State.ACTIVE);
  }

  @Test
  void what_is_complete_takes_none_and_is_what_has_nothing_left() {
    take("acme/1", HOURLY, hourly());
    take("acme/2", HOURLY, hourly());
    take(
        "acme/3",
        "{\"at\":\"2026-02-28T23:00:00Z\"}",
        begun().setOwnsAfter(BEFORE).setResolvedAt(BEFORE).setCompletedAt(START));
    take("acme/4", HOURLY, hourly().setCompletedAt(START));
    assertThat(state("acme/3")).isEqualTo(State.COMPLETED);
    assertThat(state("acme/4")).isEqualTo(State.REJECTED);
  }

  @Test
  void what_was_done_and_is_disabled_is_complete_all_the_same() {
    take(
        "acme/1",
        "{\"at\":\"2026-02-28T23:00:00Z\",\"enabled\":false}",
        begun().setOwnsAfter(BEFORE).setResolvedAt(BEFORE).setCompletedAt(START));
    take("acme/2", HOURLY.replace("}", ",\"enabled\":false}"), hourly().setCompletedAt(START));
    assertThat(state("acme/1")).isEqualTo(State.COMPLETED);
    assertThat(state("acme/2")).isEqualTo(State.PAUSED);
  }

  @Test
  void beside_a_schedule_that_is_known_the_header_means_nothing() {
    take("acme/1", HOURLY, hourly());
    take(
        "acme/1",
        "{\"every\":\"2h\",\"anchor\":\"2026-03-01T00:00:00Z\"}",
        hourly().setFailed(secondsFrom(START, 100_000)));
    assertThat(problems("acme/1")).isEmpty();
    assertThat(state("acme/1")).isEqualTo(State.ACTIVE);
    scheduler.advance(Duration.ofHours(2));
    assertThat(scheduler.fires("acme/1")).hasSize(1);
  }

  @Test
  void a_timer_that_an_import_would_move_back_stays_the_last_record_of_its_topic() {
    String timer = "{\"at\":\"2026-03-01T0%s:00:00Z\",\"rearm\":true}";
    scheduler.put("a", timer.formatted(2));
    take("a", timer.formatted(1), hourly());
    assertThat(scheduler.records(scheduler.topics().schedules()))
        .singleElement()
        .extracting(written -> RecordCodecs.schedule().decode(written.value()).getTrigger())
        .isEqualTo(new OnceTrigger(START.plus(Duration.ofHours(2)), null));
  }

  @Test
  void the_payload_of_an_ordered_fire_is_held_to_the_limit_of_the_owner() {
    OrderedFire.Builder fire = OrderedFire.newBuilder().setCommandId("c").setAt(START);
    take(
        "acme/1",
        HOURLY,
        hourly().setFires(List.of(fire.setPayload(ByteBuffer.wrap(new byte[11])).build())));
    assertThat(fields("acme/1")).containsExactly("waterclock-import.fires[0].payload");
    take(
        "acme/1",
        HOURLY,
        hourly().setFires(List.of(fire.setPayload(ByteBuffer.wrap(new byte[10])).build())));
    assertThat(state("acme/1")).isEqualTo(State.ACTIVE);
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.fires("acme/1")).hasSize(1);
  }

  @Test
  void a_replaced_definition_still_fires_and_is_judged_as_any_other() {
    ExportedRevision wrong = older("\"every\":\"5s\",\"payload\":\"0123456789\"");
    take("acme/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(wrong)));
    assertThat(fields("acme/1"))
        .containsExactly(
            "waterclock-import.older[0].schedule.every",
            "waterclock-import.older[0].schedule.payload");
    ExportedRevision none = older("\"cron\":\"0 0 30 2 *\"");
    take("acme/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(none)));
    assertThat(fields("acme/1")).containsExactly("waterclock-import.older[0].schedule.cron");
    String header = "\"headers\":{\"x\":\"" + "x".repeat(LARGEST) + "\"}";
    ExportedRevision large = older("\"every\":\"30m\"," + header);
    take("acme/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(large)));
    assertThat(fields("acme/1")).containsExactly("waterclock-import.older[0].schedule.payload");
    ExportedRevision right = older("\"every\":\"30m\",\"catch_up\":\"replay\"");
    take("acme/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(right)));
    assertThat(state("acme/1")).isEqualTo(State.ACTIVE);
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.fires("acme/1")).hasSize(2);
  }

  @Test
  void more_than_a_scheduler_counts_is_rejected_and_harms_nobody() {
    take("acme/1", HOURLY, hourly().setFailed(secondsFrom(START, 100_000)));
    assertThat(fields("acme/1")).containsExactly("waterclock-import.failed");
    take("other", HOURLY, hourly());
    scheduler.advance(Duration.ofHours(1));
    assertThat(scheduler.fires("other")).hasSize(1);
  }

  @Test
  void what_does_not_fit_the_stores_is_rejected_before_it_is_written() {
    take("other", HOURLY, hourly().setSkips(secondsFrom(START, 1_000)));
    assertThat(state("other")).isEqualTo(State.ACTIVE);
    take(
        "another",
        HOURLY,
        hourly().setSkips(secondsFrom(START, 1_000)).setFailed(secondsFrom(START, 1_000)));
    assertThat(problems("another"))
        .singleElement()
        .returns("waterclock-import", Problem::getField)
        .extracting(Problem::getMessage)
        .asString()
        .startsWith("a part of it would take 12");
  }

  @Test
  void what_fits_the_stores_to_the_byte_is_accepted() {
    ExportedState.Builder state =
        hourly().setSkips(secondsFrom(START, 1_000)).setFailed(secondsFrom(START, 1_000));
    take("a", HOURLY, state);
    String message = problems("a").get(0).getMessage();
    int size = Integer.parseInt(message.replaceAll("\\D+(\\d+) bytes.*", "$1"));
    for (int largest : new int[] {size - 1, size}) {
      scheduler.close();
      scheduler = Limited.scheduler(START, "* schedules=100", largest);
      take("a", HOURLY, state);
      assertThat(state("a")).isEqualTo(largest < size ? State.REJECTED : State.ACTIVE);
    }
  }

  /**
   * Any producer of definitions could claim false progress, and have occurrences fire that never
   * were.
   */
  @Test
  void an_import_is_believed_only_where_the_operator_allows_it() {
    scheduler.close();
    scheduler = Limited.scheduler(START, "* schedules=100", LARGEST, "acme/*");
    ExportedRevision forged = older("\"every\":\"30m\",\"catch_up\":\"replay\"");
    take("acme/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(forged)));
    take("other/1", HOURLY, hourly().setDecidedThrough(BEFORE).setOlder(List.of(forged)));
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.fires("acme/1")).hasSize(2);
    assertThat(scheduler.fires("other/1")).isEmpty();
    assertThat(problems("other/1"))
        .singleElement()
        .returns("waterclock-import", Problem::getField)
        .extracting(Problem::getMessage)
        .asString()
        .contains("import.allow has acme/*", "for example to other/*");

    scheduler.close();
    scheduler = Limited.scheduler(START, "* schedules=100", LARGEST, "");
    take("acme/1", HOURLY, hourly());
    assertThat(problems("acme/1")).singleElement().asString().contains("import.allow is empty");
  }

  @Test
  void a_header_without_a_value_means_nothing() {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.IMPORT, null);
    scheduler.send("a", HOURLY.getBytes(StandardCharsets.UTF_8), START, headers);
    assertThat(state("a")).isEqualTo(State.ACTIVE);
  }

  @Test
  void a_header_that_cannot_be_read_is_told_as_such() {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.IMPORT, new byte[] {'x'});
    scheduler.send("a", HOURLY.getBytes(StandardCharsets.UTF_8), START, headers);
    assertThat(problems("a"))
        .singleElement()
        .returns("waterclock-import", Problem::getField)
        .extracting(Problem::getMessage)
        .asString()
        .startsWith("is broken: ");
  }

  private void take(String id, String json, ExportedState.Builder state) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(
        HeaderNames.IMPORT, RecordCodecs.exportedState().encode(state.build(), WireFormat.AVRO));
    scheduler.send(id, json.getBytes(StandardCharsets.UTF_8), START, headers);
  }

  private static ExportedState.Builder hourly() {
    return begun().setResolvedAt(START);
  }

  private static ExportedState.Builder begun() {
    return ExportedState.newBuilder()
        .setWrittenAt(START)
        .setEffectiveAt(START)
        .setOwnsAfter(START)
        .setDecidedThrough(START);
  }

  /** With occurrences from an hour before the start on, none of which is decided. */
  private static ExportedRevision older(String members) {
    byte[] json = ("{" + members + "}").getBytes(StandardCharsets.UTF_8);
    return ExportedRevision.newBuilder()
        .setRevision("schedules-0@0")
        .setSchedule(RecordCodecs.schedule().decode(json))
        .setEffectiveAt(BEFORE)
        .setOwnsAfter(BEFORE)
        .setResolvedAt(BEFORE)
        .build();
  }

  private static List<Instant> secondsFrom(Instant start, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(start::plusSeconds).toList();
  }

  private State state(String id) {
    return scheduler.status(id).orElseThrow().getState();
  }

  private List<Problem> problems(String id) {
    return scheduler.status(id).orElseThrow().getProblems();
  }

  private List<String> fields(String id) {
    return problems(id).stream().map(Problem::getField).toList();
  }
}

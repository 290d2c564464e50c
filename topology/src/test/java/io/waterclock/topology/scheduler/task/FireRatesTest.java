package io.waterclock.topology.scheduler.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.topology.scheduler.context.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the fires of an owner may take, and who waits for them. */
final class FireRatesTest {
  private static final String FAR = "{\"at\":\"2040-01-01T00:00:00Z\",\"payload\":\"%s\"}";
  private static final int LARGE = 60_000;
  private static final int SMALL_RATE = 100_000;
  private static final int SECONDS = 20;
  private static final Duration STEP = Duration.ofMillis(50);

  private final SimulatedCluster cluster =
      SimulatedCluster.ofFireRates(
          "acme/ schedules=100; big/ payload.bytes=90000",
          new Settings.FireBytes(80_000, SMALL_RATE, LARGE));
  private int produced;

  @Test
  void small_fires_do_not_wait_for_large_ones() {
    every("small", 10);
    for (int i = 0; i < 10; i++) {
      every("large" + i, LARGE);
    }
    run(SECONDS);
    assertThat(firesOf("small")).hasSize(SECONDS).allMatch(fire -> lateness(fire) <= 50);
    // those of a second at once, and then nine eighths of one a second
    assertThat(large()).isBetween(SECONDS - 2L, (SECONDS + 2) * 9L / 8);
    assertThat(cluster.counts(0).postponedOf("*")).isGreaterThan(10);
    assertThat(cluster.counts(0).fireBytes("*")).isGreaterThan(large() * LARGE);
  }

  @Test
  void small_fires_of_an_owner_take_so_many_bytes_a_second_and_those_of_others_do_not_wait() {
    for (int i = 0; i < 20; i++) {
      every("acme/small" + i, 15_000);
    }
    every("acme/tiny", 10);
    every("small", 15_000);
    run(SECONDS);
    assertThat(firesOf("small")).hasSize(SECONDS).allMatch(fire -> lateness(fire) <= 50);
    assertThat(firesOf("acme/tiny")).hasSize(SECONDS).allMatch(fire -> lateness(fire) <= 50);
    assertThat(cluster.counts(0).fireBytes("acme/"))
        .isBetween((SECONDS - 1L) * SMALL_RATE, (SECONDS + 2L) * SMALL_RATE * 10 / 8);
    assertThat(cluster.counts(0).postponedOf("acme/")).isGreaterThan(10);
    assertThat(cluster.counts(0).postponedOf("*")).isZero();
  }

  @Test
  void a_fire_does_not_wait_for_much_larger_ones_of_its_owner() {
    for (int i = 0; i < 40; i++) {
      every("large" + i, 75_000);
    }
    put(
        "less",
        "{\"every\":\"10s\",\"payload\":\"%s\"}".formatted("x".repeat(FireRates.SMALL + 1)));
    run(2 * SECONDS);
    assertThat(firesOf("less")).hasSize(4).allMatch(fire -> lateness(fire) <= 50);
    assertThat(large()).isBetween(30L, 40L);
  }

  @Test
  void what_is_said_to_be_small_and_is_sent_as_large_is_bounded_too() {
    for (int i = 0; i < 20; i++) {
      every("small" + i, FireRates.SMALL - 100);
    }
    run(SECONDS);
    assertThat(cluster.fires()).anyMatch(fire -> lateness(fire) > 50);
    assertThat(cluster.counts(0).fireBytes("*")).isLessThan((SECONDS + 2L) * SMALL_RATE * 9 / 8);
  }

  @Test
  void the_log_has_a_line_a_minute_however_often_fires_wait() {
    for (int i = 0; i < 10; i++) {
      every("large" + i, LARGE);
    }
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      run(130);
    } finally {
      System.setErr(before);
    }
    List<String> lines =
        log.toString(UTF_8)
            .lines()
            .filter(it -> it.contains(" had to wait") || it.contains(" wait: "))
            .toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("Fires of large", "wait: ", " its owner * ");
    assertThat(lines.subList(1, 3)).allMatch(line -> line.contains(" more times, a schedule of "));
  }

  @Test
  void all_that_wait_get_their_share_in_order_and_once_also_after_crashes() {
    for (int i = 0; i < 5; i++) {
      every("large" + i, LARGE);
    }
    for (int i = 0; i < 4; i++) {
      run(SECONDS);
      cluster.tasks().get(0).crash();
    }
    for (int i = 0; i < 5; i++) {
      List<Instant> fired = firesOf("large" + i).stream().map(Fire::getOccurrence).toList();
      assertThat(fired).hasSizeBetween(10, 25).isSorted();
      assertThat(new HashSet<>(fired)).hasSameSizeAs(fired);
    }
  }

  @Test
  void an_owner_has_bytes_of_its_own() {
    for (int i = 0; i < 10; i++) {
      every("large" + i, LARGE);
    }
    every("acme/report", LARGE / 2);
    run(SECONDS);
    assertThat(firesOf("acme/report")).hasSize(SECONDS).allMatch(fire -> lateness(fire) <= 50);
    assertThat(cluster.counts(0).postponedOf("acme/")).isZero();
  }

  @Test
  void what_triggers_and_backfills_fire_counts_too() {
    every("a", LARGE);
    run(2);
    long before = firesOf("a").size();
    for (int i = 0; i < 10; i++) {
      command("a", "\"trigger\":{}");
    }
    every("small", 10);
    run(5);
    assertThat(firesOf("a").size() - before).isBetween(4L, 7L);
    run(20);
    before = firesOf("a").size();
    command(
        "a", "\"backfill\":{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2040-01-01T00:00:00Z\"}");
    run(10);
    assertThat(firesOf("a").size() - before).isBetween(9L, 12L);
    assertThat(firesOf("small")).hasSize(35).allMatch(fire -> lateness(fire) <= 50);
  }

  @Test
  void fires_that_wait_for_a_limit_count_too() {
    String large = "x".repeat(LARGE);
    for (int i = 0; i < 10; i++) {
      put("large" + i, "{\"every\":\"1s\",\"limit\":\"etl\",\"payload\":\"%s\"}".formatted(large));
    }
    run(SECONDS);
    assertThat(cluster.counts(0).postponedOf("*")).isGreaterThan(10);
    assertThat(cluster.counts(0).fireBytes("*"))
        .isBetween((SECONDS - 2L) * LARGE, (SECONDS + 3) * LARGE * 9L / 8);
  }

  @Test
  void so_do_those_that_commands_have_ordered() {
    put(
        "a",
        "{\"at\":\"2040-01-01T00:00:00Z\",\"limit\":\"etl\",\"payload\":\"%s\"}"
            .formatted("x".repeat(LARGE)));
    run(1);
    for (int i = 0; i < 10; i++) {
      command("a", "\"trigger\":{}");
    }
    run(5);
    assertThat(cluster.counts(0).fireBytes("*")).isBetween(4L * LARGE, 8L * LARGE);
  }

  @Test
  void a_payload_may_be_larger_when_it_fires_once_or_its_owner_has_a_limit() {
    put("often", "{\"every\":\"1s\",\"payload\":\"%s\"}".formatted("x".repeat(85_000)));
    put(
        "once",
        "{\"at\":\"2040-01-01T00:00:00Z\",\"payload\":\"%s\"}".formatted("x".repeat(85_000)));
    put("big/often", "{\"every\":\"1s\",\"payload\":\"%s\"}".formatted("x".repeat(85_000)));
    run(1);
    assertThat(cluster.answers().stream().map(FireRatesTest::text))
        .containsExactly(
            "REJECTED has 85002 bytes, more than the 80000 that a schedule that repeats may send"
                + " (repeated.payload.bytes); make it smaller or send a reference to it",
            "ACCEPTED",
            "ACCEPTED");
  }

  @Test
  void small_fires_of_commands_do_not_wait_for_large_ones() {
    List<String> ids = IntStream.range(0, 200).mapToObj(i -> "large" + i).toList();
    String far = "{\"at\":\"2040-01-01T00:00:00Z\",\"payload\":\"%s\"}";
    ids.forEach(id -> put(id, far.formatted("x".repeat(LARGE / 2))));
    put("small", far.formatted("x"));
    run(1);
    ids.forEach(id -> command(id, "\"trigger\":{}"));
    run(3);
    command("small", "\"trigger\":{}");
    run(1);
    assertThat(firesOf("small")).hasSize(1).allMatch(fire -> lateness(fire) <= 100);
    assertThat(large()).isBetween(5L, 20L);
  }

  @Test
  void small_replayed_fires_do_not_wait_for_large_ones_that_their_own_schedule_has_ordered() {
    orderHundredLarge();
    put("large", "{\"every\":\"1s\",\"catch_up\":\"replay\",\"payload\":\"small\"}");
    run(3);
    cluster.advance(Duration.ofSeconds(10));
    cluster.tasks().get(0).crash();
    Instant back = cluster.now();
    run(5);
    assertThat(firesOf("large"))
        .filteredOn(fire -> StrayTrace.payload(fire.getSchedule()).equals("small"))
        .hasSize(18)
        .allMatch(
            fire -> lateness(fire) <= 100 || fire.getFiredAt().isBefore(back.plusMillis(100)));
  }

  @Test
  void a_replay_of_another_owner_passes_many_that_wait() {
    put("acme/replay", "{\"every\":\"1s\",\"catch_up\":\"replay\"}");
    for (int i = 0; i < 3_000; i++) {
      every("large" + i, FireRates.SMALL + 1);
    }
    run(5);
    cluster.advance(Duration.ofSeconds(10));
    cluster.tasks().get(0).crash();
    Instant back = cluster.now();
    run(2);
    assertThat(firesOf("acme/replay"))
        .hasSizeBetween(15, 17)
        .allMatch(fire -> fire.getFiredAt().isBefore(back.plusMillis(500)) || lateness(fire) <= 50);
  }

  @Test
  void a_backfill_of_small_fires_does_not_wait_for_one_of_large_fires_that_was_cancelled() {
    String all = "\"backfill\":{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2040-01-01T00:00:00Z\"}";
    for (int i = 0; i < 10; i++) {
      every("large" + i, LARGE);
    }
    put("a", "{\"every\":\"10s\",\"payload\":\"%s\"}".formatted("x".repeat(LARGE - 1_000)));
    run(40);
    String cancel = "\"cancel_backfill\":{\"backfill\":\"c-%s\"}".formatted(produced);
    command("a", all);
    run(5);
    command("a", cancel);
    put("a", "{\"every\":\"10s\",\"payload\":\"x\"}");
    run(30);
    long before = firesOf("a").size();
    command("a", all);
    run(3);
    assertThat(firesOf("a").size() - before).isGreaterThanOrEqualTo(2);
  }

  @Test
  void an_edit_does_not_let_large_fires_of_commands_out_at_once() {
    orderHundredLarge();
    put("large", FAR.formatted("y"));
    run(1);
    assertThat(large()).isBetween(2L, 8L);
    command("large", "\"trigger\":{}");
    run(60);
    assertThat(firesOf("large"))
        .hasSize(101)
        .extracting(fire -> StrayTrace.payload(fire.getSchedule()).charAt(0))
        .endsWith('x', 'y');
  }

  private void orderHundredLarge() {
    put("large", FAR.formatted("x".repeat(LARGE / 2)));
    run(1);
    for (int i = 0; i < 100; i++) {
      command("large", "\"trigger\":{}");
    }
    run(1);
  }

  private static String text(Answer answer) {
    return answer.getVerdict()
        + answer.getProblems().stream().map(it -> " " + it.getMessage()).findFirst().orElse("");
  }

  private void every(String id, int bytes) {
    put(id, "{\"every\":\"1s\",\"payload\":\"%s\"}".formatted("x".repeat(bytes)));
  }

  private void put(String id, String json) {
    produce(cluster.topics().schedules(), id, json);
  }

  private void command(String id, String action) {
    produce(
        cluster.topics().commands(),
        id,
        "{\"command_id\":\"c-%s\",%s}".formatted(produced, action));
  }

  private void produce(String topic, String id, String json) {
    cluster.produce(topic, 0, id, Optional.of(json), cluster.now(), "r-" + produced++);
  }

  private void run(int seconds) {
    for (long ms = 0; ms < seconds * 1_000L; ms += STEP.toMillis()) {
      cluster.drain();
      cluster.advance(STEP);
    }
    cluster.drain();
  }

  private List<Fire> firesOf(String id) {
    return cluster.fires().stream().filter(fire -> fire.getScheduleId().equals(id)).toList();
  }

  private long large() {
    return cluster.fires().stream()
        .filter(fire -> fire.getScheduleId().startsWith("large"))
        .count();
  }

  private static long lateness(Fire fire) {
    return Duration.between(fire.getDue(), fire.getFiredAt()).toMillis();
  }
}

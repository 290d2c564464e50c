package io.waterclock.judge.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.judge.Entry;
import io.waterclock.judge.Finding;
import io.waterclock.judge.Health;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories of one limit, written by hand. Times are seconds after noon; a run may take 5 s. */
final class LimitJudgeTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final List<Entry<byte[]>> waiting = new ArrayList<>();
  private final List<Entry<String>> limits = new ArrayList<>();
  private final List<Entry<Fire>> fires = new ArrayList<>();
  private final List<Entry<Outcome>> reports = new ArrayList<>();

  private static long ms(double seconds) {
    return NOON.toEpochMilli() + Math.round(seconds * 1_000);
  }

  private static String key(int second) {
    return "a|" + NOON.plusSeconds(second).toString().replace("Z", ".000Z");
  }

  private static <T> Entry<T> entry(
      List<?> topic, String key, Map<String, String> headers, double at, Optional<T> value) {
    return new Entry<>("t", 0, topic.size(), key, value, headers, ms(at), ms(at), ms(at));
  }

  private LimitJudgeTest limit(double at, String json) {
    limits.add(entry(limits, "g", Map.of(), at, Optional.of(json)));
    return this;
  }

  private LimitJudgeTest waits(int... seconds) {
    IntStream.of(seconds)
        .forEach(
            second ->
                waiting.add(
                    entry(
                        waiting,
                        key(second),
                        Map.of(
                            "waterclock-limit",
                            "g",
                            "waterclock-waiting",
                            "fire 0 %d - 5000 OCCURRENCE -".formatted(ms(second))),
                        second,
                        Optional.empty())));
    return this;
  }

  private LimitJudgeTest starts(double at, int second) {
    Instant occurrence = NOON.plusSeconds(second);
    Fire fire =
        Fire.newBuilder()
            .setFireId("")
            .setScheduleId("a")
            .setOccurrence(occurrence)
            .setDue(occurrence)
            .setFiredAt(occurrence)
            .setCause(Cause.SCHEDULED)
            .setRevision("s-0@0")
            .setSchedule(Schedule.newBuilder().setTrigger(new OnceTrigger(NOON, null)).build())
            .build();
    fires.add(entry(fires, key(second), Map.of(), at, Optional.of(fire)));
    return this;
  }

  private LimitJudgeTest ends(double at, int second) {
    Outcome outcome =
        Outcome.newBuilder().setFireKey(key(second)).setState(OutcomeState.SUCCEEDED).build();
    reports.add(entry(reports, "a", Map.of(), at, Optional.of(outcome)));
    return this;
  }

  private LimitHistory history() {
    return new LimitHistory(
        1, waiting, limits, fires, List.<Entry<Missed>>of(), reports, List.of(), List.of());
  }

  private List<Finding> findings(double end) {
    return findings(history(), -1_000, end);
  }

  /** The limiter works from some time on, and reads what is written within a second. */
  private static List<Finding> findings(LimitHistory history, double from, double end) {
    Health limiting = new Health();
    limiting.decided(Set.of(0), ms(from));
    Health always = new Health();
    always.decided(Set.of(0), Long.MIN_VALUE / 2);
    return LimitJudge.judge(history, limiting, always, 1_000, ms(end));
  }

  /** One at a time: the second waits for the report of the first, the third for its time-out. */
  private LimitJudgeTest oneAtATime() {
    return limit(-10, "{\"max_running\":1}")
        .waits(1, 2, 3)
        .starts(1, 1)
        .ends(4, 1)
        .starts(4.1, 2)
        .starts(9.1, 3);
  }

  @Test
  void what_starts_when_there_is_room_is_right() {
    assertThat(oneAtATime().findings(60)).isEmpty();
  }

  @Test
  void one_more_than_may_run_is_found() {
    limit(-10, "{\"max_running\":1}").waits(1, 2).starts(1, 1).starts(5.9, 2);
    assertThat(findings(60)).singleElement().asString().contains("started while 1 of g ran");
  }

  @Test
  void a_start_in_a_window_is_found() {
    limit(-100, "{\"closed\":[{\"cron\":\"*/30 * * * * *\",\"duration\":\"8s\"}]}");
    waits(31, 32).starts(38, 31).starts(37.9, 32);
    assertThat(findings(60)).singleElement().asString().contains("paused or closed");
  }

  @Test
  void what_waits_beside_room_is_found() {
    limit(-100, "{\"max_running\":2}").waits(1, 2).starts(1, 1);
    assertThat(findings(11)).isEmpty();
    assertThat(findings(13)).singleElement().asString().contains("had room");
  }

  @Test
  void a_closed_window_is_no_room() {
    limit(-100, "{\"closed\":[{\"cron\":\"*/12 * * * * *\",\"duration\":\"3s\"}]}").waits(1);
    assertThat(findings(50)).isEmpty();
  }

  @Test
  void a_limiter_that_has_begun_opens_its_gate_within_half_a_minute() {
    limit(-100, "{\"max_running\":1}").waits(1);
    assertThat(findings(history(), 20, 59)).isEmpty();
    assertThat(findings(history(), 20, 61)).singleElement().asString().contains("had room");
  }

  @ParameterizedTest
  @EnumSource(LimitSabotage.class)
  void a_planted_fault_is_found(LimitSabotage sabotage) {
    limit(-10, "{\"max_running\":2}").waits(1, 2, 3, 4);
    starts(1, 1).starts(2, 2).starts(6, 3).starts(7, 4);
    assertThat(findings(60)).isEmpty();
    LimitHistory planted = sabotage.plantIn(history()).orElseThrow();
    assertThat(findings(planted, -1_000, 60)).isNotEmpty();
  }
}

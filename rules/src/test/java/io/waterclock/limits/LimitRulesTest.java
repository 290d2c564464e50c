package io.waterclock.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LimitRulesTest {
  private static Limit limit(String json) {
    return RecordCodecs.limit().decode(json.replace('\'', '"').getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'max_running':1,'per_second':10000,'timeout':'31d'}",
        "{'lanes':[{'from_priority':-5,'max_running':1},{'from_priority':0,'max_running':100000}]}",
        "{'paused':{},'closed':[{'cron':'0 22 * * *','duration':'1h','timezone':'Europe/Berlin'}]}"
      })
  void a_limit_is_valid(String json) {
    assertThat(LimitRules.problems(limit(json))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'max_running':0} | max_running: 0 is not from 1 to 100000; paused stops all",
        "{'max_running':100001} | max_running: 100001 is not from 1 to 100000",
        "{'per_second':10001} | per_second: 10001 is not from 1 to 10000",
        "{'timeout':'32d'} | timeout: is not from 1 ms to 31 days",
        "{'lanes':[{'from_priority':1,'max_running':0}]} | lanes[0].max_running: 0 is not from 1",
        "{'lanes':[{'from_priority':1,'max_running':1},{'from_priority':1,'max_running':2}]}"
            + " | lanes[1].from_priority: is that of another lane",
        "{'closed':[{'cron':'61 * * * *','duration':'1h'}]} | closed[0]: ",
        "{'closed':[{'cron':'@daily','duration':'1h','timezone':'Mars'}]} | closed[0]: ",
        "{'closed':[{'cron':'@daily','duration':'0s'}]} | closed[0].duration: is not from 1 ms"
      })
  void a_limit_is_refused_with_what_is_wrong_and_where(String json, String problem) {
    assertThat(Problems.text(LimitRules.problems(limit(json)))).startsWith(problem);
  }

  /** On 29 March 2026 the clocks of Berlin go from 02:00 to 03:00, which is 01:00 in UTC. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-27T20:59:59.999Z, false",
    "2026-03-27T21:00:00Z, true",
    "2026-03-28T01:59:59.999Z, true",
    "2026-03-28T02:00:00Z, false",
    "2026-03-28T21:00:00Z, true",
    "2026-03-29T01:59:59.999Z, true",
    "2026-03-29T02:00:00Z, false",
    "2026-03-29T20:00:00Z, true"
  })
  void a_window_begins_by_the_clock_of_its_zone_and_lasts(Instant at, boolean isClosed) {
    GroupLimit limit =
        GroupLimit.of(
            limit("{'closed':[{'cron':'0 22 * * *','duration':'5h','timezone':'Europe/Berlin'}]}"));
    assertThat(limit.isClosed(at)).isEqualTo(isClosed);
  }

  @Test
  void a_pause_lasts_or_ends_by_itself() {
    Instant noon = Instant.parse("2026-03-27T12:00:00Z");
    assertThat(GroupLimit.of(limit("{'paused':{}}")).isClosed(noon)).isTrue();
    GroupLimit ends = GroupLimit.of(limit("{'paused':{'until':'2026-03-27T12:00:00Z'}}"));
    assertThat(ends.isClosed(noon.minusMillis(1))).isTrue();
    assertThat(ends.isClosed(noon)).isFalse();
  }

  @Test
  void a_rate_bounds_every_second_wherever_it_begins() {
    GroupLimit limit = GroupLimit.of(limit("{'per_second':2}"));
    Starts starts = new Starts();
    Instant now = Instant.parse("2026-03-27T12:00:00Z");
    starts.started(
        limit, limit.lanes().get(0), run("a", 0, now.plusSeconds(9)), now.plusMillis(900));
    starts.started(
        limit, limit.lanes().get(0), run("b", 0, now.plusSeconds(9)), now.plusMillis(950));
    for (Duration since : new Duration[] {Duration.ofMillis(951), Duration.ofMillis(1_899)}) {
      assertThat(starts.room(limit, limit.lanes().get(0), now.plus(since))).isZero();
    }
    assertThat(starts.room(limit, limit.lanes().get(0), now.plusMillis(1_900))).isEqualTo(1);
    assertThat(starts.room(limit, limit.lanes().get(0), now.plusMillis(1_950))).isEqualTo(2);
    starts.exhausted(now.plusMillis(1_950));
    assertThat(starts.room(limit, limit.lanes().get(0), now.plusMillis(2_949))).isZero();
    assertThat(starts.room(limit, limit.lanes().get(0), now.plusMillis(2_950))).isEqualTo(2);
  }

  private static Starts.Run run(String key, int priority, Instant until) {
    return new Starts.Run(key, priority, until, Duration.ofSeconds(1));
  }

  @Test
  void a_run_counts_from_its_latest_start_and_a_clock_that_is_set_back_holds_nothing_for_longer() {
    GroupLimit limit = GroupLimit.of(limit("{'max_running':1,'per_second':1}"));
    Starts starts = new Starts();
    Instant now = Instant.parse("2026-03-27T12:00:00Z");
    starts.started(limit, limit.lanes().get(0), run("a", 0, now.plusSeconds(1)), now);
    assertThat(starts.begun("a", now.minusMillis(1))).isEmpty();
    assertThat(starts.begun("b", now)).isEmpty();
    assertThat(starts.begun("a", now.plusMillis(500)).orElseThrow().until())
        .isEqualTo(now.plusMillis(1_500));
    assertThat(starts.timedOut(now.plusSeconds(1))).isEmpty();
    Instant back = now.minusSeconds(3_600);
    starts.setBack(back);
    assertThat(starts.room(limit, limit.lanes().get(0), back.plusMillis(999))).isZero();
    assertThat(starts.timedOut(back.plusSeconds(1))).isPresent();
    assertThat(starts.room(limit, limit.lanes().get(0), back.plusSeconds(1))).isEqualTo(1);
  }

  @Test
  void lanes_leave_room_for_those_before_them() {
    GroupLimit limit =
        GroupLimit.of(limit("{'max_running':3,'lanes':[{'from_priority':10,'max_running':1}]}"));
    Starts starts = new Starts();
    Instant now = Instant.parse("2026-03-27T12:00:00Z");
    starts.started(limit, limit.lanes().get(1), run("bulk", 10, now.plusSeconds(1)), now);
    assertThat(starts.room(limit, limit.lanes().get(1), now)).isZero();
    assertThat(starts.room(limit, limit.lanes().get(0), now)).isEqualTo(2);
    assertThat(starts.timedOut(now.plusMillis(999))).isEmpty();
    assertThat(starts.timedOut(now.plusSeconds(1)).orElseThrow().fireKey()).isEqualTo("bulk");
    assertThat(starts.room(limit, limit.lanes().get(1), now)).isEqualTo(1);
  }
}

package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.WaitingNote.Role;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the limiter does about one record, or about few. */
final class LimiterProcessorTest {
  private static final String A = "a|2026-11-25T10:00:00.000Z";
  private static final String B = "b|2026-11-25T10:00:00.000Z";
  private static final String C = "c|2026-11-25T10:00:00.000Z";
  private static final Optional<String> ETL = Optional.of("etl");

  private final LimiterRig rig = new LimiterRig();

  private static WaitingNote.Fire fire(int priority, Role role) {
    return new WaitingNote.Fire(
        priority,
        LimiterRig.BEGIN.toEpochMilli(),
        new WaitingNote.Terms(Optional.empty(), Optional.of(Duration.ofMinutes(1)), role),
        Optional.empty());
  }

  private void fire(String key) {
    fire(key, fire(0, Role.OCCURRENCE));
  }

  private void fire(String key, WaitingNote.Fire note) {
    rig.send(key, key.getBytes(UTF_8), ETL, note);
  }

  private void pause(String group) {
    rig.limit(group, "{\"paused\":{}}");
  }

  private List<String> fired() {
    return sent(LimiterProcessor.TO_FIRES).stream().map(LimiterRig.Sent::key).toList();
  }

  private List<LimiterRig.Sent> sent(String to) {
    return rig.sent().stream().filter(it -> it.to().equals(to)).toList();
  }

  private static String reason(LimiterRig.Sent letter) {
    return text(letter, HeaderNames.ERROR);
  }

  private static String text(LimiterRig.Sent sent, String header) {
    return new String(sent.record().headers().lastHeader(header).value(), UTF_8);
  }

  @Test
  void fires_with_one_key_start_each_whatever_their_priorities_and_through_a_restart() {
    pause("etl");
    fire(A, fire(5, Role.OCCURRENCE));
    fire(A, fire(0, Role.ORDERED));
    rig.restart();
    rig.limit("etl", null);
    rig.tick();
    assertThat(fired()).containsExactly(A, A);
    rig.tick();
    assertThat(fired()).isEmpty();
  }

  /** Kafka Streams processes one record a round if each round commits. */
  @Test
  void one_commit_serves_many_fires_while_records_wait() {
    rig.limit("etl", "{\"max_running\":9}");
    rig.isBehind = true;
    fire(A);
    rig.tick();
    assertThat(rig.commits()).as("the first, at once").isTrue();
    fire(B);
    rig.now = rig.now.plusMillis(20);
    rig.tick();
    assertThat(rig.commits()).isFalse();
    fire(C);
    rig.now = rig.now.plusMillis(20);
    rig.tick();
    assertThat(rig.commits()).as("of two fires").isTrue();
    rig.isBehind = false;
    fire(A);
    rig.tick();
    assertThat(rig.commits()).as("nothing waits").isTrue();
  }

  @Test
  void a_fire_that_a_command_ordered_is_not_missed() {
    pause("etl");
    fire(A, fire(0, Role.ORDERED));
    fire(A);
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    assertThat(sent(LimiterProcessor.TO_MISSED)).hasSize(1);
    rig.limit("etl", null);
    rig.tick();
    assertThat(rig.sent()).isEmpty();
  }

  @Test
  void the_end_of_a_fire_frees_its_place_whatever_limit_its_schedule_has_by_then() {
    rig.limit("etl", "{\"max_running\":1}");
    fire(A);
    fire(B);
    fire(C);
    assertThat(fired()).containsExactly(A);
    rig.send(A, null, Optional.of("other"), new WaitingNote.Ended());
    assertThat(fired()).containsExactly(B);
    rig.send(B, null, Optional.empty(), new WaitingNote.Ended());
    assertThat(fired()).containsExactly(C);
    rig.send(B, null, Optional.empty(), new WaitingNote.Ended());
    rig.send("d|2026-11-25T10:00:00.000Z", null, Optional.empty(), new WaitingNote.Ended());
    fire(A);
    assertThat(fired()).isEmpty();
  }

  @Test
  void a_thousand_runs_time_out_in_a_tick_and_the_others_in_the_next_ones() {
    rig.limit("etl", "{\"max_running\":2500}");
    for (int i = 0; i < 2_501; i++) {
      fire("s" + i + "|2026-11-25T10:00:00.000Z");
    }
    assertThat(fired()).hasSize(2_500);
    rig.now = LimiterRig.BEGIN.plusSeconds(61);
    List<Long> timedOut = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      rig.tick();
      timedOut.add(rig.counts.timeouts());
    }
    assertThat(timedOut).containsExactly(1_000L, 2_000L, 2_500L);
    assertThat(fired()).hasSize(1);
  }

  @Test
  void a_run_that_a_worker_starts_late_or_again_has_its_whole_time_from_then_on() {
    rig.limit("etl", "{\"max_running\":1}");
    fire(A);
    fire(B);
    rig.now = LimiterRig.BEGIN.plusSeconds(50);
    rig.send(A, null, ETL, new WaitingNote.Begun(rig.now));
    rig.restart();
    rig.sent();
    rig.now = LimiterRig.BEGIN.plusSeconds(109);
    rig.tick();
    assertThat(fired()).isEmpty();
    rig.now = LimiterRig.BEGIN.plusSeconds(110);
    rig.tick();
    assertThat(fired()).containsExactly(B);
  }

  @Test
  void the_scheduler_learns_what_became_of_the_fires_that_it_follows() {
    rig.limit("etl", "{\"max_running\":1}");
    fire(A, fire(0, Role.FOLLOWED));
    assertThat(followed()).containsExactly(A + " begun " + rig.now.toEpochMilli() + " for a");
    fire(B, fire(0, Role.FOLLOWED));
    rig.send("b", null, ETL, new WaitingNote.Withdrawn(MissedReason.PAUSED));
    assertThat(followed()).containsExactly(B + " withdrawn PAUSED for b");
    fire(C, fire(0, Role.FOLLOWED));
    rig.send("c", null, ETL, new WaitingNote.Moved(Optional.empty()));
    assertThat(followed()).containsExactly(C + " begun " + rig.now.toEpochMilli() + " for c");
  }

  private List<String> followed() {
    return sent(LimiterProcessor.TO_OUTCOMES).stream()
        .map(
            it ->
                text(it, HeaderNames.FIRE_KEY)
                    + " "
                    + text(it, HeaderNames.WAITING)
                    + " for "
                    + it.key())
        .toList();
  }

  /** A fire on its way from one group to another while its schedule is paused. */
  @Test
  void what_comes_from_another_group_after_its_schedule_was_withdrawn_does_not_start() {
    pause("etl");
    pause("other");
    fire(A);
    Instant moved = rig.now;
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    LimiterRig.Sent onItsWay = sent(LimiterProcessor.TO_WAITING).get(0);
    rig.now = moved.plusSeconds(1);
    rig.send(
        "a",
        null,
        Optional.of("other"),
        new WaitingNote.Withdrawn(MissedReason.PAUSED, Optional.of(moved)));
    rig.limit("other", null);
    rig.restart();
    arrive(onItsWay);
    rig.tick();
    assertThat(rig.sent())
        .singleElement()
        .satisfies(
            sent -> {
              Missed missed = RecordCodecs.missed().decode((byte[]) sent.record().value());
              assertThat(missed.getReason()).isEqualTo(MissedReason.PAUSED);
              assertThat(missed.getPausedSince()).isEqualTo(moved);
            });
  }

  @Test
  void a_schedule_that_moves_there_and_back_again_has_its_fires_in_the_last_group() {
    pause("etl");
    pause("other");
    fire(A);
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    LimiterRig.Sent onItsWay = sent(LimiterProcessor.TO_WAITING).get(0);
    rig.now = rig.now.plusSeconds(1);
    rig.send(
        "a", null, Optional.of("other"), new WaitingNote.Moved(Optional.of(new LimitName("etl"))));
    arrive(onItsWay);
    LimiterRig.Sent back = sent(LimiterProcessor.TO_WAITING).get(0);
    assertThat(text(back, HeaderNames.LIMIT)).isEqualTo("etl");
    arrive(back);
    assertThat(rig.sent()).isEmpty();
    rig.limit("etl", null);
    rig.tick();
    assertThat(fired()).containsExactly(A);
  }

  private void arrive(LimiterRig.Sent moved) {
    rig.process(
        moved.record().key(),
        ((Addressed) moved.record().value()).value(),
        new RecordHeaders(moved.record().headers()));
  }

  @ParameterizedTest
  @CsvSource({
    "a, v, etl, fire 0 0 - - OCCURRENCE -",
    "a|x, v, etl, fire 0 0 - - OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, , etl, fire 0 0 - - OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, , fire 0 0 - - OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, no good, fire 0 0 - - OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, etl, fire x 0 - - OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, etl, fire 0 0 - 9223372036854775807 OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, etl, fire 0 0 - -1 OCCURRENCE -",
    "a|2026-11-25T10:00:00.000Z, v, etl, fire 0 0 - - NONE -",
    "a|2026-11-25T10:00:00.000Z, v, etl, fire 0 0 - -",
    "a|2026-11-25T10:00:00.000Z, v, etl, ",
    ", v, etl, fire 0 0 - - OCCURRENCE -",
    "a|x, , etl, ended",
    "a, , etl, ended",
    "a, , etl, begun -",
    "a b, , etl, withdrawn DELETED",
    "a, , etl, withdrawn SOMEHOW",
    "a, , , withdrawn DELETED",
    "a, , etl, moved no good"
  })
  void a_record_of_which_nothing_can_be_made_is_a_dead_letter(
      @Nullable String key, @Nullable String value, @Nullable String group, @Nullable String note) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.LIMIT, group == null ? null : group.getBytes(UTF_8));
    headers.add(HeaderNames.WAITING, note == null ? null : note.getBytes(UTF_8));
    rig.process(bytes(key), bytes(value), headers);
    assertThat(rig.sent())
        .singleElement()
        .satisfies(sent -> assertThat(sent.to()).isEqualTo(LimiterProcessor.TO_DLQ))
        .satisfies(sent -> assertThat(reason(sent)).isNotBlank());
    fire(B);
    assertThat(fired()).containsExactly(B);
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "0, -9223372036854775808, -9223372036854775808",
    "2147483647, 9223372036854775807, -",
    "-2147483648, 0, 9223372036854775807"
  })
  void the_outermost_numbers_are_numbers(String priority, String due, String expires) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.LIMIT, "etl".getBytes(UTF_8));
    headers.add(
        HeaderNames.WAITING,
        ("fire " + priority + " " + due + " " + expires + " - OCCURRENCE -").getBytes(UTF_8));
    rig.process(A.getBytes(UTF_8), new byte[0], headers);
    rig.tick();
    assertThat(rig.sent()).hasSize(1);
  }

  @Test
  void too_many_headers_are_a_dead_letter() {
    RecordHeaders headers = new RecordHeaders();
    fire(0, Role.OCCURRENCE).addTo(headers, new LimitName("etl"));
    for (int i = 0; i < 1_000; i++) {
      headers.add("x", new byte[0]);
    }
    rig.process(A.getBytes(UTF_8), new byte[0], headers);
    assertThat(sent(LimiterProcessor.TO_DLQ)).hasSize(1);
  }

  /** A definition may have headers of 64 KiB, and the scheduler adds some. */
  @Test
  void large_headers_pass() {
    RecordHeaders headers = new RecordHeaders();
    fire(0, Role.OCCURRENCE).addTo(headers, new LimitName("etl"));
    headers.add("x".repeat(70_000), new byte[70_000]);
    rig.process(A.getBytes(UTF_8), new byte[0], headers);
    assertThat(fired()).containsExactly(A);
  }

  @Test
  void nothing_starts_and_no_time_is_over_while_the_clock_is_wrong() {
    rig.limit("etl", "{\"max_running\":1}");
    fire(A);
    assertThat(fired()).containsExactly(A);
    rig.isTrusted = false;
    rig.now = LimiterRig.BEGIN.plus(Duration.ofDays(400));
    fire(B);
    rig.tick();
    assertThat(rig.sent()).isEmpty();
    rig.isTrusted = true;
    rig.now = LimiterRig.BEGIN.plusSeconds(59);
    rig.tick();
    assertThat(fired()).isEmpty();
    rig.now = LimiterRig.BEGIN.plusSeconds(60);
    rig.tick();
    assertThat(fired()).containsExactly(B);
  }

  /** A fire on its way from one group to another while its schedule is deleted. */
  @Test
  void no_withdrawal_is_forgotten_while_the_clock_is_wrong() {
    pause("etl");
    pause("other");
    fire(A);
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    LimiterRig.Sent onItsWay = sent(LimiterProcessor.TO_WAITING).get(0);
    rig.send("a", null, Optional.of("other"), new WaitingNote.Withdrawn(MissedReason.DELETED));
    rig.isTrusted = false;
    rig.ahead = Duration.ofDays(8);
    for (int tick = 0; tick < 100; tick++) {
      rig.tick();
    }
    rig.isTrusted = true;
    rig.ahead = Duration.ZERO;
    arrive(onItsWay);
    rig.limit("other", null);
    rig.tick();
    assertThat(rig.sent())
        .extracting(LimiterRig.Sent::to)
        .containsExactly(LimiterProcessor.TO_MISSED);
  }

  /** Brokers refuse what is more than an hour ahead, which would end each task. */
  @Test
  void no_dead_letter_has_the_time_of_a_clock_that_is_wrong() {
    rig.isTrusted = false;
    rig.ahead = Duration.ofDays(8);
    rig.send("no fire", null, ETL, new WaitingNote.Ended());
    rig.limit("etl", "nonsense");
    rig.tick();
    rig.isTrusted = true;
    rig.ahead = Duration.ZERO;
    rig.tick();
    assertThat(sent(LimiterProcessor.TO_DLQ))
        .hasSize(2)
        .allMatch(sent -> sent.record().timestamp() == rig.now.toEpochMilli());
  }

  @Test
  void a_step_back_before_the_clock_is_distrusted_shortens_no_run() {
    rig.limit("etl", "{\"max_running\":1}");
    fire(A);
    rig.sent();
    rig.isTrusted = false;
    rig.now = LimiterRig.BEGIN.minus(Duration.ofHours(1));
    rig.tick();
    rig.restart();
    rig.tick();
    rig.isTrusted = true;
    rig.now = LimiterRig.BEGIN.plusSeconds(59);
    fire(B);
    rig.tick();
    assertThat(fired()).isEmpty();
    rig.now = LimiterRig.BEGIN.plusSeconds(60);
    rig.tick();
    assertThat(fired()).containsExactly(B);
  }

  /** What was paused or deleted while nothing ran does not start. */
  @Test
  void nothing_starts_before_the_gate_is_open() {
    rig.isOpen = false;
    fire(A);
    rig.tick();
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    assertThat(rig.sent()).isEmpty();
    rig.isOpen = true;
    rig.tick();
    assertThat(rig.sent())
        .extracting(LimiterRig.Sent::to)
        .containsExactly(LimiterProcessor.TO_MISSED);
  }

  @Test
  void a_clock_that_was_ahead_at_the_last_start_holds_nothing_back_for_longer_than_its_time() {
    rig.limit("etl", "{\"max_running\":1,\"per_second\":1}");
    fire(A);
    rig.sent();
    rig.now = LimiterRig.BEGIN.minus(Duration.ofDays(400));
    rig.restart();
    rig.tick();
    fire(B);
    rig.now = rig.now.plusSeconds(60);
    rig.tick();
    assertThat(fired()).containsExactly(B);
  }

  @Test
  void a_limit_that_is_refused_is_a_dead_letter_once_and_the_one_before_it_stays_in_force() {
    rig.limit("etl", "{\"max_running\":1}");
    rig.tick();
    rig.limit("etl", "{\"max_running\":0}");
    rig.tick();
    assertThat(rig.sent())
        .singleElement()
        .satisfies(sent -> assertThat(sent.to()).isEqualTo(LimiterProcessor.TO_DLQ))
        .satisfies(sent -> assertThat(sent.key()).isEqualTo("etl"))
        .satisfies(sent -> assertThat(reason(sent)).contains("max_running").contains("not from 1"));
    rig.tick();
    rig.restart();
    rig.tick();
    assertThat(rig.sent()).isEmpty();
    fire(A);
    fire(B);
    assertThat(fired()).containsExactly(A);
  }

  @Test
  void limits_are_kept_up_to_32_mebibytes_and_one_that_shrinks_makes_room() {
    String large = "{\"max_running\":1}" + " ".repeat(65_000);
    for (int i = 0; i < (32 << 20) / large.length(); i++) {
      rig.limit("large" + i, large);
    }
    rig.limit("etl", large);
    rig.tick();
    assertThat(rig.sent())
        .singleElement()
        .satisfies(sent -> assertThat(reason(sent)).contains("32 MiB").contains("delete others"));
    rig.limit("large0", "{\"max_running\":1}");
    rig.limit("etl", large);
    rig.tick();
    assertThat(rig.sent()).isEmpty();
    fire(A);
    fire(B);
    assertThat(fired()).containsExactly(A);
  }

  /** A compacted topic has the refused record alone when the next instance reads it. */
  @Test
  void a_limit_that_a_refused_record_has_replaced_in_the_topic_is_in_force_after_a_restart() {
    rig.limit("etl", "{\"max_running\":1}");
    rig.tick();
    rig.limits = new LimitFeed();
    rig.limit("etl", "nonsense");
    rig.restart();
    fire(A);
    fire(B);
    assertThat(fired()).containsExactly(A);
    rig.limit("etl", null);
    rig.tick();
    assertThat(fired()).containsExactly(B);
    rig.limits = new LimitFeed();
    rig.limit("etl", "nonsense");
    rig.restart();
    fire(A);
    fire(C);
    assertThat(fired()).containsExactly(A, C);
  }

  @Test
  void a_limit_that_ended_while_the_limiter_was_down_does_not_come_back_by_a_refused_record() {
    rig.limit("etl", "{\"max_running\":1}");
    rig.tick();
    rig.limits = new LimitFeed();
    rig.limit("etl", null);
    rig.limit("etl", "nonsense");
    rig.restart();
    fire(A);
    fire(B);
    assertThat(fired()).containsExactly(A, B);
  }

  /** While the limiter was down, a schedule was paused, and got another limit. */
  @Test
  void what_was_withdrawn_before_its_schedule_moved_does_not_move_with_what_came_between() {
    rig.isOpen = false;
    fire(A);
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.PAUSED));
    String later = "a|2026-11-25T11:00:00.000Z";
    fire(later);
    rig.restart();
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    String last = "a|2026-11-25T12:00:00.000Z";
    fire(last);
    rig.restart();
    rig.isOpen = true;
    rig.tick();
    List<LimiterRig.Sent> all = rig.sent();
    assertThat(all)
        .extracting(LimiterRig.Sent::to)
        .containsExactly(
            LimiterProcessor.TO_MISSED, LimiterProcessor.TO_WAITING, LimiterProcessor.TO_FIRES);
    assertThat(all).extracting(LimiterRig.Sent::key).containsExactly("a", later, last);
    rig.restart();
    rig.tick();
    assertThat(rig.sent()).isEmpty();
  }

  @Test
  void a_tick_starts_no_more_bytes_than_it_may_and_the_next_ones_the_rest() {
    pause("etl");
    byte[] large = new byte[900_000];
    for (int i = 0; i < 30; i++) {
      rig.send("a|2026-11-25T10:00:%02d.000Z".formatted(i), large, ETL, fire(0, Role.OCCURRENCE));
    }
    rig.limit("etl", null);
    rig.tick();
    assertThat(fired()).hasSize(10);
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    assertThat(rig.sent()).isEmpty();
    for (int tick = 0; tick < 2; tick++) {
      rig.tick();
      assertThat(sent(LimiterProcessor.TO_WAITING)).hasSize(10);
    }
  }

  /** A transaction ends after ten seconds, and what it did not finish would begin anew for ever. */
  @Test
  void very_many_withdrawals_that_find_nothing_take_several_ticks_and_nothing_overtakes_them() {
    rig.isOpen = false;
    fire(A);
    for (int i = 0; i < 2_500; i++) {
      rig.send("s" + i, null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    }
    rig.restart();
    rig.isOpen = true;
    rig.tick();
    assertThat(rig.rows('x')).isEqualTo(1_500);
    rig.send("s", null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    fire("s7|2026-11-25T10:00:00.000Z");
    rig.tick();
    assertThat(rig.rows('x')).isEqualTo(501);
    assertThat(rig.sent()).isEmpty();
    rig.tick();
    assertThat(rig.rows('x')).isZero();
    assertThat(fired()).containsExactly(A, "s7|2026-11-25T10:00:00.000Z");
  }

  /** Deleted rows cost until the store compacts them. */
  @Test
  void withdrawing_very_many_fires_of_a_schedule_goes_through_them_once() {
    pause("etl");
    for (int i = 0; i < 2_500; i++) {
      fire("a|2026-11-25T10:%02d:%02d.000Z".formatted(i / 60, i % 60));
    }
    rig.looks.clear();
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    for (int tick = 0; tick < 4; tick++) {
      rig.tick();
    }
    assertThat(sent(LimiterProcessor.TO_MISSED)).hasSize(2_500);
    assertThat(rig.looks.stream().filter(from -> from.get()[0] == 's'))
        .hasSizeGreaterThan(20)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  /** A second look would step over all that was withdrawn before. */
  @Test
  void each_withdrawal_is_looked_for_once() {
    pause("etl");
    fire(A);
    rig.looks.clear();
    for (int i = 0; i < 10; i++) {
      rig.send("s" + i, null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    }
    assertThat(rig.rows('x')).isZero();
    assertThat(rig.looks.stream().filter(from -> from.get()[0] == 'x')).hasSize(10);
  }

  @Test
  void a_tick_passes_so_many_fires_that_no_withdrawal_concerns() {
    rig.isOpen = false;
    for (int i = 0; i < 40; i++) {
      rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.PAUSED));
    }
    for (int i = 0; i < 3_000; i++) {
      fire("a|2026-11-25T10:%02d:%02d.000Z".formatted(i / 60, i % 60));
    }
    rig.isOpen = true;
    rig.tick();
    assertThat(rig.rows('x')).isBetween(1L, 39L);
    rig.tick();
    assertThat(rig.rows('x')).isZero();
    assertThat(sent(LimiterProcessor.TO_MISSED)).isEmpty();
  }

  /** It counts as having come right before what withdraws it. */
  @Test
  void a_fire_that_comes_from_another_group_while_its_schedule_is_withdrawn_is_withdrawn_too() {
    pause("etl");
    for (int i = 0; i < 1_500; i++) {
      fire("a|2026-11-25T11:%02d:%02d.000Z".formatted(i / 60, i % 60));
    }
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.DELETED));
    rig.send(
        A,
        new byte[0],
        ETL,
        new WaitingNote.Fire(
            0, 0, fire(0, Role.OCCURRENCE).terms(), Optional.of(rig.now.minusSeconds(1))));
    rig.limit("etl", null);
    rig.tick();
    rig.tick();
    assertThat(rig.sent())
        .hasSize(1_501)
        .allMatch(sent -> sent.to().equals(LimiterProcessor.TO_MISSED));
  }

  @Test
  void a_group_with_very_many_fires_leaves_the_next_tick_to_the_others() {
    for (String group : List.of("etl", "b", "c")) {
      pause(group);
      for (int i = 0; i < 1_500; i++) {
        String key = "%s|2026-11-25T10:%02d:%02d.000Z".formatted(group, i / 60, i % 60);
        rig.send(key, new byte[0], Optional.of(group), fire(0, Role.OCCURRENCE));
      }
      rig.limit(group, null);
    }
    rig.sent();
    for (int tick = 0; tick < 3; tick++) {
      rig.tick();
    }
    assertThat(fired().stream().map(key -> key.substring(0, key.indexOf('|'))))
        .contains("etl", "b", "c");
  }

  @Test
  void a_fire_that_starts_in_another_group_frees_its_place_in_the_first() {
    rig.limit("etl", "{\"max_running\":1}");
    rig.limit("other", "{\"max_running\":1}");
    fire(A);
    rig.send(A, new byte[0], Optional.of("other"), fire(0, Role.OCCURRENCE));
    assertThat(fired()).containsExactly(A, A);
    fire(B);
    assertThat(fired()).as("there is room in etl").containsExactly(B);
    rig.send(C, new byte[0], Optional.of("other"), fire(0, Role.OCCURRENCE));
    rig.restart();
    rig.tick();
    assertThat(fired()).as("none in the other").isEmpty();
  }

  @Test
  void a_clock_that_was_ahead_closes_no_rate_after_a_restart() {
    rig.limit("etl", "{\"per_second\":1}");
    rig.now = LimiterRig.BEGIN.plus(Duration.ofHours(1));
    fire(A);
    assertThat(fired()).containsExactly(A);
    rig.now = LimiterRig.BEGIN;
    rig.restart();
    rig.tick();
    fire(B);
    rig.now = LimiterRig.BEGIN.plusSeconds(1);
    rig.tick();
    assertThat(fired()).containsExactly(B);
  }

  /** What Kafka Streams revives has the ticks that it had, unless they are cancelled. */
  @Test
  void a_task_that_ends_ticks_no_more() {
    MockProcessorContext<byte[], Object> ended = rig.context();
    rig.restart();
    assertThat(ended.scheduledPunctuators())
        .allSatisfy(tick -> assertThat(tick.cancelled()).isTrue());
  }

  /** A delete may be unread that the limiter waits for. */
  @Test
  void a_fire_that_moves_on_waits_for_the_gate() {
    rig.isOpen = false;
    fire(A);
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    rig.isOpen = true;
    rig.tick();
    LimiterRig.Sent onItsWay = sent(LimiterProcessor.TO_WAITING).get(0);
    rig.isOpen = false;
    rig.now = rig.now.plusSeconds(1);
    rig.send("a", null, Optional.of("other"), new WaitingNote.Moved(Optional.empty()));
    arrive(onItsWay);
    rig.restart();
    assertThat(rig.sent()).isEmpty();
    rig.isOpen = true;
    rig.tick();
    assertThat(fired()).containsExactly(A);
  }

  /** The schedule was paused and resumed before it came back, and left again after. */
  @Test
  void a_fire_that_moves_follows_its_schedule_and_not_what_was_before_it_came() {
    fire(A);
    rig.isOpen = false;
    rig.send("a", null, ETL, new WaitingNote.Withdrawn(MissedReason.PAUSED));
    Instant came = rig.now.plusSeconds(1);
    rig.now = came.plusSeconds(1);
    rig.send("a", null, ETL, new WaitingNote.Moved(Optional.of(new LimitName("other"))));
    rig.sent();
    rig.send(
        "a|2026-11-25T09:00:00.000Z",
        new byte[0],
        ETL,
        new WaitingNote.Fire(0, 0, fire(0, Role.OCCURRENCE).terms(), Optional.of(came)));
    rig.isOpen = true;
    rig.tick();
    assertThat(sent(LimiterProcessor.TO_WAITING))
        .extracting(LimiterRig.Sent::key)
        .containsExactly("a|2026-11-25T09:00:00.000Z");
  }

  /** Nothing bounds how many of them run, so their places would fill the memory. */
  @Test
  void fires_that_no_bound_concerns_take_no_place() {
    rig.limit("etl", "{\"lanes\":[{\"from_priority\":10,\"max_running\":1}]}");
    fire(A);
    fire(B, fire(10, Role.OCCURRENCE));
    fire(C, fire(10, Role.OCCURRENCE));
    assertThat(fired()).containsExactly(A, B);
    rig.tick();
    assertThat(rig.counts.running()).isEqualTo(1);
  }

  /** The scheduler writes none: to write it again would end each task. */
  @Test
  void a_fire_that_could_not_be_written_again_is_a_dead_letter() {
    pause("etl");
    rig.send(A, new byte[999_700], ETL, fire(0, Role.OCCURRENCE));
    assertThat(sent(LimiterProcessor.TO_DLQ)).hasSize(1);
    rig.send(A, new byte[999_000], ETL, fire(0, Role.OCCURRENCE));
    assertThat(rig.sent()).isEmpty();
  }

  @Test
  void a_header_may_have_any_name() {
    pause("etl");
    RecordHeaders headers = new RecordHeaders();
    fire(0, Role.OCCURRENCE).addTo(headers, new LimitName("etl"));
    headers.add("\0".repeat(40_000), new byte[0]);
    rig.process(A.getBytes(UTF_8), new byte[0], headers);
    rig.restart();
    rig.limit("etl", null);
    rig.tick();
    assertThat(sent(LimiterProcessor.TO_FIRES))
        .singleElement()
        .satisfies(
            sent ->
                assertThat(sent.record().headers().toArray()[0].key())
                    .isEqualTo("\0".repeat(40_000)));
  }

  /** It is kept in memory until a task writes it, and a hundred of them. */
  @Test
  void of_a_refused_limit_that_is_huge_a_bounded_part_is_kept_and_the_dead_letter_says_so() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("x", new byte[900_000]);
    rig.limit("etl", "nonsense".getBytes(UTF_8), headers);
    rig.limit("etl", new byte[900_000], new RecordHeaders());
    assertThat(rig.limits.refusedAfter(-1))
        .extracting(LimitFeed.Refused::letter)
        .hasSize(2)
        .allMatch(
            it ->
                RecordSize.of(it.key().orElse(null), it.value().orElse(null), it.headers())
                    < 200_000);
    rig.tick();
    assertThat(sent(LimiterProcessor.TO_DLQ))
        .hasSize(2)
        .allMatch(sent -> text(sent, HeaderNames.CUT).equals(HeaderNames.TRUE));
  }

  @Test
  void a_limit_that_needs_a_registry_is_refused() {
    rig.limit("etl", "\0\0\0\0\1...");
    rig.tick();
    assertThat(reason(sent(LimiterProcessor.TO_DLQ).get(0))).contains("registry");
  }
}

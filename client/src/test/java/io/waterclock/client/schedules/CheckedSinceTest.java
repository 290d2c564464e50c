package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.WalkProgress;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The passes of these tests begin at 10:00, 10:05 and so on. */
class CheckedSinceTest {
  private static final Instant BEFORE = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instant LATEST = Instant.parse("2026-11-21T10:05:00Z");

  @ParameterizedTest
  @CsvSource({
    "a,     10:05", // below
    "m,     10:05", // the last one seen
    "m0,    10:00", // right above it
    "z,     10:00",
    "M,     10:05", // ASCII: capitals come first
    "m/a,   10:00",
  })
  void during_a_pass_the_time_depends_on_its_position(String id, String began) {
    assertThat(since(id, Optional.empty(), Optional.of(underWay("m"))))
        .contains(Instant.parse("2026-11-21T" + began + ":00Z"));
  }

  @Test
  void a_pass_that_has_checked_no_schedule_does_not_count() {
    WalkProgress begun = underWay("m");
    begun.setReached(null);
    assertThat(since("a", Optional.empty(), Optional.of(begun))).contains(BEFORE);
  }

  @Test
  void an_ended_pass_has_checked_all() {
    WalkProgress ended = underWay("m");
    ended.setReached(null);
    ended.setEndedAt(LATEST.plusSeconds(60));
    assertThat(since("z", Optional.empty(), Optional.of(ended))).contains(LATEST);
  }

  @Test
  void in_the_first_pass_later_ids_were_never_checked() {
    WalkProgress first = underWay("m");
    first.setPreviousStartedAt(null);
    assertThat(since("a", Optional.empty(), Optional.of(first))).contains(LATEST);
    assertThat(since("z", Optional.empty(), Optional.of(first))).isEmpty();
    assertThat(since("a", Optional.empty(), Optional.empty())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a, 09:59, 10:05",
    "a, 10:05, 10:05", // it was there when the pass began
    "z, 10:00, 10:00",
  })
  void a_schedule_that_existed_at_the_begin_of_the_pass_was_checked(
      String id, String known, String began) {
    assertThat(since(id, at(known), Optional.of(underWay("m")))).isEqualTo(at(began));
  }

  @ParameterizedTest
  @CsvSource({"a, 10:06", "z, 10:01", "z, 10:06"})
  void a_later_schedule_is_not_certainly_checked(String id, String known) {
    assertThat(since(id, at(known), Optional.of(underWay("m")))).isEmpty();
  }

  private static Optional<Instant> since(
      String id, Optional<Instant> known, Optional<WalkProgress> progress) {
    return new KnownSchedule(id, Optional.empty(), Optional.empty(), Optional.empty(), known)
        .checkedSince(progress);
  }

  private static Optional<Instant> at(String time) {
    return Optional.of(Instant.parse("2026-11-21T" + time + ":00Z"));
  }

  private static WalkProgress underWay(String reached) {
    return WalkProgress.newBuilder()
        .setStartedAt(LATEST)
        .setPreviousStartedAt(BEFORE)
        .setReached(reached)
        .setWalked(1)
        .setRepaired(0)
        .setFaulted(0)
        .build();
  }
}

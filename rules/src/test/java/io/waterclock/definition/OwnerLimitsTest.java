package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnerLimitsTest {

  @Test
  void an_entry_is_a_prefix_and_its_limits() {
    assertThat(
            parse(
                    "acme/ schedules=1000  min.interval=1m payload.bytes=4096;\n"
                        + " trial/\tschedules=0\n* min.interval=PT1H;")
                .owners())
        .containsExactly(
            new Owner(
                "acme/",
                Optional.of(1000),
                Optional.of(Duration.ofMinutes(1)),
                Optional.of(4096),
                Optional.empty(),
                Optional.empty()),
            new Owner(
                "trial/",
                Optional.of(0),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            new Owner(
                "*",
                Optional.empty(),
                Optional.of(Duration.ofHours(1)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "acme/a, acme/",
    "acme/batch/a, acme/batch/",
    "acme/batch, acme/",
    "acme, *",
    "other, *",
    "t, t"
  })
  void an_id_belongs_to_the_longest_prefix(String id, String owner) {
    OwnerLimits limits =
        parse("* schedules=1; acme/ schedules=1; acme/batch/ schedules=1; t schedules=1");
    assertThat(limits.of(ScheduleId.parse(id)).map(Owner::name)).contains(owner);
  }

  @Test
  void without_an_entry_for_all_others_they_are_not_limited() {
    assertThat(parse("acme/ schedules=1").of(ScheduleId.parse("other"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acme/ | \"acme/\" has no limits; for example acme/ schedules=1000",
        "/acme schedules=1 | \"/acme\" is neither * nor what a schedule id can begin with",
        "acme/ schedule=1 | \"schedule=1\" is no limit; did you mean schedules=...?",
        "acme/ schedules | \"schedules\" is no limit; did you mean schedules=...?",
        "acme/ schedules=many | schedules=many is not a whole number from 0 to 2147483647",
        "acme/ payload.bytes=-1 | payload.bytes=-1 is not a whole number from 0 to 2147483647",
        "acme/ min.interval=0s | min.interval=0 is not above zero; for example 1m",
        "acme/ succeeded.every=0s | succeeded.every=0 is not above zero; for example 25h",
        "acme/ started.within=soon | \"acme/\": started.within: ",
        "acme/ min.interval=soon | \"acme/\": min.interval: ",
        "acme/ schedules=1 schedules=2 | \"acme/\": schedules is there twice",
        "a schedules=1; a payload.bytes=2 | \"a\" is there twice; write its limits in one entry"
      })
  void what_is_wrong_is_told_with_what_would_be_right(String text, String problem) {
    List<String> problems = new ArrayList<>();
    assertThat(OwnerLimits.parse(text, problems)).isNotNull();
    assertThat(problems).singleElement().asString().contains(problem);
  }

  @Test
  void all_problems_are_told_at_once() {
    List<String> problems = new ArrayList<>();
    assertThat(OwnerLimits.parse("a schedules=x min.interval=y; /b z=1; c", problems)).isNotNull();
    assertThat(problems).hasSize(4);
  }

  @Test
  void a_payload_that_is_too_large_is_told_with_limit_owner_and_size() {
    OwnerLimits limits = parse("acme/ payload.bytes=10");
    ScheduleId id = ScheduleId.parse("acme/a");
    assertThat(limits.payload(id, Optional.of(ByteBuffer.allocate(10)), "payload")).isEmpty();
    assertThat(limits.payload(id, Optional.empty(), "payload")).isEmpty();
    assertThat(
            limits
                .payload(id, Optional.of(ByteBuffer.allocate(11)), "payload")
                .map(Problem::getMessage))
        .contains(
            "has 11 bytes, more than the 10 that acme/ may send (owner.limits, payload.bytes); make"
                + " it smaller or send a reference to it");
    assertThat(
            limits.payload(ScheduleId.parse("b"), Optional.of(ByteBuffer.allocate(11)), "payload"))
        .isEmpty();
  }

  @Test
  void an_owner_says_what_its_definitions_expect_that_say_nothing() {
    OwnerLimits limits =
        parse("acme/ started.within=5m succeeded.within=1h succeeded.every=25h contact=#acme");
    Optional<Expectations> ofOwner = limits.of(ScheduleId.parse("acme/a")).flatMap(Owner::expect);
    assertThat(expected(ofOwner, null))
        .isEqualTo(new Expectations(300_000L, 3_600_000L, 90_000_000L, "#acme", null));
    assertThat(expected(ofOwner, new Expectations(null, 1L, null, null, "https://a")))
        .as("its own, for the contact of the owner")
        .isEqualTo(new Expectations(null, 1L, null, "#acme", "https://a"));
    assertThat(expected(ofOwner, new Expectations(null, 1L, null, "#me", null)))
        .isEqualTo(new Expectations(null, 1L, null, "#me", null));
    Expectations nothing = new Expectations();
    assertThat(expected(ofOwner, nothing)).as("not even what the owner does").isEqualTo(nothing);
    assertThat(expected(Optional.empty(), null)).isNull();
    Optional<Expectations> contactAlone =
        parse("b contact=#b").of(ScheduleId.parse("b")).flatMap(Owner::expect);
    assertThat(expected(contactAlone, null)).as("a contact expects nothing").isNull();
  }

  private static @Nullable Expectations expected(
      Optional<Expectations> ofOwner, @Nullable Expectations own) {
    Schedule schedule =
        Schedule.newBuilder().setTrigger(new CronTrigger("@daily")).setExpect(own).build();
    ExpectedRuns.addDefaults(schedule, ofOwner);
    return schedule.getExpect();
  }

  private static OwnerLimits parse(String text) {
    List<String> problems = new ArrayList<>();
    OwnerLimits limits = OwnerLimits.parse(text, problems);
    assertThat(problems).isEmpty();
    return limits;
  }
}

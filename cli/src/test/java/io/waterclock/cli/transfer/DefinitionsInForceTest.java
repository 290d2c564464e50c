package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The revision r-1 is in force; the newest record is at r-2. */
class DefinitionsInForceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Schedule HOURLY =
      RecordCodecs.schedule().decode("{\"every\":\"1h\"}".getBytes(UTF_8));

  @Test
  void a_retained_revision_counts_whatever_the_newest_record_is() {
    KnownSchedule entry = edited(Optional.of(once())).withRevision(revision("r-1"));
    DefinitionsInForce found = of(entry, "r-2");
    assertThat(found.known()).containsExactly(entry);
    assertThat(found.unsure()).isEmpty();
    assertThat(entry.schedule()).contains(HOURLY);
    assertThat(of(edited(Optional.empty()).withRevision(revision("r-1"))).known()).hasSize(1);
  }

  @Test
  void a_retained_revision_counts_after_its_calendar_was_deleted() {
    Revision accepted = revision("r-1");
    accepted.setSchedule(Schedule.newBuilder(HOURLY).setExcept(List.of("deleted")).build());
    assertThat(of(edited(Optional.of(HOURLY)).withRevision(accepted)).known()).hasSize(1);
  }

  @Test
  void a_record_that_was_rejected_is_no_definition() {
    KnownSchedule entry = edited(Optional.of(HOURLY)).withRevision(revision("r-0"));
    DefinitionsInForce found = of(entry, "r-2");
    assertThat(found.known()).isEmpty();
    assertThat(found.unknown())
        .hasEntrySatisfying(
            "a", reason -> assertThat(reason).startsWith("its newest record was rejected"));
  }

  @Test
  void a_repetition_and_an_edit_that_no_scheduler_has_read_are_definitions_but_unsure() {
    KnownSchedule entry = edited(Optional.of(HOURLY));
    DefinitionsInForce found = of(entry, "r-1");
    assertThat(found.known()).containsExactly(entry);
    assertThat(found.unsure()).containsExactly("a");
    assertThat(found.unknown()).isEmpty();
  }

  @Test
  void the_newest_record_that_is_in_force_is_known_although_its_position_was_rejected_before() {
    KnownSchedule entry =
        edited(Optional.of(HOURLY))
            .with(Optional.of(new WrittenDefinition("r-1", Optional.of(HOURLY))));
    DefinitionsInForce found = of(entry, "r-1");
    assertThat(found.known()).containsExactly(entry);
    assertThat(found.unsure()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void an_invalid_record_is_no_definition(Schedule invalid) {
    DefinitionsInForce found = of(edited(Optional.of(invalid)));
    assertThat(found.known()).isEmpty();
    assertThat(found.unknown().get("a")).startsWith("its record is invalid: ");
  }

  static Stream<Schedule> an_invalid_record_is_no_definition() {
    return Stream.of(
        once(),
        Schedule.newBuilder().setTrigger(new OnceTrigger(NOW, 1L)).build(),
        Schedule.newBuilder().setTrigger(new OnceTrigger(null, Long.MAX_VALUE)).build(),
        Schedule.newBuilder().setTrigger(new EveryTrigger(0L, Unit.DAY, null, null)).build(),
        Schedule.newBuilder().setTrigger(new RRuleTrigger("FREQ", null, null)).build(),
        Schedule.newBuilder(HOURLY).setTimezone("Nowhere").build(),
        Schedule.newBuilder(HOURLY).setJitterMs(Long.MIN_VALUE).build(),
        Schedule.newBuilder(HOURLY).setExcept(List.of("no-calendar")).build());
  }

  @Test
  void a_record_that_cannot_be_read_is_no_definition() {
    assertThat(of(edited(Optional.empty())).unknown())
        .containsEntry("a", "its newest record cannot be read");
  }

  @Test
  void what_is_deleted_or_was_never_accepted_is_not_missing() {
    KnownSchedule entry = edited(Optional.of(HOURLY));
    KnownSchedule foreign =
        KnownSchedule.of("no id!").with(entry.definition()).withStatus(entry.status());
    DefinitionsInForce found =
        DefinitionsInForce.of(
            List.of(
                entry.with(Optional.empty()),
                entry.withStatus(Optional.empty()),
                entry.withStatus(Optional.of(status(Optional.empty()))),
                foreign),
            Set.of(),
            Set.of());
    assertThat(found).isEqualTo(DefinitionsInForce.of(List.of(), Set.of(), Set.of()));
  }

  @Test
  void a_list_names_the_first_20() {
    List<String> ids = IntStream.range(0, 23).mapToObj(Integer::toString).toList();
    assertThat(SourceOptions.firstOf(ids)).hasSize(21).contains("19").endsWith("and 3 more");
    assertThat(SourceOptions.firstOf(ids.subList(0, 20))).isEqualTo(ids.subList(0, 20));
  }

  private static DefinitionsInForce of(KnownSchedule entry, String... rejected) {
    return DefinitionsInForce.of(List.of(entry), Set.of(rejected), Set.of());
  }

  private static KnownSchedule edited(Optional<Schedule> newest) {
    return KnownSchedule.of("a")
        .with(Optional.of(new WrittenDefinition("r-2", newest)))
        .withStatus(Optional.of(status(Optional.of("r-1"))));
  }

  private static Schedule once() {
    return Schedule.newBuilder().setTrigger(new OnceTrigger(null, null)).build();
  }

  private static ScheduleStatus status(Optional<String> revision) {
    return ScheduleStatus.newBuilder()
        .setScheduleId("a")
        .setState(State.ACTIVE)
        .setSince(NOW)
        .setRevision(revision.orElse(null))
        .build();
  }

  private static Revision revision(String revision) {
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(revision)
        .setSchedule(HOURLY)
        .setOwnsAfter(NOW)
        .setEffectiveAt(NOW)
        .setAcceptedAt(NOW)
        .setTzdb("2025a")
        .build();
  }
}

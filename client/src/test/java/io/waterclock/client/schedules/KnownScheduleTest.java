package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownScheduleTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Schedule HOURLY =
      RecordCodecs.schedule().decode("{\"every\":\"1h\"}".getBytes(StandardCharsets.UTF_8));

  @Test
  void the_definition_is_known_while_the_topic_retains_its_revision() {
    assertThat(accepted("r-1", "r-2").withRevision(revision("r-1")).isDefinitionKnown()).isTrue();
    assertThat(accepted("r-1", "r-2").withRevision(revision("r-0")).isDefinitionKnown()).isFalse();
  }

  @Test
  void the_definition_is_known_if_the_newest_record_is_in_force_and_readable() {
    assertThat(accepted("r-1", "r-1").isDefinitionKnown()).isTrue();
    KnownSchedule unreadable =
        accepted("r-1", "r-1").with(Optional.of(new WrittenDefinition("r-1", Optional.empty())));
    assertThat(unreadable.isDefinitionKnown()).isFalse();
    assertThat(unreadable.isUnsure()).as("there is nothing to be unsure of").isFalse();
  }

  @Test
  void another_newest_record_may_be_rejected_or_a_repetition() {
    assertThat(accepted("r-1", "r-2").isDefinitionKnown()).isFalse();
    assertThat(accepted("r-1", "r-2").isUnsure()).isTrue();
  }

  @Test
  void without_a_definition_in_force_the_newest_record_counts() {
    KnownSchedule fresh = KnownSchedule.of("a").with(Optional.of(definition("r-1")));
    assertThat(fresh.isDefinitionKnown()).isTrue();
    ScheduleStatus rejected =
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(State.REJECTED)
            .setSince(NOW)
            .setRejectedRevision("r-1")
            .build();
    assertThat(fresh.withStatus(Optional.of(rejected)).isDefinitionKnown()).isTrue();
    assertThat(accepted("r-1", "r-2").with(Optional.empty()).isDefinitionKnown())
        .as("deleted")
        .isTrue();
  }

  /** The topic of revisions has none of it. */
  @Test
  void a_delayed_record_has_its_content_from_its_own_record_and_no_other() {
    Schedule delayed =
        RecordCodecs.schedule()
            .decode(
                ("{\"at\":\"2026-12-24T18:00:00Z\",\"payload\":\"a\",\"target\":{\"topic\":\"t\","
                        + "\"record\":{\"key_base64\":\"NDI=\"}}}")
                    .getBytes(StandardCharsets.UTF_8));
    Revision bare = ScheduleSnapshot.withoutPayload(revision("r-1"));
    bare.setSchedule(ScheduleSnapshot.withoutPayload(delayed));
    bare.getSchedule().setTimezone("UTC");
    KnownSchedule known =
        accepted("r-1", "r-1")
            .with(Optional.of(new WrittenDefinition("r-1", Optional.of(delayed))))
            .withRevision(bare);
    assertThat(known.schedule()).contains(Schedule.newBuilder(delayed).setTimezone("UTC").build());
    assertThat(known.lacksContent()).isFalse();
    KnownSchedule again =
        known.with(Optional.of(new WrittenDefinition("r-2", Optional.of(delayed))));
    assertThat(again.schedule()).isEqualTo(known.schedule());
    assertThat(again.lacksContent()).isFalse();
    Schedule moved =
        Schedule.newBuilder(delayed)
            .setTrigger(OnceTrigger.newBuilder().setAt(NOW.plusSeconds(60)).build())
            .build();
    KnownSchedule other = known.with(Optional.of(new WrittenDefinition("r-2", Optional.of(moved))));
    assertThat(other.schedule()).contains(bare.getSchedule());
    assertThat(other.lacksContent()).isTrue();
    assertThat(accepted("r-1", "r-2").withRevision(revision("r-1")).lacksContent()).isFalse();
  }

  @Test
  void a_record_whose_key_is_no_id_is_rejected() {
    assertThat(KnownSchedule.of("a").state()).isEmpty();
    assertThat(KnownSchedule.of("../a").state()).contains(State.REJECTED);
  }

  private static KnownSchedule accepted(String inForce, String newest) {
    return KnownSchedule.of("a")
        .with(Optional.of(definition(newest)))
        .withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("a")
                    .setState(State.ACTIVE)
                    .setSince(NOW)
                    .setRevision(inForce)
                    .build()));
  }

  private static WrittenDefinition definition(String revision) {
    return new WrittenDefinition(revision, Optional.of(HOURLY));
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

package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveCheckupTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final String NOON = "2026-11-21T12:00:00Z";
  private static final Instance ONE = new Instance("one", "h:1");

  @Test
  void only_the_owner_is_named_if_the_instance_and_the_topics_agree() {
    assertThat(symptoms(State.ACTIVE, answer(NOON, NOON)))
        .containsExactly(
            Symptom.good(
                "a", "one at h:1 owns it and has decided it through 2026-11-21T09:59:59Z."));
  }

  @Test
  void a_schedule_that_the_instance_does_not_know_is_reported() {
    LiveSchedule unknown = new LiveSchedule(ONE, Optional.empty());
    assertThat(new LiveCheckup(entry(State.ACTIVE, "r"), unknown).symptoms())
        .singleElement()
        .satisfies(
            symptom -> {
              assertThat(symptom.wrong()).isTrue();
              assertThat(symptom.text())
                  .startsWith("one at h:1 owns its partition but does not know");
            });
    assertThat(new LiveCheckup(KnownSchedule.of("a"), unknown).symptoms()).isEmpty();
  }

  @Test
  void a_different_state_or_revision_is_reported() {
    assertThat(wrong(symptoms(State.PAUSED, answer(NOON, NOON))))
        .containsExactly(
            "Its state is ACTIVE in the instance and PAUSED in the topic status: it changed a moment"
                + " ago, or its owner cannot commit.");
    LiveSchedule live = schedule(answer(NOON, NOON));
    assertThat(wrong(new LiveCheckup(entry(State.ACTIVE, "other"), live).symptoms()))
        .containsExactly(
            "Its revision is r in the instance and other in the topic status: it changed a moment"
                + " ago, or its owner cannot commit.");
    assertThat(wrong(new LiveCheckup(KnownSchedule.of("a"), live).symptoms()))
        .containsExactly(
            "Its state is ACTIVE in the instance; the topic status does not contain it.");
  }

  @Test
  void a_queue_entry_for_another_instant_is_reported() {
    assertThat(wrong(symptoms(State.ACTIVE, answer(NOON, "2026-11-21T11:00:00Z"))))
        .containsExactly(
            "It waits for 2026-11-21T12:00:00Z, but is queued for 2026-11-21T11:00:00Z: waterclock"
                + " doctor --watchdog repairs that.");
    ObjectNode missing = answer(NOON, NOON);
    missing.remove("queued");
    assertThat(wrong(symptoms(State.ACTIVE, missing)))
        .containsExactly(
            "It waits for 2026-11-21T12:00:00Z, but is queued for nothing: waterclock doctor"
                + " --watchdog repairs that.");
  }

  @Test
  void a_faulted_schedule_may_be_queued_to_be_tried_again() {
    ObjectNode faulted = answer(NOON, NOON);
    faulted.remove("next");
    faulted.withObject("/status").put("state", "faulted");
    assertThat(wrong(symptoms(State.FAULTED, faulted))).isEmpty();
  }

  @Test
  void a_late_schedule_is_reported_unless_it_catches_up() {
    String early = "2026-11-21T09:00:00Z";
    ObjectNode tree = answer(early, early);
    assertThat(wrong(symptoms(State.ACTIVE, tree)))
        .containsExactly("It is 1 h late: its partition has a backlog.");
    tree.withObject("/queued").put("lane", "catch_up");
    assertThat(symptoms(State.ACTIVE, tree))
        .containsExactly(
            Symptom.good(
                "a",
                "one at h:1 owns it and has decided it through 2026-11-21T09:59:59Z; it catches"
                    + " up."));
  }

  @Test
  void the_state_of_the_instance_replaces_that_of_the_topic() {
    KnownSchedule answer = schedule(answer(NOON, NOON)).over(entry(State.PAUSED, "r"));
    assertThat(answer.state()).contains(State.ACTIVE);
    assertThat(answer.status().orElseThrow().getSince()).isEqualTo(NOW);
    KnownSchedule same = schedule(answer(NOON, NOON)).over(entry(State.ACTIVE, "r"));
    assertThat(same.status()).isEqualTo(entry(State.ACTIVE, "r").status());
  }

  @Test
  void an_answer_in_another_format_is_ignored() {
    ObjectNode tree = answer(NOON, NOON);
    tree.withObject("/home/watermark").put("news", 1);
    assertThat(LiveSchedule.of(ONE, "a", tree)).isEmpty();
  }

  private static List<String> wrong(List<Symptom> symptoms) {
    return symptoms.stream().filter(Symptom::wrong).map(Symptom::text).toList();
  }

  private static List<Symptom> symptoms(State inTopic, ObjectNode answer) {
    return new LiveCheckup(entry(inTopic, "r"), schedule(answer)).symptoms();
  }

  private static LiveSchedule schedule(ObjectNode answer) {
    return LiveSchedule.of(ONE, "a", answer).orElseThrow();
  }

  private static KnownSchedule entry(State state, String revision) {
    return KnownSchedule.of("a")
        .withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("a")
                    .setState(state)
                    .setRevision(revision)
                    .setSince(NOW.minusSeconds(60))
                    .build()));
  }

  private static ObjectNode answer(String next, String queued) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.putObject("status").put("state", "active").put("revision", "r");
    tree.put("decided_through", "2026-11-21T09:59:59Z");
    tree.putObject("next").put("occurrence", next).put("due", next);
    tree.putObject("queued").put("lane", "live").put("due", queued);
    Watermark watermark = Watermarks.idle(0, "one", NOW).setLive(1).build();
    tree.putObject("home")
        .put("gate_open", true)
        .set("watermark", RecordCodecs.watermark().toJson(watermark));
    return tree;
  }
}

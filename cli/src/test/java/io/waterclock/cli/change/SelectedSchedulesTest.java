package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SelectedSchedulesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instance ONE = new Instance("one", "h:1");

  @Test
  void if_the_topics_contain_the_owner_no_instance_is_asked() {
    List<KnownSchedule> entries =
        List.of(
            entry("a", "r-1", Optional.of("acme")),
            entry("b", "r-1", Optional.of("beta")),
            entry("c", "r-1", Optional.empty()));
    SelectedSchedules found =
        SelectedSchedules.of(
            Selector.all().owner("acme"),
            entries,
            entry -> {
              throw new AssertionError("asked for " + entry.id());
            });
    assertThat(found).isEqualTo(new SelectedSchedules(List.of("a"), List.of()));
  }

  @Test
  void an_instance_is_asked_if_the_newest_record_may_be_rejected() {
    KnownSchedule drops = entry("drops", "r-0", Optional.empty());
    KnownSchedule adds = entry("adds", "r-0", Optional.of("acme"));
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    SelectedSchedules found =
        SelectedSchedules.of(
            Selector.all().owner("acme"),
            List.of(adds, drops),
            entry -> {
              asked.add(entry.id());
              return Optional.of(live(entry.id(), entry.id().equals("drops") ? "acme" : "beta"));
            });
    assertThat(found).isEqualTo(new SelectedSchedules(List.of("drops"), List.of()));
    assertThat(asked).containsExactlyInAnyOrder("adds", "drops");
  }

  @Test
  void without_an_answer_the_owner_is_unknown() {
    List<KnownSchedule> entries =
        List.of(
            entry("a", "r-0", Optional.of("acme")),
            entry("b", "r-0", Optional.empty()),
            entry("c", "r-1", Optional.of("acme")));
    assertThat(
            SelectedSchedules.of(Selector.all().owner("acme"), entries, entry -> Optional.empty()))
        .isEqualTo(new SelectedSchedules(List.of("c"), List.of("a", "b")));
  }

  @Test
  void a_schedule_that_its_instance_does_not_know_has_no_owner() {
    List<KnownSchedule> entries = List.of(entry("a", "r-0", Optional.of("acme")));
    assertThat(
            SelectedSchedules.of(
                Selector.all().owner("acme"),
                entries,
                entry -> Optional.of(new LiveSchedule(ONE, Optional.empty()))))
        .isEqualTo(new SelectedSchedules(List.of(), List.of()));
  }

  /** The newest record is at r-1. */
  private static KnownSchedule entry(String id, String inForce, Optional<String> owner) {
    Schedule newest = RecordCodecs.schedule().decode("{\"every\":\"1h\"}".getBytes(UTF_8));
    owner.ifPresent(newest::setOwner);
    return KnownSchedule.of(id)
        .with(Optional.of(new WrittenDefinition("r-1", Optional.of(newest))))
        .withStatus(Optional.of(status(id, inForce)));
  }

  private static ScheduleStatus status(String id, String revision) {
    return ScheduleStatus.newBuilder()
        .setScheduleId(id)
        .setState(State.ACTIVE)
        .setSince(NOW)
        .setRevision(revision)
        .build();
  }

  private static LiveSchedule live(String id, String owner) {
    Watermark watermark = Watermarks.idle(0, "one", NOW).setLive(1).build();
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.putObject("status").put("state", "active").put("revision", "r-0");
    tree.putObject("definition").put("every", "PT1H").put("owner", owner);
    tree.putObject("home")
        .put("gate_open", true)
        .set("watermark", RecordCodecs.watermark().toJson(watermark));
    tree.put("decided_through", "2026-11-24T12:00:00Z");
    return LiveSchedule.of(ONE, id, tree).orElseThrow();
  }
}

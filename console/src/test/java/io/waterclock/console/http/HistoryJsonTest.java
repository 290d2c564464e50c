package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HistoryJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final int REVISIONS = 8;

  private final ReadModel model =
      new ReadModel(ZoneOffset.UTC, ModelWriter.Limits.of(200_000_000, 1));

  private void revision(int number, String description, Map<String, String> labels) {
    String position = "waterclock.schedules-0@" + number;
    Instant at = NOW.plusSeconds(number);
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setDescription(description)
            .setLabels(labels)
            .build();
    model.write(
        to ->
            to.revision(
                Revision.newBuilder()
                    .setScheduleId("a")
                    .setRevision(position)
                    .setSchedule(schedule)
                    .setOwnsAfter(at)
                    .setEffectiveAt(at)
                    .setAcceptedAt(at)
                    .setTzdb("2026a")
                    .build(),
                at));
    model.write(
        to ->
            to.status(
                "a",
                Optional.of(
                    ScheduleStatus.newBuilder()
                        .setScheduleId("a")
                        .setState(State.ACTIVE)
                        .setRevision(position)
                        .setSince(at)
                        .build()),
                at));
  }

  private static JsonNode change(ObjectNode tree, String field) {
    for (JsonNode change : tree.path("revisions").path(0).path("changes")) {
      if (change.path("field").asText().equals(field)) {
        return change;
      }
    }
    throw new AssertionError(field + " did not change");
  }

  @Test
  void revisions_show_a_bounded_part_of_what_changed() {
    for (int i = 0; i < REVISIONS; i++) {
      revision(i, i + "\u0001".repeat(900_000), Map.of("of", i + "x".repeat(10_000)));
    }
    ObjectNode tree = HistoryJson.revisions(model, "a", true);
    assertThat(tree.path("revisions")).hasSize(REVISIONS);
    assertThat(tree.toString()).hasSizeLessThan(200_000);
    JsonNode description = change(tree, "description");
    assertThat(description.path("cut").asBoolean()).isTrue();
    assertThat(description.path("before").asText()).startsWith("6\u0001").endsWith("...");
    assertThat(description.path("after").asText())
        .hasSize(CutJson.LONGEST + "...".length())
        .startsWith("7\u0001");
    assertThat(change(tree, "labels").path("after").asText())
        .startsWith("{\"of\":\"7xxx")
        .hasSize(CutJson.LONGEST + "...".length());
  }

  @Test
  void short_values_are_whole() {
    revision(0, "one", Map.of("team", "a"));
    revision(1, "two", Map.of("team", "b"));
    ObjectNode tree = HistoryJson.revisions(model, "a", true);
    assertThat(change(tree, "description").has("cut")).isFalse();
    assertThat(change(tree, "description").path("after").asText()).isEqualTo("two");
    assertThat(change(tree, "labels").path("after").path("team").asText()).isEqualTo("b");
  }
}

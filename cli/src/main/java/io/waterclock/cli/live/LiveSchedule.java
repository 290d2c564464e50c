package io.waterclock.cli.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.json.ScheduleJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * A schedule in the answer of the instance that owns its partition.
 *
 * @param schedule empty if the instance does not know the schedule
 */
public record LiveSchedule(Instance instance, Optional<Details> schedule) {

  /**
   * The state of a schedule.
   *
   * @param status as the topic status would contain it, except the rejection of a later definition
   * @param queuedFor when its queue entry is due
   * @param tree the whole answer
   */
  public record Details(
      ScheduleStatus status,
      LivePartition home,
      Instant decidedThrough,
      Optional<Instant> nextDue,
      Optional<Instant> queuedFor,
      JsonNode tree) {

    /** The definition in force, as far as this version reads it. */
    public Schedule definition() {
      return ScheduleJson.read(tree.path("definition"), ZoneOffset.UTC).schedule();
    }

    public boolean catchesUp() {
      return tree.at("/queued/lane").asText().equals("catch_up");
    }
  }

  /** Empty if an instance of another version answers in another format. */
  public static Optional<LiveSchedule> of(Instance instance, String id, JsonNode tree) {
    if (!tree.has("home")) {
      return Optional.of(new LiveSchedule(instance, Optional.empty()));
    }
    try {
      LivePartition home = LivePartition.of(instance, tree.get("home"));
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      tree.path("status")
          .properties()
          .forEach(field -> status.set(field.getKey(), field.getValue()));
      status.put("schedule_id", id).put("since", home.watermark().getWrittenAt().toString());
      return Optional.of(
          new LiveSchedule(
              instance,
              Optional.of(
                  new Details(
                      RecordCodecs.status().decode(status.toString().getBytes(UTF_8)),
                      home,
                      Instant.parse(tree.path("decided_through").asText()),
                      instant(tree.at("/next/due")),
                      instant(tree.at("/queued/due")),
                      tree))));
    } catch (UndecodableException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> instant(JsonNode at) {
    return at.isTextual() ? Optional.of(Instant.parse(at.asText())) : Optional.empty();
  }

  /** The same entry with the state from the instance. */
  public KnownSchedule over(KnownSchedule entry) {
    if (schedule.isEmpty()) {
      return entry;
    }
    ScheduleStatus live = ScheduleStatus.newBuilder(schedule.get().status()).build();
    entry
        .status()
        .ifPresent(
            topic -> {
              if (topic.getState() == live.getState()) {
                live.setSince(topic.getSince());
              }
              live.setRejectedRevision(topic.getRejectedRevision());
              live.setProblems(topic.getProblems());
            });
    return entry.withStatus(Optional.of(live));
  }
}

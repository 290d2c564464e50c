package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.live.Instances;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of a schedule: from the instance that owns it, or from the topics if none answers.
 *
 * @param live empty if no instance answers
 * @param watermark the newest of its partition; empty if there never was one
 */
public record ScheduleProgress(
    KnownSchedule entry, Optional<LiveSchedule> live, Optional<Watermark> watermark) {

  public static ScheduleProgress of(
      KnownSchedule entry, int partition, Map<Integer, NewestWatermark> watermarks) {
    Optional<LiveSchedule> live = new Instances().schedule(entry.id(), partition, watermarks);
    return new ScheduleProgress(
        entry,
        live,
        live.flatMap(LiveSchedule::schedule)
            .map(details -> details.home().watermark())
            .or(
                () ->
                    Optional.ofNullable(watermarks.get(partition))
                        .map(NewestWatermark::watermark)));
  }

  String source() {
    return live.map(answer -> "instance " + answer.instance())
        .orElse("topics, because no instance answers");
  }

  /** The schedule, or by the topics its partition, is decided up to here, inclusive. */
  Optional<Instant> decidedThrough() {
    return live.flatMap(LiveSchedule::schedule)
        .map(LiveSchedule.Details::decidedThrough)
        .or(() -> watermark.map(Watermark::getDecidedThrough));
  }

  /** The watchdog checked it at this instant, or later in the same pass; empty: not yet. */
  public Optional<Instant> checked() {
    return entry.checkedSince(watermark.map(Watermark::getWalk));
  }

  void addTo(ObjectNode tree) {
    tree.put("source", live.isPresent() ? "instance" : "topics");
    decidedThrough().ifPresent(at -> tree.put("decided_through", at.toString()));
    checked().ifPresent(at -> tree.put("checked_since", at.toString()));
    live.ifPresent(
        answer -> {
          tree.put("instance", answer.instance().name());
          tree.put("address", answer.instance().address());
          answer.schedule().ifPresent(schedule -> tree.set("live", schedule.tree()));
        });
  }
}

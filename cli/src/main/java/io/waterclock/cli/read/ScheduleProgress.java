package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.live.Instances;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.NewestWatermark;
import io.waterclock.cli.live.WatchdogTime;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How far a schedule is: as the instance that has it says, or, where none answers, as the topics
 * say.
 *
 * @param live empty where none answers
 * @param watermark of its partition; empty where there never was one
 * @param knownSince when the schedule was first accepted, as far as is known
 */
public record ScheduleProgress(
    String id,
    Optional<LiveSchedule> live,
    Optional<Watermark> watermark,
    Optional<Instant> knownSince) {

  /**
   * @param partition of the schedule
   */
  public static ScheduleProgress of(
      KnownSchedule entry, int partition, Map<Integer, NewestWatermark> watermarks) {
    Optional<LiveSchedule> live = new Instances().schedule(entry.id(), partition, watermarks);
    return new ScheduleProgress(
        entry.id(),
        live,
        live.flatMap(LiveSchedule::schedule)
            .map(told -> told.home().watermark())
            .or(
                () ->
                    Optional.ofNullable(watermarks.get(partition)).map(NewestWatermark::watermark)),
        entry.knownSince());
  }

  /** For people. */
  String source() {
    return live.map(told -> "instance " + told.instance()).orElse("topics, as no instance answers");
  }

  /** Inclusive: up to when it is decided; in the topics its partition is. */
  Optional<Instant> decidedThrough() {
    return live.flatMap(LiveSchedule::schedule)
        .map(LiveSchedule.Details::decidedThrough)
        .or(() -> watermark.map(Watermark::getDecidedThrough));
  }

  /** The watchdog checked it at this instant, or later in the same pass; empty: not yet. */
  public Optional<Instant> audited() {
    return WatchdogTime.since(id, knownSince, watermark.map(Watermark::getWalk));
  }

  void addTo(ObjectNode tree) {
    tree.put("source", live.isPresent() ? "instance" : "topics");
    decidedThrough().ifPresent(at -> tree.put("decided_through", at.toString()));
    audited().ifPresent(at -> tree.put("audited_since", at.toString()));
    live.ifPresent(
        told -> {
          tree.put("instance", told.instance().name());
          tree.put("address", told.instance().address());
          told.schedule().ifPresent(schedule -> tree.set("live", schedule.tree()));
        });
  }
}

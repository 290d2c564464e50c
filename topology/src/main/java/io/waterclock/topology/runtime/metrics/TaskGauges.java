package io.waterclock.topology.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How one task stands, as of the latest look at it. Looks and removal come from its stream thread;
 * scrapes from any.
 */
final class TaskGauges {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final List<State> LIVES =
      List.of(State.ACTIVE, State.PAUSED, State.COMPLETED, State.FAULTED);

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final TaskView view;
  private final Tags partition;
  private final Map<State, AtomicLong> schedules = new EnumMap<>(State.class);
  private final Map<Lane, AtomicLong> backlog = new EnumMap<>(Lane.class);
  private final AtomicLong heldRecords = new AtomicLong();
  private final AtomicLong decidedThroughMs = new AtomicLong();
  private final MultiGauge missedLately;
  private final List<Meter> meters = new ArrayList<>();
  private Map<ScheduleId, Long> missed = Map.of();
  private boolean hasWatermark;
  private Instant lookedAt = Instant.EPOCH;

  TaskGauges(MeterRegistry registry, InstantSource clock, int partition, TaskView view) {
    this.registry = registry;
    this.clock = clock;
    this.view = view;
    this.partition = Tags.of("partition", Integer.toString(partition));
    for (State life : LIVES) {
      schedules.put(life, gauge("schedules", "state", life, "Schedules by state of life."));
    }
    for (Lane lane : Lane.values()) {
      backlog.put(
          lane, gauge("backlog", "lane", lane, "Schedules with something due and undecided."));
    }
    meters.add(
        Gauge.builder("waterclock.held.records", heldRecords, AtomicLong::get)
            .tags(this.partition)
            .description("Records that wait for the schema registry.")
            .register(registry));
    this.missedLately =
        MultiGauge.builder("waterclock.missed.lately")
            .description("Occurrences missed, of a few schedules that missed some lately.")
            .register(registry);
  }

  private AtomicLong gauge(String name, String label, Enum<?> value, String help) {
    AtomicLong latest = new AtomicLong();
    Tags tags = partition.and(label, Metrics.label(value));
    meters.add(
        Gauge.builder("waterclock." + name, latest, AtomicLong::get)
            .tags(tags)
            .description(help)
            .register(registry));
    return latest;
  }

  /** Looks at the task if it is time. */
  void look(Instant now) {
    if (Duration.between(lookedAt, now).abs().compareTo(BETWEEN_LOOKS) < 0) {
      return;
    }
    lookedAt = now;
    schedules.forEach((life, latest) -> latest.set(view.counts().schedules(life)));
    backlog.forEach((lane, latest) -> latest.set(view.backlog(lane, now)));
    heldRecords.set(view.heldRecords());
    view.decidedThrough().ifPresent(this::watermark);
    name(view.counts().missedLately(now));
  }

  /** Absent until there is a watermark: no age would be true. */
  private void watermark(Instant decidedThrough) {
    decidedThroughMs.set(decidedThrough.toEpochMilli());
    if (!hasWatermark) {
      hasWatermark = true;
      meters.add(
          Gauge.builder("waterclock.watermark.age", this::watermarkAgeSeconds)
              .baseUnit("seconds")
              .tags(partition)
              .description("How long ago everything due was decided, but for what waits for a run.")
              .register(registry));
    }
  }

  private double watermarkAgeSeconds() {
    return (clock.millis() - decidedThroughMs.get()) / 1e3;
  }

  private void name(Map<ScheduleId, Long> lately) {
    if (!lately.equals(missed)) {
      missed = lately;
      missedLately.register(
          lately.entrySet().stream()
              .map(
                  tally ->
                      MultiGauge.Row.of(
                          Tags.of("schedule", tally.getKey().value()), tally.getValue()))
              .toList(),
          true);
    }
  }

  /** Takes every meter of the task back. */
  void remove() {
    meters.forEach(registry::remove);
    missedLately.register(List.of());
  }
}

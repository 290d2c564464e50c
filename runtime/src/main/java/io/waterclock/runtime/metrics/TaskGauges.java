package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.Reading;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * The gauges of one task, as of their latest update. Updates and removal are for its stream thread;
 * scrapes for any thread.
 */
final class TaskGauges {
  private static final Logger LOG = SafeLogger.of(TaskGauges.class);
  private static final Duration UPDATE_INTERVAL = Duration.ofSeconds(1);
  private static final List<State> LIVES =
      List.of(State.ACTIVE, State.PAUSED, State.COMPLETED, State.FAULTED);

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final TaskView view;
  private final Tags partition;
  private final Map<State, AtomicLong> schedules = new EnumMap<>(State.class);
  private final Map<Lane, AtomicLong> backlog = new EnumMap<>(Lane.class);
  private final AtomicLong heldRecords;
  private final AtomicLong decidedThroughMs = new AtomicLong();
  private final AtomicLong inputDelayMs = new AtomicLong();
  private final Series<ScheduleId> missed;
  private final Series<String> failing;
  private final Series<String> overdue;
  private final Series<String> missedByOwner;
  private final Series<String> rejectedByOwner;
  private final CatchUpLog catchUp;
  private final List<Meter> meters = new ArrayList<>();
  private final AtomicLong checkedSinceMs = new AtomicLong();
  private boolean hasWatermark;
  private boolean hasPass;
  private Instant updatedAt = Instant.EPOCH;

  TaskGauges(MeterRegistry registry, InstantSource clock, int partition, TaskView view) {
    this.registry = registry;
    this.clock = clock;
    this.view = view;
    this.catchUp = new CatchUpLog(partition, view.decidedThrough().isEmpty(), view.counts());
    this.partition = Tags.of("partition", Integer.toString(partition));
    for (State life : LIVES) {
      Tags tags = this.partition.and("state", Label.of(life));
      schedules.put(life, gauge("schedules", tags, "Schedules by state of life."));
    }
    for (Lane lane : Lane.values()) {
      Tags tags = this.partition.and("lane", Label.of(lane));
      backlog.put(lane, gauge("backlog", tags, "Schedules with something due and undecided."));
    }
    heldRecords =
        gauge("held.records", this.partition, "Records that wait for the schema registry.");
    seconds(
        "input.delay",
        () -> inputDelayMs.get() / 1e3,
        "How long due occurrences wait for input that is written before they are due, and unread.");
    missed =
        new Series<>(
            "missed.lately",
            "Recently missed occurrences of a few schedules.",
            id -> Tags.of("schedule", id.value()));
    failing = ofOwners("failing.schedules", "Schedules whose fires fail, by owner.");
    overdue =
        ofOwners("overdue.schedules", "Schedules of which an expectation is overdue, by owner.");
    missedByOwner = ofOwners("owner.missed.lately", "Recently missed occurrences, by owner.");
    rejectedByOwner = ofOwners("owner.rejected.lately", "Recently rejected definitions, by owner.");
  }

  private Series<String> ofOwners(String name, String help) {
    return new Series<>(name, help, owner -> partition.and("owner", owner));
  }

  private AtomicLong gauge(String name, Tags tags, String help) {
    AtomicLong latest = new AtomicLong();
    meters.add(
        Gauge.builder("waterclock." + name, latest, AtomicLong::get)
            .tags(tags)
            .description(help)
            .register(registry));
    return latest;
  }

  private void seconds(String name, Supplier<Number> latest, String help) {
    meters.add(
        Gauge.builder("waterclock." + name, latest)
            .baseUnit("seconds")
            .tags(partition)
            .description(help)
            .register(registry));
  }

  /** Updates the gauges if a second has passed. */
  void update(Reading reading, Instant now) {
    if (Duration.between(updatedAt, now).abs().compareTo(UPDATE_INTERVAL) < 0) {
      return;
    }
    updatedAt = now;
    schedules.forEach((life, latest) -> latest.set(view.counts().schedules(life)));
    backlog.forEach((lane, latest) -> latest.set(view.backlog(lane, now)));
    heldRecords.set(view.heldRecords());
    inputDelayMs.set(reading.delay().toMillis());
    view.decidedThrough().ifPresent(this::watermark);
    view.decidedThrough().flatMap(through -> catchUp.at(through, now)).ifPresent(LOG::info);
    view.checkedSince().ifPresent(this::pass);
    missed.set(view.counts().missedLately(now));
    failing.set(view.counts().failing());
    overdue.set(view.counts().overdue());
    missedByOwner.set(view.counts().missedLatelyByOwner(now));
    rejectedByOwner.set(view.counts().rejectedLatelyByOwner(now));
  }

  /** Absent until there is a watermark, since no age would be true. */
  private void watermark(Instant decidedThrough) {
    decidedThroughMs.set(decidedThrough.toEpochMilli());
    if (!hasWatermark) {
      hasWatermark = true;
      seconds(
          "watermark.age",
          () -> ageSeconds(decidedThroughMs),
          "How long ago everything due was decided, held-back occurrences left out.");
    }
  }

  /** Absent until a pass has ended. */
  private void pass(Instant began) {
    checkedSinceMs.set(began.toEpochMilli());
    if (!hasPass) {
      hasPass = true;
      seconds(
          "watchdog.pass.age",
          () -> ageSeconds(checkedSinceMs),
          "How long ago the latest complete pass of the watchdog began.");
    }
  }

  private double ageSeconds(AtomicLong sinceMs) {
    return (clock.millis() - sinceMs.get()) / 1e3;
  }

  void remove() {
    meters.forEach(registry::remove);
    Stream.of(missed, failing, overdue, missedByOwner, rejectedByOwner)
        .forEach(series -> series.set(Map.of()));
  }

  /** A gauge with a series for each key. */
  private final class Series<K> {
    private final MultiGauge gauge;
    private final Function<K, Tags> tags;
    private volatile Map<K, Long> latest = Map.of();

    Series(String name, String help, Function<K, Tags> tags) {
      this.gauge = MultiGauge.builder("waterclock." + name).description(help).register(registry);
      this.tags = tags;
    }

    /** A series that stays is not registered anew, so that no scrape finds it missing. */
    void set(Map<K, Long> values) {
      latest = values;
      gauge.register(
          values.keySet().stream()
              .map(key -> Row.of(tags.apply(key), () -> latest.getOrDefault(key, 0L)))
              .toList());
    }
  }
}

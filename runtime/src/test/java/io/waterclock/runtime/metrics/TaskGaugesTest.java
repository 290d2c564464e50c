package io.waterclock.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.runtime.CountsOnly;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.count.Counts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TaskGaugesTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");
  private static final ScheduleId LATE = ScheduleId.parse("late");

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final Counts counts = new Counts();
  private final TaskGauges gauges =
      new TaskGauges(registry, InstantSource.fixed(NOON), 0, new CountsOnly(counts));

  @Test
  void a_series_of_a_schedule_stays_while_its_value_changes_and_goes_when_it_is_forgotten() {
    missed(3, NOON);
    gauges.update(Reading.toTheEndFirst(NOON), NOON);
    Gauge before = Objects.requireNonNull(lately());
    assertThat(before.value()).isEqualTo(3);

    missed(4, NOON);
    gauges.update(Reading.toTheEndFirst(NOON), NOON.plusSeconds(1));
    assertThat(lately()).isSameAs(before);
    assertThat(before.value()).isEqualTo(7);

    gauges.update(Reading.toTheEndFirst(NOON), NOON.plus(Duration.ofDays(1)));
    assertThat(lately()).isNull();
  }

  @Test
  void the_wait_for_unread_input_is_a_gauge_in_seconds() {
    assertThat(inputDelay()).isZero();
    gauges.update(Reading.through(NOON.minusMillis(7_500), NOON), NOON);
    assertThat(inputDelay()).isEqualTo(7.5);
    gauges.update(Reading.toTheEndFirst(NOON), NOON.plusSeconds(1));
    assertThat(inputDelay()).isZero();
  }

  private double inputDelay() {
    return registry.get("waterclock.input.delay").tag("partition", "0").gauge().value();
  }

  private void missed(long count, Instant now) {
    MissedRange range =
        new MissedRange("t-0@1", NOON, NOON, count, true, MissedRange.Why.of(MissedReason.GRACE));
    counts.emitted(
        LATE,
        new Decision(
            Optional.empty(),
            List.of(),
            List.of(range),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            List.of(),
            List.of()),
        now);
  }

  private @Nullable Gauge lately() {
    return registry.find("waterclock.missed.lately").tag("schedule", "late").gauge();
  }
}

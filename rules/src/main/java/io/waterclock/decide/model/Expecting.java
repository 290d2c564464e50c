package io.waterclock.decide.model;

import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The expectations of a schedule under way; {@link #NONE} for a schedule without any. */
public record Expecting(List<Watch> watches) {
  public static final Expecting NONE = new Expecting(List.of());

  public Expecting {
    watches = List.copyOf(watches);
  }

  /** How long a definition gives an expectation; empty if it does not have it. */
  public static Optional<Duration> within(Schedule schedule, Expectation expectation) {
    Expectations expect = schedule.getExpect();
    if (expect == null) {
      return Optional.empty();
    }
    return switch (expectation) {
      case STARTED_WITHIN -> duration(expect.getStartedWithinMs());
      case SUCCEEDED_WITHIN -> duration(expect.getSucceededWithinMs());
      case SUCCEEDED_EVERY -> duration(expect.getSucceededEveryMs());
    };
  }

  private static Optional<Duration> duration(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(Duration::ofMillis);
  }

  /** The same for the expectations of a definition: new ones begin. */
  public Expecting of(Schedule schedule) {
    List<Watch> all = new ArrayList<>();
    for (Expectation each : Expectation.values()) {
      if (within(schedule, each).isPresent()) {
        all.add(of(each).orElseGet(() -> Watch.of(each)));
      }
    }
    return new Expecting(all);
  }

  private Optional<Watch> of(Expectation expectation) {
    return watches.stream().filter(watch -> watch.expectation() == expectation).findFirst();
  }

  /** Those that are overdue and that another has no more. */
  public List<Watch> withdrawnBy(Expecting other) {
    return watches.stream()
        .filter(watch -> watch.overdue().isPresent())
        .filter(watch -> other.of(watch.expectation()).isEmpty())
        .toList();
  }

  /** When there is something to decide. */
  public Optional<Instant> nextDecision(Schedule schedule) {
    return watches.stream()
        .flatMap(
            watch ->
                within(schedule, watch.expectation()).flatMap(watch::nextDecision).stream())
        .min(Instant::compareTo);
  }

  /** Whether a deadline of a fire is still to come. */
  public boolean isOpen() {
    return watches.stream().anyMatch(Watch::isOpen);
  }
}

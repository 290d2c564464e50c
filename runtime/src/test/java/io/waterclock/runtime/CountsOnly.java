package io.waterclock.runtime;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.ScheduleView;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Instant;
import java.util.Optional;

/** A task that has counts and nothing else. */
public record CountsOnly(Counts counts) implements TaskView {
  /** One that has not done anything. */
  public CountsOnly() {
    this(new Counts());
  }

  @Override
  public long backlog(Lane lane, Instant now) {
    return 0;
  }

  @Override
  public long heldRecords() {
    return 0;
  }

  @Override
  public Optional<Instant> decidedThrough() {
    return Optional.empty();
  }

  @Override
  public Optional<Instant> checkedSince() {
    return Optional.empty();
  }

  @Override
  public Watermark watermark() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<ScheduleView> schedule(ScheduleId id) {
    return Optional.empty();
  }

  @Override
  public Instant requestPass() {
    throw new UnsupportedOperationException();
  }
}

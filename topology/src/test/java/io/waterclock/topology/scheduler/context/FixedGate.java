package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import java.time.Instant;

/** A gate that stays as it is, of a topic that is read to its end if it is open. */
public class FixedGate implements Gate {
  private final boolean isOpen;

  public FixedGate(boolean isOpen) {
    this.isOpen = isOpen;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void processed(String topic, long offset) {}

  @Override
  public Instant readThrough(Instant now) {
    return now;
  }

  @Override
  public boolean isBehind() {
    return false;
  }

  @Override
  public void idleFor(Duration time) {}

  @Override
  public Mark mark() {
    return () -> isOpen;
  }
}

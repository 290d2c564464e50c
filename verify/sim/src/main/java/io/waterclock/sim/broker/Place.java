package io.waterclock.sim.broker;

/** A partition of a topic. */
public record Place(String topic, int partition) {
  @Override
  public String toString() {
    return topic + "-" + partition;
  }
}

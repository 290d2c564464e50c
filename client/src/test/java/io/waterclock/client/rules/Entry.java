package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.util.Optional;

/**
 * A record of a partition in a trace.
 *
 * @param partition its number
 * @param content empty for a record that is not a fire
 */
record Entry(int partition, long offset, Optional<Fire> content) {
  Fire fire() {
    return content.orElseThrow();
  }

  String schedule() {
    return fire().getScheduleId();
  }

  boolean isOf(String schedule) {
    return content.filter(fire -> fire.getScheduleId().equals(schedule)).isPresent();
  }

  int priority() {
    return fire().getSchedule().getPriority();
  }

  RunPolicy policy() {
    return RunPolicy.of(fire());
  }

  @Override
  public String toString() {
    return partition
        + "@"
        + offset
        + content.map(fire -> " " + fire.getScheduleId() + " " + fire.getCause()).orElse(" junk");
  }
}

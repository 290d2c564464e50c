package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;

/**
 * What became of a command.
 *
 * @param fingerprint of what it said, to know a repetition from another command
 * @param writtenAt the timestamp of its record
 * @param executedAt by the task's clock
 */
public record ExecutedCommand(
    Verdict verdict, int fingerprint, Instant writtenAt, Instant executedAt) {

  /** The later of both: it is remembered for as long after this as commands are kept. */
  public Instant latest() {
    return writtenAt.isAfter(executedAt) ? writtenAt : executedAt;
  }
}

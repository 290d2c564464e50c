package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;

/**
 * The result of an executed command.
 *
 * @param fingerprint of its content, to distinguish a repetition from another command
 * @param writtenAt the timestamp of its record
 * @param executedAt by the task's clock
 */
public record ExecutedCommand(
    Verdict verdict, int fingerprint, Instant writtenAt, Instant executedAt) {

  /** The later of both instants, from which the retention of commands counts. */
  public Instant latest() {
    return writtenAt.isAfter(executedAt) ? writtenAt : executedAt;
  }
}

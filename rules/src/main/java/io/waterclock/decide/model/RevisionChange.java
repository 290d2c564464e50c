package io.waterclock.decide.model;

import io.waterclock.schemas.avro.RevisionEnd;
import java.time.Instant;

/** The beginning or the end of a revision. */
public sealed interface RevisionChange {

  Accepted accepted();

  record Began(Accepted accepted) implements RevisionChange {}

  /**
   * @param through inclusive: the last instant that the revision owns
   */
  record Ended(Accepted accepted, Instant through, RevisionEnd by) implements RevisionChange {}
}

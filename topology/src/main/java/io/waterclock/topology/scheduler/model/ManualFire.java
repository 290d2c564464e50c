package io.waterclock.topology.scheduler.model;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * A waiting fire of a trigger command.
 *
 * @param seq its place in the order of the records beside the state
 * @param at the command's own instant, which is the fire's occurrence
 * @param payload instead of the definition's; immutable by convention
 */
public record ManualFire(long seq, String commandId, Instant at, Optional<ByteBuffer> payload) {

  /** About how many bytes it takes in the state. */
  public int size() {
    return commandId.length() + payload.map(ByteBuffer::remaining).orElse(0);
  }
}

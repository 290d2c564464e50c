package io.waterclock.decide.model;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * A waiting fire of a trigger command.
 *
 * @param seq its place in the order of the records beside the state
 * @param at the command's own instant, which is the fire's occurrence
 * @param payload instead of the definition's; immutable by convention
 * @param under the revision that was in force at the command, if another has replaced it: it fires
 *     by that one
 */
public record ManualFire(
    long seq,
    String commandId,
    Instant at,
    Optional<ByteBuffer> payload,
    Optional<Accepted> under) {

  /** A fire by the revision in force. */
  public ManualFire(long seq, String commandId, Instant at, Optional<ByteBuffer> payload) {
    this(seq, commandId, at, payload, Optional.empty());
  }

  /** The same by another revision; by the one in force if empty. */
  public ManualFire under(Optional<Accepted> replaced) {
    return new ManualFire(seq, commandId, at, payload, replaced);
  }

  /** The revision by which it fires. */
  public Accepted by(Accepted inForce) {
    return under.orElse(inForce);
  }

  /** About how many bytes it takes when it fires. */
  public int size(Accepted inForce) {
    return commandId.length()
        + payload.map(ByteBuffer::remaining).orElse(0)
        + by(inForce).snapshot().body().length;
  }
}

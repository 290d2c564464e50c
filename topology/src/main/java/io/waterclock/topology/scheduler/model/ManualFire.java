package io.waterclock.topology.scheduler.model;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire that a command has ordered beside the trigger.
 *
 * @param seq the place in the order of what is kept beside the state
 * @param at the command's own instant, which is the fire's occurrence
 * @param payload in place of the definition's; not to be changed
 */
public record ManualFire(long seq, String commandId, Instant at, Optional<ByteBuffer> payload) {}

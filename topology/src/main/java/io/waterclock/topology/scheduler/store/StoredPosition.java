package io.waterclock.topology.scheduler.store;

/**
 * The position of a partition.
 *
 * @param clockMs the partition's clock when it was written, epoch milliseconds
 */
public record StoredPosition(Position position, long clockMs) {}

package io.waterclock.topology.scheduler.store;

/**
 * The position of a partition, as stored.
 *
 * @param clockMs the partition's clock at the write, epoch milliseconds
 */
public record StoredPosition(Position position, long clockMs) {}

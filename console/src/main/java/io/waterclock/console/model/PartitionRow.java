package io.waterclock.console.model;

import java.time.Instant;

/**
 * A partition as its owner has last written of it.
 *
 * @param decidedThrough everything due at or before it is decided
 */
public record PartitionRow(
    int number,
    String instance,
    Instant decidedThrough,
    Instant writtenAt,
    long live,
    long catchingUp,
    long fired,
    long missed,
    long faulted,
    String tzdb) {}

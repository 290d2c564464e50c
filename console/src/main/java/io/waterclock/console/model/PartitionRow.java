package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Optional;

/**
 * A partition as its owner has last written of it.
 *
 * @param decidedThrough everything due at or before it is decided
 * @param readThrough what was written at or before it is read, and nothing that is due later is
 *     decided; empty if the owner has not said so
 */
public record PartitionRow(
    @JsonProperty("partition") int number,
    String instance,
    Instant decidedThrough,
    Optional<Instant> readThrough,
    Instant writtenAt,
    long live,
    long catchingUp,
    long fired,
    long missed,
    long faulted,
    String tzdb) {}

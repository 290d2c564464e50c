package io.waterclock.topology.stream;

import java.time.InstantSource;

/**
 * What the scheduler's processors touch outside Kafka Streams.
 *
 * @param clock wall time
 */
public record Surroundings(
    InstantSource clock,
    ClockGuard guard,
    Gate.Factory gates,
    Survivors survivors,
    TaskReports reports) {}

package io.waterclock.client.rules;

import java.time.Instant;

/**
 * The heartbeat that a worker commits beside the offset of a partition.
 *
 * @param since when this worker took the partition over
 * @param at when the worker committed it
 * @param backlog the backlog that was unfinished then
 */
public record WorkerHeartbeat(Instant since, Instant at, Backlog backlog) {}

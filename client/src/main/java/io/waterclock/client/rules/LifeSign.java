package io.waterclock.client.rules;

import java.time.Instant;

/**
 * What a group says of a partition beside the offset that it commits.
 *
 * @param since since when the worker that says it has held the partition
 * @param at when that was said
 * @param backlog what of it was not finished then
 */
public record LifeSign(Instant since, Instant at, Backlog backlog) {}

package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;

/**
 * A fire that the worker has just read.
 *
 * @param offset the offset of its record in the partition
 * @param attachment an object of the worker that stays with the fire until it is finished
 */
public record IncomingFire<A>(
    AssignedPartition<A> source, long offset, Fire fire, RunPolicy policy, A attachment) {}

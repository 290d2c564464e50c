/**
 * The whole system in one thread: the real processors of schedulers and routers, and the rules of
 * workers, on a model of the brokers and of the stream threads of Kafka Streams, with a seeded
 * clock and order.
 *
 * <p>The parts, from the bottom up:
 *
 * <ul>
 *   <li>{@code broker} models the brokers. {@code BrokerModelTest} compares it with Kafka.
 *   <li>{@code node} models a process with the threads of a scheduler and of a router. One call
 *       does the next part of a thread's loop: poll, process, tick, send offsets, end the
 *       transaction, note the commit. A kill drops the memory and the dirty state, a stop leaves a
 *       process that continues later as a zombie, and an older state directory can be put back. A
 *       task restores its stores from its changelogs.
 *   <li>{@code worker} models a process that runs fires, and reports them.
 *   <li>{@code judge} reads what the partitions have ever held, cleaned or not, for the judge and
 *       for the product's own audit, which must find the same.
 *   <li>{@code world} draws a trace from a seed, plays it, and shrinks a trace that fails. Each
 *       event has a seed of its own, so events can be left out. Between the events the world
 *       chooses which process acts next; when none has anything to do, time jumps.
 * </ul>
 *
 * <p>A {@code Fault} of {@code node} changes what crosses an edge of a scheduler. The tests plant
 * faults with it: the product has no hook for them.
 */
@NullMarked
package io.waterclock.sim;

import org.jspecify.annotations.NullMarked;

/**
 * A model of the brokers: partitions with transactions, compaction and retention; the coordinator
 * of transactions; the coordinator of one group. One thread, and time is an argument. A test
 * compares it with Kafka.
 */
@NullMarked
package io.waterclock.sim.broker;

import org.jspecify.annotations.NullMarked;

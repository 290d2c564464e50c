package io.waterclock.client.worker;

import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The parts of a worker that its threads share. All of them are thread-safe.
 *
 * @param goesOn false once the worker is to stop
 * @param found called with CONNECTING, RUNNING or DEGRADED
 */
record WorkerContext(
    WorkerConfig config,
    WorkQueue queue,
    ConfirmedOutbox outbox,
    WorkerMemory memory,
    RetryTopic retries,
    InstantSource clock,
    BooleanSupplier goesOn,
    Consumer<WorkerStatus> found) {}

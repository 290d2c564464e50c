package io.waterclock.client.worker;

import java.time.InstantSource;

/** The parts of a worker that its threads share. All of them are thread-safe. */
record WorkerContext(
    WorkerConfig config,
    WorkQueue queue,
    Outbox outbox,
    WorkerMemory memory,
    InstantSource clock) {}

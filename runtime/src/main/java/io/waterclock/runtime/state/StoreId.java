package io.waterclock.runtime.state;

import org.apache.kafka.streams.processor.TaskId;

/** A store of a task. */
record StoreId(TaskId task, String name) {}

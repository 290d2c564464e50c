package io.waterclock.runtime.state;

import org.apache.kafka.streams.processor.TaskId;

record StoreId(TaskId task, String name) {}

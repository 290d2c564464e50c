package io.waterclock.topology.scheduler.emit;

import org.apache.kafka.streams.processor.api.Record;

public record Outgoing(Sink sink, Record<byte[], Object> record) {}

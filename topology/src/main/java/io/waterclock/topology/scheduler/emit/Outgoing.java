package io.waterclock.topology.scheduler.emit;

import org.apache.kafka.streams.processor.api.Record;

/** A record that is ready to leave through a sink. */
public record Outgoing(Sink sink, Record<byte[], Object> record) {}

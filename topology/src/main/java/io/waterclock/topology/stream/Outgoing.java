package io.waterclock.topology.stream;

import org.apache.kafka.streams.processor.api.Record;

/** A record that is ready to leave through a sink. */
record Outgoing(Sink sink, Record<byte[], Object> record) {}

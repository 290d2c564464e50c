package io.waterclock.client.schedules;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A request to the scheduler, before it is written.
 *
 * @param topic selects one of the prefix's topics
 * @param value empty for a tombstone
 * @param commandId empty for a definition or a delete
 * @param headers of the record
 */
record Request(
    ScheduleId id,
    Function<Topics, String> topic,
    Function<Encoding, Optional<byte[]>> value,
    Optional<String> commandId,
    Map<String, String> headers) {

  static Request put(String id, Schedule schedule) {
    return definition(
        id, encoding -> Optional.of(RecordCodecs.schedule().encode(schedule, encoding)));
  }

  static Request put(String id, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return definition(id, encoding -> Optional.of(bytes));
  }

  static Request delete(String id) {
    return definition(id, encoding -> Optional.empty());
  }

  private static Request definition(String id, Function<Encoding, Optional<byte[]>> value) {
    return new Request(ScheduleId.parse(id), Topics::schedules, value, Optional.empty(), Map.of());
  }

  static Request command(String id, ScheduleCommand command) {
    return new Request(
        ScheduleId.parse(id),
        Topics::commands,
        encoding -> Optional.of(RecordCodecs.command().encode(command.toRecord(), encoding)),
        Optional.of(command.id()),
        Map.of());
  }

  ProducerRecord<byte[], byte[]> record(Topics topics, Encoding encoding) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic.apply(topics), id.utf8(), value.apply(encoding).orElse(null));
    headers.forEach(
        (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    return record;
  }

  /** This definition or delete with a reason and an author; empty for none. */
  Request saying(String why, String who) {
    Map<String, String> said = new HashMap<>();
    if (!why.isEmpty()) {
      said.put(HeaderNames.NOTE, why);
    }
    if (!who.isEmpty()) {
      said.put(HeaderNames.AUTHOR, who);
    }
    return new Request(id, topic, value, commandId, Map.copyOf(said));
  }

  NotWrittenException notWritten(String why, Throwable cause) {
    return new NotWrittenException("The record for " + id + " was not written: " + why, cause);
  }

  /** How to repeat the request, for messages. */
  String repetition() {
    return commandId
        .map(command -> " To repeat it safely, give the command the id " + command + " again.")
        .orElse(" It may be repeated: the same definition changes nothing.");
  }
}

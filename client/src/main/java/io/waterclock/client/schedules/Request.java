package io.waterclock.client.schedules;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A request to the scheduler, before it is written.
 *
 * @param topic selects one of the prefix's topics
 * @param value empty for a tombstone
 * @param commandId empty for a definition or a delete
 */
record Request(
    ScheduleId id,
    Function<Topics, String> topic,
    Function<Encoding, Optional<byte[]>> value,
    Optional<String> commandId) {

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
    return new Request(ScheduleId.parse(id), Topics::schedules, value, Optional.empty());
  }

  static Request command(String id, ScheduleCommand command) {
    return new Request(
        ScheduleId.parse(id),
        Topics::commands,
        encoding -> Optional.of(RecordCodecs.command().encode(command.toRecord(), encoding)),
        Optional.of(command.id()));
  }

  ProducerRecord<byte[], byte[]> record(Topics topics, Encoding encoding) {
    return new ProducerRecord<>(topic.apply(topics), id.utf8(), value.apply(encoding).orElse(null));
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

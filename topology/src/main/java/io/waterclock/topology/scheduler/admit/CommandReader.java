package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.CommandValidation;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.util.List;

/** Reads records of the commands topic: each is a command, or a list of all its problems. */
record CommandReader(Settings.Limits limits, SchemaSource schemas) {
  /** The result of reading a record. */
  sealed interface Reading {
    record Understood(ScheduleId id, Command command) implements Reading {}

    record Bad(List<Problem> problems) implements Reading {}
  }

  Reading read(Inbound inbound) {
    RecordKey key = RecordKey.of(inbound);
    if (key instanceof RecordKey.Bad bad) {
      return new Reading.Bad(List.of(bad.problem()));
    }
    if (inbound.value().isEmpty()) {
      return bad("the record is a tombstone; commands have a value", "{\"pause\": {}}");
    }
    int limit = limits.maxFireBytes() - InboundBytes.OVERHEAD; // a trigger has room in a fire
    long size = inbound.size();
    if (size > limit) {
      return bad(
          "the record has " + size + " bytes, more than the " + limit + " that a command may have",
          "{\"trigger\": {}}");
    }
    Command command;
    try {
      command = RecordCodecs.command().decode(inbound.value().get(), schemas);
    } catch (UndecodableException e) {
      return e.problems().isEmpty()
          ? bad(String.valueOf(e.getMessage()), "{\"command_id\": \"c-1\", \"pause\": {}}")
          : new Reading.Bad(e.problems());
    }
    List<Problem> problems = CommandValidation.problems(command);
    return problems.isEmpty()
        ? new Reading.Understood(key.good().orElseThrow(), command)
        : new Reading.Bad(problems);
  }

  private static Reading bad(String message, String example) {
    return new Reading.Bad(List.of(Problems.of("", message, example)));
  }
}

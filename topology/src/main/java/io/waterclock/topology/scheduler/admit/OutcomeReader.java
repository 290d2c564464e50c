package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads records of the outcomes topic: each is an outcome, or a list of all its problems. */
final class OutcomeReader {
  /** The result of reading a record. */
  sealed interface Reading {
    record Understood(FireKey fire, Outcome outcome) implements Reading {}

    record Bad(List<Problem> problems) implements Reading {}
  }

  private static final int LONGEST_TEXT = 16 * 1024;
  private static final int LONGEST_CHECKPOINT = 64 * 1024;
  private static final String EXAMPLE =
      "{\"fire_key\": \"a|2026-12-24T18:00:00.000Z\", \"state\": \"succeeded\"}";

  private final FireIds ids;
  private final SchemaSource schemas;

  OutcomeReader(String ceSource, SchemaSource schemas) {
    this.ids = FireIds.of(ceSource);
    this.schemas = schemas;
  }

  Reading read(Inbound inbound) {
    RecordKey key = RecordKey.of(inbound);
    if (key instanceof RecordKey.Bad bad) {
      return new Reading.Bad(List.of(bad.problem()));
    }
    if (inbound.value().isEmpty()) {
      return bad("the record is a tombstone; outcomes have a value");
    }
    try {
      Outcome outcome = RecordCodecs.outcome().decode(inbound.value().get(), schemas);
      return new Check(outcome).reading(key.good().orElseThrow());
    } catch (UndecodableException e) {
      return e.problems().isEmpty()
          ? bad(String.valueOf(e.getMessage()))
          : new Reading.Bad(e.problems());
    }
  }

  private static Reading bad(String message) {
    return new Reading.Bad(List.of(Problems.of("", message, EXAMPLE)));
  }

  private final class Check {
    private final Outcome outcome;
    private final List<Problem> problems = new ArrayList<>();

    Check(Outcome outcome) {
      this.outcome = outcome;
    }

    Reading reading(ScheduleId id) {
      Optional<FireKey> fire = fire(id);
      if (outcome.getAttempt() < 1) {
        problems.add(
            Problems.of("attempt", "is " + outcome.getAttempt() + "; the first is 1", "1"));
      }
      checkBackfill();
      text("reason", outcome.getReason());
      text("output", outcome.getOutput());
      text("error", outcome.getError());
      ByteBuffer checkpoint = outcome.getCheckpoint();
      atMost("checkpoint", checkpoint == null ? 0 : checkpoint.remaining(), LONGEST_CHECKPOINT);
      return problems.isEmpty()
          ? new Reading.Understood(fire.orElseThrow(), outcome)
          : new Reading.Bad(List.copyOf(problems));
    }

    private void checkBackfill() {
      try {
        if (outcome.getBackfill() != null) {
          FireKey.checkCommandId(outcome.getBackfill());
        }
      } catch (InvalidIdException e) {
        problems.add(Problems.of("backfill", String.valueOf(e.getMessage()), null));
      }
    }

    private Optional<FireKey> fire(ScheduleId id) {
      FireKey fire;
      try {
        fire = FireKey.parse(outcome.getFireKey());
      } catch (InvalidIdException e) {
        problems.add(Problems.of("fire_key", String.valueOf(e.getMessage()), null));
        return Optional.empty();
      }
      if (!fire.schedule().equals(id)) {
        problems.add(
            Problems.of(
                "fire_key",
                "names a fire of " + fire.schedule() + ", but the record's key is " + id,
                "the key " + fire.schedule()));
      }
      String expected = ids.of(fire).toString();
      if (outcome.getFireId() != null && !outcome.getFireId().equals(expected)) {
        problems.add(
            Problems.of("fire_id", "is not the id of the fire with that fire_key", expected));
      }
      return Optional.of(fire);
    }

    private void text(String field, @Nullable String text) {
      atMost(field, text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length, LONGEST_TEXT);
    }

    private void atMost(String field, int bytes, int most) {
      if (bytes > most) {
        problems.add(
            Problems.of(
                field, "has " + bytes + " bytes; at most " + most, "a reference to the rest"));
      }
    }
  }
}

package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.util.Optional;

/** The key of an input record: a schedule id, or the problem with the key. */
public sealed interface RecordKey {

  record Good(ScheduleId id) implements RecordKey {}

  record Bad(Problem problem) implements RecordKey {}

  static RecordKey of(Inbound inbound) {
    if (inbound.key().isEmpty()) {
      return bad("", "the record has no key; its key is the schedule id");
    }
    try {
      return new Good(ScheduleId.parse(inbound.key().get()));
    } catch (InvalidIdException e) {
      return bad("id", String.valueOf(e.getMessage()));
    }
  }

  /** The id of a good key. */
  default Optional<ScheduleId> good() {
    return this instanceof Good good ? Optional.of(good.id()) : Optional.empty();
  }

  private static RecordKey bad(String field, String message) {
    return new Bad(Problems.of(field, message));
  }
}

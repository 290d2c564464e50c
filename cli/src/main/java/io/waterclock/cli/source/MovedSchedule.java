package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.avro.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * A schedule of another scheduler as one of ours.
 *
 * @param form the definition in its JSON form
 * @param definition the same, read and valid
 * @param notes what the other scheduler does and this definition does not, a sentence each
 * @param leftOut how many fields of the source have no equal; a note names them
 * @param source how the other scheduler finds its occurrences; empty if that is not a rule of time
 */
public record MovedSchedule(
    String id,
    ObjectNode form,
    Schedule definition,
    List<String> notes,
    int leftOut,
    Optional<SourceTrigger> source) {
  public MovedSchedule {
    notes = List.copyOf(notes);
  }
}

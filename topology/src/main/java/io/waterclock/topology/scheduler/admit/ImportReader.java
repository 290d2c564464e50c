package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.decide.ImportValidation;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.StateSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;

/**
 * Reads how far a schedule was where its record was taken from, and judges whether it may go on
 * from there. Who writes such a header is held to what definitions and commands are held to: what
 * it lets in fires here.
 */
final class ImportReader {
  private final Settings.Limits limits;
  private final DefinitionCheck definitions;

  ImportReader(Settings.Limits limits, DefinitionCheck definitions) {
    this.limits = limits;
    this.definitions = definitions;
  }

  /**
   * Reads the state that a record bears.
   *
   * @param problems is told when it cannot be read
   * @return empty when there is none, or one that cannot be read
   */
  Optional<ExportedState> read(Inbound inbound, List<Problem> problems) {
    Header header = inbound.headers().lastHeader(Headers.IMPORT);
    if (header == null || header.value() == null) {
      return Optional.empty();
    }
    ExportedState state;
    try {
      state = RecordCodecs.exportedState().decode(header.value());
    } catch (UndecodableException e) {
      problems.add(problem("", "is broken: " + e.getMessage()));
      return Optional.empty();
    }
    for (ExportedRevision older : state.getOlder()) {
      older.setSchedule(definitions.normalise(older.getSchedule()));
    }
    return Optional.of(state);
  }

  /**
   * Everything that is wrong with a state that was read, beside a definition that is right. It
   * means nothing for a schedule that is known here, and is not to be judged then.
   */
  List<Problem> problems(ScheduleId id, Event.Imported imported) {
    if (!limits.imports().allows(id.value())) {
      return List.of(problem("", notAllowed(id)));
    }
    ExportedState state = imported.state();
    List<Problem> invalid = ImportValidation.problems(imported.schedule(), state);
    if (!invalid.isEmpty()) {
      return invalid;
    }
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < state.getOlder().size(); i++) {
      problems.addAll(older(id, state.getOlder().get(i), ".older[" + i + "].schedule"));
    }
    for (int i = 0; i < state.getFires().size(); i++) {
      OrderedFire fire = state.getFires().get(i);
      String field = Headers.IMPORT + ".fires[" + i + "].payload";
      limits
          .owners()
          .payload(id, Optional.ofNullable(fire.getPayload()), field)
          .ifPresent(problems::add);
    }
    return problems;
  }

  private String notAllowed(ScheduleId id) {
    return "how far a schedule is, is believed here of no record of "
        + id
        + ": import.allow "
        + (limits.imports().isEmpty() ? "is empty" : "has " + limits.imports())
        + "; the scheduler's operator sets it, for example to "
        + id.value().replaceFirst("[^/]*$", "*")
        + ", and takes it away after the import";
  }

  /** What is wrong with a replaced definition, which owns occurrences that are still to fire. */
  private List<Problem> older(ScheduleId id, ExportedRevision older, String path) {
    return definitions
        .problems(id, older.getSchedule(), List.of(), older.getRevision(), older.getEffectiveAt())
        .stream()
        .map(found -> problem(path, found))
        .toList();
  }

  /** That a part of the state that an import gives would not fit into the stores, if one would. */
  Optional<Problem> tooLarge(ScheduleState state) {
    int size = RecordSize.of(null, null, List.of()) + StateSize.largest(state);
    int limit = limits.maxFireBytes();
    return size <= limit
        ? Optional.empty()
        : Optional.of(
            problem(
                "",
                "a part of it would take "
                    + size
                    + " bytes in the stores, more than the "
                    + limit
                    + " that can be written; take over less of it"));
  }

  private static Problem problem(String path, Problem found) {
    String field = found.getField().isEmpty() ? path : path + "." + found.getField();
    return Problem.newBuilder(found).setField(Headers.IMPORT + field).build();
  }

  private static Problem problem(String path, String message) {
    return Problem.newBuilder().setField(Headers.IMPORT + path).setMessage(message).build();
  }
}

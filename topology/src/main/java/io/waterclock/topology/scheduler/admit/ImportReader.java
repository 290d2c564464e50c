package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.ImportValidation;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import io.waterclock.topology.scheduler.store.StateSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;

/**
 * Reads the exported state of a schedule from the import header of its record, and checks if the
 * schedule may go on from there. The state obeys the limits of definitions and commands, because
 * the schedule fires from it.
 */
record ImportReader(Settings.Limits limits, Effort effort) {
  /**
   * Reads the state in a record's header.
   *
   * @param problems receives a problem when the state cannot be read
   * @return empty when there is no state, or no readable one
   */
  Optional<ExportedState> read(Inbound inbound, List<Problem> problems) {
    Header header = inbound.headers().lastHeader(HeaderNames.IMPORT);
    if (header == null || header.value() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(RecordCodecs.exportedState().decode(header.value()));
    } catch (UndecodableException e) {
      problems.add(problem("", "is broken: " + e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * All problems of a state whose definition is valid. A schedule that exists here ignores the
   * state: do not call it then.
   *
   * @param ofOlder the problems of a replaced definition that still owns undecided occurrences
   */
  List<Problem> problems(
      ScheduleId id, Event.Imported imported, Function<ExportedRevision, List<Problem>> ofOlder) {
    if (!limits.imports().allows(id.value())) {
      return List.of(problem("", notAllowed(id)));
    }
    ExportedState state = imported.state();
    long enough = effort.total() + ImportValidation.ENOUGH_STEPS;
    List<Problem> invalid =
        ImportValidation.problems(id.value(), imported.schedule(), state, effort);
    if (!invalid.isEmpty()) {
      return invalid;
    }
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < state.getOlder().size(); i++) {
      if (effort.total() >= enough) {
        return List.of(problem(".older", ImportValidation.COSTLY));
      }
      String path = ".older[" + i + "].schedule";
      ofOlder.apply(state.getOlder().get(i)).forEach(found -> problems.add(problem(path, found)));
    }
    for (int i = 0; i < state.getFires().size(); i++) {
      OrderedFire fire = state.getFires().get(i);
      String field = HeaderNames.IMPORT + ".fires[" + i + "].payload";
      limits
          .owners()
          .payload(id, Optional.ofNullable(fire.getPayload()), field)
          .ifPresent(problems::add);
    }
    return problems;
  }

  private String notAllowed(ScheduleId id) {
    return ("this scheduler accepts no import of %s: import.allow %s; the scheduler's operator"
            + " sets it, for example to %s, and removes it after the import")
        .formatted(
            id,
            limits.imports().isEmpty() ? "is empty" : "has " + limits.imports(),
            id.value().replaceFirst("[^/]*$", "*"));
  }

  /** The problem that a part of the state does not fit into the stores; empty when all parts do. */
  Optional<Problem> tooLarge(ScheduleState state) {
    int size = RecordSize.of(null, null, List.of()) + StateSize.largest(state);
    int limit = limits.maxFireBytes();
    return size <= limit
        ? Optional.empty()
        : Optional.of(
            problem(
                "",
                ("a part of it would take %s bytes in the stores, more than the %s"
                        + " that can be written; import less of it")
                    .formatted(size, limit)));
  }

  private static Problem problem(String path, Problem found) {
    return Problem.newBuilder(found)
        .setField(HeaderNames.IMPORT + path + "." + found.getField())
        .build();
  }

  private static Problem problem(String path, String message) {
    return Problems.of(HeaderNames.IMPORT + path, message);
  }
}

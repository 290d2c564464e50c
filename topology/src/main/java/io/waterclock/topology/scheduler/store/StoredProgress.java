package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.ExportedState;
import java.util.Optional;

/**
 * The progress of a schedule out of step, as stored.
 *
 * @param hasParts true when carried occurrences, replaced revisions, waiting fires or backfills of
 *     replaced revisions have other rows
 * @param record the rest: see {@link ExportedStates#progress}
 */
record StoredProgress(boolean hasParts, Optional<String> fault, ExportedState record) {
  static StoredProgress of(ScheduleState state) {
    boolean hasParts =
        !state.carried().isEmpty()
            || !state.older().isEmpty()
            || !state.commanded().fires().isEmpty()
            || state.commanded().backfills().stream().anyMatch(it -> it.under().isPresent());
    return new StoredProgress(hasParts, state.fault(), ExportedStates.progress(state));
  }
}

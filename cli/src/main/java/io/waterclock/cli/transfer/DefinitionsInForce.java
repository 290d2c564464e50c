package io.waterclock.cli.transfer;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The definitions in force, as far as the topics show them. Pure.
 *
 * <p>The topic revisions contains those of the last 30 days. For an older one, the newest record
 * counts, unless it was rejected or is invalid: it repeats the definition in force, or is an edit
 * that no scheduler has read. A record that was rejected for a limit of the scheduler looks the
 * same once the topic status no longer contains the rejection.
 *
 * @param known the schedules with a definition
 * @param unsure the ids of those whose newest record may not be in force
 * @param unknown why a schedule has no definition, by id, in the order of the ids
 */
record DefinitionsInForce(
    List<KnownSchedule> known, List<String> unsure, Map<String, String> unknown) {

  /**
   * Leaves out what is deleted or was never accepted.
   *
   * @param all in the order of their ids
   * @param rejected the positions of rejected records
   */
  static DefinitionsInForce of(
      List<KnownSchedule> all, Set<String> rejected, Set<String> calendars) {
    DefinitionsInForce found =
        new DefinitionsInForce(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
    for (KnownSchedule entry : all) {
      Optional<ScheduleStatus> accepted =
          entry.status().filter(status -> status.getRevision() != null);
      if (entry.definition().isPresent() && accepted.isPresent() && entry.hasValidId()) {
        found.add(entry, reason(entry, accepted.get(), rejected, calendars));
      }
    }
    return found;
  }

  private void add(KnownSchedule entry, Optional<String> reason) {
    if (reason.isPresent()) {
      unknown.put(entry.id(), reason.get());
      return;
    }
    known.add(entry);
    if (!entry.isDefinitionKnown()) {
      unsure.add(entry.id());
    }
  }

  /** Why the definition in force is unknown; empty if it is known. */
  private static Optional<String> reason(
      KnownSchedule entry, ScheduleStatus status, Set<String> rejected, Set<String> calendars) {
    Optional<Revision> revision = entry.currentRevision();
    if (!entry.isDefinitionKnown()
        && entry
            .definition()
            .map(WrittenDefinition::revision)
            .filter(rejected::contains)
            .isPresent()) {
      return Optional.of(
          "its newest record was rejected, and the accepted one is no longer retained");
    }
    if (entry.lacksContent()) {
      return Optional.of(
          "it is a delayed record, and its own record in the topic of schedules is no longer"
              + " retained");
    }
    Optional<Schedule> definition = entry.schedule();
    if (definition.isEmpty()) {
      return Optional.of("its newest record cannot be read");
    }
    Schedule normal = ExportFile.VALIDATION.normalise(definition.get());
    Instant since = revision.map(Revision::getEffectiveAt).orElse(status.getSince());
    Set<String> names = revision.isPresent() ? Set.copyOf(Exclusions.calendars(normal)) : calendars;
    List<Problem> problems =
        ExportFile.VALIDATION.problems(entry.id(), normal, List.of(), since, names);
    return problems.isEmpty()
        ? Optional.empty()
        : Optional.of("its record is invalid: " + Problems.text(problems));
  }
}

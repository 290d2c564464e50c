package io.waterclock.cli.read;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which schedules are meant; those for which all of it holds. */
final class FilterOptions {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description = "Only those in one of these states: ${COMPLETION-CANDIDATES}.")
  List<State> states = List.of();

  @Option(names = "--owner", paramLabel = "OWNER", description = "Only those of this owner.")
  Optional<String> owner = Optional.empty();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Only those with this label; may be given several times.")
  Map<String, String> labels = Map.of();

  @Option(
      names = "--starts-with",
      paramLabel = "TEXT",
      description = "Only those whose id begins with this.")
  String start = "";

  /** By its newest record where the definition in force is not told. */
  boolean fits(KnownSchedule entry) {
    return fitsByState(entry) && fitsByDefinition(entry);
  }

  /** Whether it does not fit only as its newest record says, which may not be in force. */
  boolean mayFit(KnownSchedule entry) {
    return fitsByState(entry) && !fitsByDefinition(entry) && !EffectiveDefinition.isKnown(entry);
  }

  private boolean fitsByState(KnownSchedule entry) {
    return entry.id().startsWith(start)
        && (states.isEmpty() || entry.state().filter(states::contains).isPresent());
  }

  private boolean fitsByDefinition(KnownSchedule entry) {
    return (owner.isEmpty() || owner.equals(entry.schedule().map(Schedule::getOwner)))
        && entry
            .schedule()
            .map(Schedule::getLabels)
            .orElse(Map.of())
            .entrySet()
            .containsAll(labels.entrySet());
  }
}

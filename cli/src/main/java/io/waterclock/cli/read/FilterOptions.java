package io.waterclock.cli.read;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A filter of schedules; a schedule must match all options. */
final class FilterOptions {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description =
          "Only schedules in one of these states: ${COMPLETION-CANDIDATES} (default: all but"
              + " REJECTED, the ids without any accepted definition).")
  List<State> states = List.of();

  @Option(names = "--owner", paramLabel = "OWNER", description = "Only schedules of this owner.")
  Optional<String> owner = Optional.empty();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Only schedules with this label; may be repeated.")
  Map<String, String> labels = Map.of();

  @Option(
      names = "--starts-with",
      paramLabel = "TEXT",
      description = "Only schedules whose id begins with this text.")
  String start = "";

  /** Uses the newest record if the definition in force is unknown. */
  boolean matches(KnownSchedule entry) {
    return matchesState(entry) && matchesDefinition(entry);
  }

  /** Whether only its newest record does not match, which may not be in force. */
  boolean mayMatch(KnownSchedule entry) {
    return matchesState(entry) && !matchesDefinition(entry) && !EffectiveDefinition.isKnown(entry);
  }

  /** Whether only the default of {@code --state} hides it. */
  boolean hides(KnownSchedule entry) {
    return states.isEmpty()
        && isRejected(entry)
        && entry.id().startsWith(start)
        && matchesDefinition(entry);
  }

  private boolean matchesState(KnownSchedule entry) {
    return entry.id().startsWith(start)
        && (states.isEmpty()
            ? !isRejected(entry)
            : state(entry).filter(states::contains).isPresent());
  }

  /**
   * Its state; empty if the scheduler has not decided about it. A record whose key is no valid id
   * is REJECTED: the scheduler keeps no status of it.
   */
  static Optional<State> state(KnownSchedule entry) {
    try {
      ScheduleId.parse(entry.id());
      return entry.state();
    } catch (InvalidIdException e) {
      return Optional.of(State.REJECTED);
    }
  }

  /** Whether no definition of it was ever accepted. */
  static boolean isRejected(KnownSchedule entry) {
    return state(entry).filter(State.REJECTED::equals).isPresent();
  }

  private boolean matchesDefinition(KnownSchedule entry) {
    return (owner.isEmpty() || owner.equals(entry.schedule().map(Schedule::getOwner)))
        && entry
            .schedule()
            .map(Schedule::getLabels)
            .orElse(Map.of())
            .entrySet()
            .containsAll(labels.entrySet());
  }
}

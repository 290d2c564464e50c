package io.waterclock.bench.chaos.account;

import io.waterclock.bench.chaos.account.Emitted.Fired;
import io.waterclock.bench.chaos.account.Emitted.MissedRange;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Everything that the topics say of one schedule. */
record Facts(
    String id,
    List<Revision> revisions,
    CommandsGiven commands,
    ObservedRuns runs,
    List<Fired> fires,
    List<MissedRange> missed) {

  /** What was missed for the sake of a fire. */
  List<MissedRange> collapsedInto(long occurrenceMs) {
    return missed.stream()
        .filter(range -> range.collapsedIntoMs().equals(OptionalLong.of(occurrenceMs)))
        .toList();
  }

  /** The revision of a name, if it is a definition. */
  Optional<ObservedDefinition> definition(String revision) {
    return revisions.stream()
        .filter(change -> change.name().equals(revision))
        .findFirst()
        .flatMap(Revision::definition);
  }

  /** The change that came after a revision. */
  Optional<Revision> next(String revision) {
    return revisions.stream()
        .dropWhile(change -> !change.name().equals(revision))
        .skip(1)
        .findFirst();
  }

  /** The life of the id to which a revision belongs: a delete ends one, with its runs. */
  long life(String revision) {
    return revisions.stream()
        .takeWhile(change -> !change.name().equals(revision))
        .filter(change -> change.definition().isEmpty())
        .count();
  }
}

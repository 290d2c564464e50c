package io.waterclock.judge;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether what reads fires has done its work: a fire that has an effect has it once, although a
 * backfill may emit it again, and workers have handled what they have passed.
 *
 * @param definitions by the names of their revisions
 */
record FireEffects(
    Terms terms,
    History history,
    Map<String, ObservedDefinition> definitions,
    List<Finding> findings) {
  void judge() {
    history.effects().ifPresent(this::counted);
    history.fires().stream()
        .filter(terms.consumers().isPassed())
        .map(entry -> entry.value().orElseThrow())
        .forEach(fire -> found(fire, "workers have passed it and have not handled it"));
  }

  private void found(Fire fire, String detail) {
    findings.add(
        new Finding(
            Finding.Kind.EFFECT,
            fire.getScheduleId(),
            fire.getOccurrence().toEpochMilli(),
            detail));
  }

  private void counted(Collection<String> effects) {
    Map<String, Long> counts =
        effects.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    history.fires().stream()
        .map(entry -> entry.value().orElseThrow())
        .collect(Collectors.groupingBy(Fire::getFireId))
        .forEach(
            (id, same) -> {
              long count = counts.getOrDefault(id, 0L);
              boolean isMissing =
                  count == 0
                      && same.get(0).getOccurrence().toEpochMilli() <= terms.untilMs()
                      && same.stream().anyMatch(this::mustHaveEffect);
              if (count > 1 || isMissing) {
                found(same.get(0), "the fire " + id + " had its effect " + count + " times");
              }
            });
  }

  /** Workers that were down may leave out what came in its turn and is not replayed. */
  private boolean mustHaveEffect(Fire fire) {
    return Optional.ofNullable(definitions.get(fire.getRevision()))
        .filter(ObservedDefinition::hasEffect)
        .filter(its -> its.replays() || fire.getCause() != Cause.SCHEDULED)
        .isPresent();
  }
}

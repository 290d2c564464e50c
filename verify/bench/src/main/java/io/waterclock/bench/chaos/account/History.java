package io.waterclock.bench.chaos.account;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Everything that the topics of a run hold. The entries of a partition are in its order.
 *
 * @param targets the records of the topic that schedules name as their target
 * @param effects the ids of the fires that had their effect in the database, once for each effect
 * @param untilMs inclusive: what occurred by then must be decided
 */
public record History(
    int partitions,
    List<Entry> schedules,
    List<Entry> commands,
    List<Entry> outcomes,
    List<Entry> fires,
    List<Entry> missed,
    List<Entry> targets,
    List<String> effects,
    RegistryLog registry,
    long untilMs) {

  /** Changes the topics that the scheduler reads. */
  History withInput(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions,
        change.apply(schedules),
        change.apply(commands),
        change.apply(outcomes),
        fires,
        missed,
        targets,
        effects,
        registry,
        untilMs);
  }

  History withFires(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions,
        schedules,
        commands,
        outcomes,
        change.apply(fires),
        missed,
        targets,
        effects,
        registry,
        untilMs);
  }

  History withMissed(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions,
        schedules,
        commands,
        outcomes,
        fires,
        change.apply(missed),
        targets,
        effects,
        registry,
        untilMs);
  }

  History withTargets(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions,
        schedules,
        commands,
        outcomes,
        fires,
        missed,
        change.apply(targets),
        effects,
        registry,
        untilMs);
  }

  History withEffects(List<String> other) {
    return new History(
        partitions,
        schedules,
        commands,
        outcomes,
        fires,
        missed,
        targets,
        other,
        registry,
        untilMs);
  }

  History withRegistry(RegistryLog other) {
    return new History(
        partitions, schedules, commands, outcomes, fires, missed, targets, effects, other, untilMs);
  }
}

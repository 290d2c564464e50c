package io.waterclock.bench.chaos.account;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Everything that the topics of a run hold. The entries of a partition are in its order.
 *
 * @param targets the records of the topic that schedules name as their target
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
    long untilMs) {

  History withFires(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions, schedules, commands, outcomes, change.apply(fires), missed, targets, untilMs);
  }

  History withMissed(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions, schedules, commands, outcomes, fires, change.apply(missed), targets, untilMs);
  }

  History withTargets(UnaryOperator<List<Entry>> change) {
    return new History(
        partitions, schedules, commands, outcomes, fires, missed, change.apply(targets), untilMs);
  }
}

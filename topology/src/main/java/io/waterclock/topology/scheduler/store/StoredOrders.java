package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.WaitingFires;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The summary of what commands have ordered, as stored.
 *
 * @param fires those that wait, without those in memory
 * @param backfills for each, in their order, the number of the replaced revision by which it fires
 */
record StoredOrders(WaitingFires fires, List<OptionalLong> backfills) {
  static StoredOrders of(CommandState commanded) {
    return new StoredOrders(
        commanded.fires(), commanded.backfills().stream().map(Backfill::under).toList());
  }

  /** True when nothing of it needs a row. */
  boolean isEmpty() {
    return fires.isEmpty() && backfills.stream().allMatch(OptionalLong::isEmpty);
  }

  /** Adds it to the rest of what commands have set. */
  CommandState addedTo(CommandState rest) {
    List<Backfill> all =
        IntStream.range(0, rest.backfills().size())
            .mapToObj(
                i ->
                    i < backfills.size()
                        ? rest.backfills().get(i).under(backfills.get(i))
                        : rest.backfills().get(i))
            .toList();
    return rest.withFires(fires).backfilling(all);
  }
}

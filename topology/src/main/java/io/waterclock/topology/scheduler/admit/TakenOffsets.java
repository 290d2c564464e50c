package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far the task has taken the records of a topic that is read again.
 *
 * <p>Of schedules: what it has admitted. If Kafka forgets the committed offsets, the task reads the
 * topic again from its start; these offsets keep removed schedules from coming back. The task
 * stores them with each watermark, and always before it forgets a removed schedule: until then the
 * store of removed schedules gives the same protection.
 *
 * <p>Of calendars, which each instance reads from the start: the refused records that are in the
 * dead-letter queue.
 *
 * <p>Idea: as for strays, an offset and the newest timestamp up to it. The offset says which
 * records were read. The timestamp distinguishes a topic that is read again from a topic that lost
 * records and got others in their place. The value in memory is exact.
 */
public final class TakenOffsets {
  private final String topic;
  private Optional<StrayStore.Taken> taken;
  private boolean stored = true;

  public TakenOffsets(String topic, StrayStore store) {
    this.topic = topic;
    this.taken = store.taken(topic);
  }

  /** False for a record that was taken before, whatever the result was. */
  public boolean takesFirst(Inbound inbound) {
    Optional<StrayStore.Taken> next = after(taken, inbound);
    if (next.isPresent()) {
      taken = next;
      stored = false;
    }
    return next.isPresent();
  }

  /**
   * The taken offset and timestamp after one more record.
   *
   * @param taken before the record
   * @return empty for a record that was taken before
   */
  static Optional<StrayStore.Taken> after(Optional<StrayStore.Taken> taken, Inbound inbound) {
    boolean isRepeated =
        taken
            .filter(before -> inbound.offset() <= before.offset())
            .filter(before -> !inbound.timestamp().isAfter(before.newest()))
            .isPresent();
    if (isRepeated) {
      return Optional.empty();
    }
    Instant newest =
        taken
            .map(StrayStore.Taken::newest)
            .filter(inbound.timestamp()::isBefore)
            .orElse(inbound.timestamp());
    return Optional.of(new StrayStore.Taken(inbound.offset(), newest));
  }

  /** What stores the offsets; empty when they are stored already. */
  public List<Effect> save() {
    if (stored) {
      return List.of();
    }
    stored = true;
    return List.of(new Effect.Taken(topic, taken.orElseThrow()));
  }
}

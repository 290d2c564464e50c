package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the records of the schedules topic were taken in, so that what is read again from the
 * start, after Kafka has forgotten the offsets of the group, gives no life to what is gone.
 *
 * <p>Idea: as for strays, an offset and the newest timestamp up to it. The offset says what was
 * read; the timestamp tells a topic that is read again from one that lost records and took others
 * in their place. In memory it is exact. It is stored now and then, and always before it is
 * forgotten that something was removed: until then the removals themselves tell what is gone.
 */
final class AdmittedOffsets {
  private final String topic;
  private final Applier applier;
  private Optional<StrayStore.Taken> taken;
  private boolean stored = true;

  AdmittedOffsets(String topic, StrayStore store, Applier applier) {
    this.topic = topic;
    this.applier = applier;
    this.taken = store.taken(topic);
  }

  /** False for a record that was taken in before, in whatever way it ended. */
  boolean takesFirst(Inbound inbound) {
    boolean isFirst =
        taken
            .filter(before -> inbound.offset() <= before.offset())
            .filter(before -> !inbound.timestamp().isAfter(before.newest()))
            .isEmpty();
    if (isFirst) {
      Instant newest =
          taken
              .map(StrayStore.Taken::newest)
              .filter(inbound.timestamp()::isBefore)
              .orElse(inbound.timestamp());
      taken = Optional.of(new StrayStore.Taken(inbound.offset(), newest));
      stored = false;
    }
    return isFirst;
  }

  /** Stores how far it has come, if that is not stored. */
  void save() {
    if (!stored) {
      stored = true;
      taken.ifPresent(it -> applier.noteTaken(topic, it));
    }
  }
}

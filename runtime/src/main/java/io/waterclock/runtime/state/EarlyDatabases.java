package io.waterclock.runtime.state;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Databases that stay open between two uses while an instance starts.
 *
 * <p>Kafka Streams opens all stores on the disk when it starts, to learn their offsets, and closes
 * them. It opens them again when the instance gets their partitions. After a crash, fires wait at
 * that moment, and to open a store takes some 20 ms. So a database stays open from the first close
 * to the next open.
 *
 * <p>Safe for all threads.
 */
final class EarlyDatabases {
  private final BiConsumer<StoreId, StoreDatabase> close;
  private final Map<StoreId, StoreDatabase> kept = new HashMap<>();
  private boolean hasEnded;

  /**
   * @param close closes a database that is not in use
   */
  EarlyDatabases(BiConsumer<StoreId, StoreDatabase> close) {
    this.close = close;
  }

  synchronized Optional<StoreDatabase> take(StoreId store) {
    return Optional.ofNullable(kept.remove(store));
  }

  /**
   * Keeps a database without its uncommitted changes. Closes it once the start is over, or if it is
   * damaged.
   */
  synchronized void keepOrClose(StoreId store, StoreDatabase database) {
    if (hasEnded || database.isDamaged()) {
      close.accept(store, database);
    } else {
      database.discard();
      kept.put(store, database);
    }
  }

  /** Closes those that are kept. No more are kept. */
  synchronized void end() {
    hasEnded = true;
    kept.forEach(close);
    kept.clear();
  }
}

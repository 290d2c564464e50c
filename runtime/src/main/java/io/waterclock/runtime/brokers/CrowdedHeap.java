package io.waterclock.runtime.brokers;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * True while a garbage collection left more than 80% of the old generation in use: an error about
 * memory is then about what has piled up, and not about the record that meets it. A question costs
 * a look at the clock; the pool is asked ten times a second. Thread-safe.
 */
final class CrowdedHeap implements BooleanSupplier {
  private static final long ASK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Optional<MemoryPoolMXBean> old =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .filter(MemoryPoolMXBean::isUsageThresholdSupported) // the young generation has none
          .findFirst();
  private volatile long askedAt = System.nanoTime() - ASK_EVERY_NANOS;
  private volatile boolean isCrowded;

  @Override
  public boolean getAsBoolean() {
    long now = System.nanoTime();
    if (now - askedAt >= ASK_EVERY_NANOS) {
      askedAt = now;
      isCrowded =
          old.map(MemoryPoolMXBean::getCollectionUsage).filter(CrowdedHeap::isFull).isPresent();
    }
    return isCrowded;
  }

  private static boolean isFull(MemoryUsage usage) {
    return usage.getMax() > 0 && usage.getUsed() > usage.getMax() / 10 * 8;
  }
}

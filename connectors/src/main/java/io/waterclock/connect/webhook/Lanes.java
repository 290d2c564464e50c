package io.waterclock.connect.webhook;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.ThreadUtils;

/**
 * Runs deliveries of different lanes in parallel, and those of one lane one after another.
 *
 * <p>Idea: a lane is a queue, and its first delivery is the current one. It stays first while it
 * waits for a retry, without a thread; when it is finished, the next one starts. Thread-safe.
 */
final class Lanes implements AutoCloseable {
  /**
   * How much is held.
   *
   * @param bytes the size of the records' values
   */
  record Load(long fires, long bytes) {
    boolean exceeds(Load most) {
      return fires > most.fires || bytes > most.bytes;
    }

    Load half() {
      return new Load(fires / 2, bytes / 2);
    }

    private Load plus(Delivery delivery) {
      return new Load(fires + 1, bytes + delivery.bytes());
    }

    private Load minus(Delivery delivery) {
      return new Load(fires - 1, bytes - delivery.bytes());
    }
  }

  private final Map<String, Deque<Delivery>> lanes = new HashMap<>();
  private final Set<Delivery> running = new HashSet<>();
  private final ScheduledThreadPoolExecutor threads;
  private final Consumer<Delivery> attempt;
  private Load load = new Load(0, 0);

  /**
   * @param attempt makes an attempt, and then or later calls {@link #finish} or {@link #again}. It
   *     does not throw
   */
  Lanes(int most, String name, Consumer<Delivery> attempt) {
    this.attempt = attempt;
    this.threads =
        new ScheduledThreadPoolExecutor(most, ThreadUtils.createThreadFactory(name, true));
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setRemoveOnCancelPolicy(true);
  }

  synchronized void add(Delivery delivery) {
    Deque<Delivery> lane = lanes.computeIfAbsent(delivery.lane(), key -> new ArrayDeque<>());
    lane.add(delivery);
    load = load.plus(delivery);
    if (lane.size() == 1) {
      submit(delivery, Duration.ZERO);
    }
  }

  /** Ends a delivery, and starts the next one of its lane. Ignores a dropped delivery. */
  synchronized void finish(Delivery delivery) {
    Deque<Delivery> lane = lanes.get(delivery.lane());
    if (lane == null || lane.peek() != delivery) {
      return;
    }
    lane.remove();
    load = load.minus(delivery);
    if (lane.isEmpty()) {
      lanes.remove(delivery.lane());
    } else {
      submit(lane.element(), Duration.ZERO);
    }
  }

  synchronized void again(Delivery delivery, Duration pause) {
    if (!delivery.isCancelled()) {
      submit(delivery, pause);
    }
  }

  /** The number and the size of unfinished deliveries. */
  synchronized Load load() {
    return load;
  }

  /**
   * Drops deliveries and aborts their requests. Returns when all of them have ended, or after the
   * patience.
   */
  void drop(Predicate<Delivery> which, Duration patience) {
    List<Delivery> dropped = take(which);
    dropped.forEach(Delivery::cancel);
    awaitEnd(dropped, patience);
  }

  private synchronized List<Delivery> take(Predicate<Delivery> which) {
    List<Delivery> dropped = new ArrayList<>();
    lanes.values().removeIf(lane -> which.test(lane.element()) && dropped.addAll(lane));
    for (Delivery delivery : dropped) {
      load = load.minus(delivery);
    }
    return dropped;
  }

  private synchronized void awaitEnd(List<Delivery> dropped, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (dropped.stream().anyMatch(running::contains)) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The caller holds the lock. */
  private void submit(Delivery delivery, Duration pause) {
    if (!threads.isShutdown()) {
      var unused = threads.schedule(() -> run(delivery), pause.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void run(Delivery delivery) {
    synchronized (this) {
      if (delivery.isCancelled()) {
        return;
      }
      running.add(delivery);
    }
    try {
      attempt.accept(delivery);
    } finally {
      synchronized (this) {
        running.remove(delivery);
        notifyAll();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

package io.waterclock.connect.webhook;

import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs deliveries of different lanes in parallel, and those of one lane one after another.
 *
 * <p>Idea: a lane is a queue, and its first delivery is the current one. It stays first while it
 * waits for a retry, without a thread; when it is finished, the caller starts the next one.
 * Thread-safe.
 */
final class Lanes implements AutoCloseable {
  private final Map<String, DeliveryLane> lanes = new HashMap<>();
  private final Set<Delivery> running = new HashSet<>();
  private final ScheduledThreadPoolExecutor threads;
  private final HeldFires mostOfLane;
  private final Consumer<Delivery> attempt;
  private HeldFires load = HeldFires.NONE;

  /**
   * @param most that run at a time
   * @param mostOfLane with more, a lane is crowded
   * @param attempt makes an attempt, and then or later calls {@link #finish} or {@link #again}. It
   *     does not throw
   */
  Lanes(int most, HeldFires mostOfLane, String name, Consumer<Delivery> attempt) {
    this.mostOfLane = mostOfLane;
    this.attempt = attempt;
    this.threads = new ScheduledThreadPoolExecutor(most, DaemonThreads.named(name));
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setRemoveOnCancelPolicy(true);
  }

  synchronized void add(Delivery delivery) {
    DeliveryLane lane = lanes.computeIfAbsent(delivery.lane(), key -> new DeliveryLane());
    lane.add(delivery);
    load = load.plus(delivery);
    if (lane.isFirst(delivery)) {
      submit(delivery, Duration.ZERO);
    }
  }

  /**
   * Ends a delivery.
   *
   * @return the next one of its lane, to be started or given up; empty if there is none, or the
   *     delivery was dropped
   */
  synchronized Optional<Delivery> finish(Delivery delivery) {
    DeliveryLane lane = lanes.get(delivery.lane());
    if (lane == null || !lane.isFirst(delivery)) {
      return Optional.empty();
    }
    lane.removeFirst();
    load = load.minus(delivery);
    if (lane.isEmpty()) {
      lanes.remove(delivery.lane());
      return Optional.empty();
    }
    Delivery next = lane.first();
    next.behind(lane.failingSince(), lane.load().exceeds(mostOfLane.part(2)));
    return Optional.of(next);
  }

  /** Starts a delivery that {@link #finish} has returned. */
  synchronized void start(Delivery next) {
    submit(next, Duration.ZERO);
  }

  /** Repeats a delivery whose attempt has failed. */
  synchronized void again(Delivery delivery, Duration pause) {
    DeliveryLane lane = lanes.get(delivery.lane());
    if (lane != null && lane.isFirst(delivery)) {
      lane.failed();
      submit(delivery, pause);
    }
  }

  /** The partitions with a crowded lane, and those that had one, until it has half as much. */
  synchronized Set<TopicPartition> crowded(Set<TopicPartition> before) {
    Set<TopicPartition> found = new HashSet<>();
    for (DeliveryLane lane : lanes.values()) {
      TopicPartition partition = lane.first().partition();
      if (lane.load().exceeds(before.contains(partition) ? mostOfLane.part(2) : mostOfLane)) {
        found.add(partition);
      }
    }
    return found;
  }

  /** The number and the size of unfinished deliveries. */
  synchronized HeldFires load() {
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
    lanes.values().removeIf(lane -> which.test(lane.first()) && dropped.addAll(lane.all()));
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

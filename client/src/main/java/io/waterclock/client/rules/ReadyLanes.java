package io.waterclock.client.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The lanes whose first fire can run now. A queue with a share has its own order, and at most as
 * many of its lanes run at a time as its share allows; lanes that wait there do not delay other
 * lanes. All other lanes have one common order and no limit. The lock of the {@link FireBuffer}
 * guards it.
 */
final class ReadyLanes<A> {
  private static final String OTHERS = "";

  private final Map<String, Integer> shares;
  private final TreeSet<ScheduleLane<A>> others = new TreeSet<>(ScheduleLane.BY_PRIORITY);
  private final Map<String, TreeSet<ScheduleLane<A>>> byQueue = new HashMap<>();
  private final Map<String, Integer> running = new HashMap<>();

  ReadyLanes(Map<String, Integer> shares) {
    this.shares = Map.copyOf(shares);
    byQueue.put(OTHERS, others);
  }

  void add(ScheduleLane<A> lane) {
    of(lane.queueName()).add(lane);
  }

  void remove(ScheduleLane<A> lane) {
    of(lane.queueName()).remove(lane);
  }

  private SortedSet<ScheduleLane<A>> of(Optional<String> queue) {
    return byQueue.computeIfAbsent(key(queue), name -> new TreeSet<>(ScheduleLane.BY_PRIORITY));
  }

  private String key(Optional<String> queue) {
    return queue.filter(shares::containsKey).orElse(OTHERS);
  }

  /**
   * Removes and returns the next lane. The caller calls {@link #turnOver} when the turn has ended.
   */
  Optional<ScheduleLane<A>> poll() {
    if (shares.isEmpty()) {
      return Optional.ofNullable(others.pollFirst());
    }
    Optional<ScheduleLane<A>> next =
        byQueue.entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty() && room(entry.getKey()) > 0)
            .map(entry -> entry.getValue().first())
            .min(ScheduleLane.BY_PRIORITY);
    next.ifPresent(
        lane -> {
          remove(lane);
          running.merge(key(lane.queueName()), 1, Integer::sum);
        });
    return next;
  }

  void turnOver(BufferedFire<A> work) {
    if (!shares.isEmpty()) {
      running.merge(key(work.queueName()), -1, Integer::sum);
    }
  }

  /** How many lanes {@link #poll} could return now. */
  int size() {
    if (shares.isEmpty()) {
      return others.size();
    }
    return byQueue.entrySet().stream()
        .mapToInt(entry -> Math.min(entry.getValue().size(), room(entry.getKey())))
        .sum();
  }

  private int room(String key) {
    return shares.getOrDefault(key, Integer.MAX_VALUE) - running.getOrDefault(key, 0);
  }
}

package io.waterclock.connect.webhook;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/**
 * The unfinished deliveries of one schedule, in order: the first one is the current one. It knows
 * since when its receiver has failed, from the first attempt that was to be repeated until a
 * delivery is accepted. Not thread-safe.
 */
final class DeliveryLane {
  private final Deque<Delivery> deliveries = new ArrayDeque<>();
  private HeldFires load = HeldFires.NONE;
  private Optional<Instant> failingSince = Optional.empty();

  void add(Delivery delivery) {
    deliveries.add(delivery);
    load = load.plus(delivery);
  }

  boolean isFirst(Delivery delivery) {
    return deliveries.peek() == delivery;
  }

  Delivery first() {
    return deliveries.element();
  }

  void removeFirst() {
    Delivery first = deliveries.remove();
    load = load.minus(first);
    if (first.isAccepted()) {
      failingSince = Optional.empty();
    }
  }

  /** An attempt of the first one has failed, and another follows. */
  void failed() {
    failingSince = failingSince.or(first()::startedAt);
  }

  Optional<Instant> failingSince() {
    return failingSince;
  }

  boolean isEmpty() {
    return deliveries.isEmpty();
  }

  HeldFires load() {
    return load;
  }

  Collection<Delivery> all() {
    return deliveries;
  }
}

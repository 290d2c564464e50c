package io.waterclock.sim.node;

import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The partitions that a task reads: fetched records, and the offsets that a commit stores. */
final class TaskInputs {
  private static final int FETCH = 20;

  private final Broker broker;
  private final Fault fault;
  private final Group group;
  private final List<Place> places;
  private final Map<Place, Long> positions = new LinkedHashMap<>();
  private final Map<Place, Long> beginnings = new LinkedHashMap<>();
  private final Map<Place, Long> consumed = new HashMap<>();
  private final Map<Place, Deque<LogRecord>> buffers = new LinkedHashMap<>();
  private boolean hasConsumed;

  /** A fetched record and its place. */
  record Next(Place place, LogRecord record) {}

  TaskInputs(TaskEnvironment environment, String group, List<Place> places) {
    this.broker = environment.broker();
    this.fault = environment.fault();
    this.group = broker.group(group);
    this.places = places;
  }

  /** True while no open transaction may change where the task begins. */
  boolean canBegin() {
    return places.stream().noneMatch(group::isUnstable);
  }

  /**
   * Begins where the group has committed.
   *
   * @param reset where to begin in a partition without a committed offset
   */
  void begin(ToLongFunction<PartitionLog> reset) {
    for (Place place : places) {
      PartitionLog log = broker.log(place);
      long from = group.offset(place).orElseGet(() -> reset.applyAsLong(log));
      beginnings.put(place, Math.max(from, log.start()));
      positions.put(place, Math.max(from, log.start()));
      buffers.put(place, new ArrayDeque<>());
    }
  }

  /** Fetches into the buffers that are not full. */
  void fetch(int most) {
    for (Map.Entry<Place, Deque<LogRecord>> input : buffers.entrySet()) {
      long from = positions.getOrDefault(input.getKey(), 0L);
      PartitionLog log = broker.log(input.getKey());
      if (input.getValue().size() < FETCH && log.lastStable() > from) {
        PartitionLog.Fetched found = log.fetch(Math.max(from, log.start()), most);
        for (LogRecord record : found.records()) {
          fault.read(input.getKey(), record).ifPresent(input.getValue()::add);
        }
        positions.put(input.getKey(), found.next());
        if (found.records().isEmpty()) {
          consume(input.getKey(), found.next());
        }
      }
    }
  }

  boolean canFetch() {
    return positions.entrySet().stream()
        .anyMatch(at -> broker.log(at.getKey()).lastStable() > at.getValue());
  }

  /** True while fetched records wait. */
  boolean isBehind() {
    return buffers.values().stream().anyMatch(buffer -> !buffer.isEmpty());
  }

  /** The position is past an end, and every record that was fetched is processed. */
  boolean isPast(Place place, long end) {
    return positions.getOrDefault(place, 0L) >= end
        && Optional.ofNullable(buffers.get(place)).map(Deque::isEmpty).orElse(true);
  }

  /** Takes the fetched record with the lowest timestamp. */
  Optional<Next> take() {
    Optional<Place> first = Optional.empty();
    long firstMs = Long.MAX_VALUE;
    for (Map.Entry<Place, Deque<LogRecord>> buffer : buffers.entrySet()) {
      LogRecord head = buffer.getValue().peek();
      if (head != null && head.timestampMs() < firstMs) {
        first = Optional.of(buffer.getKey());
        firstMs = head.timestampMs();
      }
    }
    return first.map(
        place -> new Next(place, Optional.ofNullable(buffers.get(place)).orElseThrow().remove()));
  }

  /** The task has processed what it took. As in Kafka Streams, markers behind it count as read. */
  void processed(Next next) {
    boolean isLast = Optional.ofNullable(buffers.get(next.place())).orElseThrow().isEmpty();
    long offset = next.record().offset() + 1;
    consume(next.place(), isLast ? positions.getOrDefault(next.place(), offset) : offset);
  }

  private void consume(Place place, long next) {
    consumed.put(place, next);
    hasConsumed = true;
  }

  boolean hasConsumed() {
    return hasConsumed;
  }

  Map<Place, Long> consumed() {
    return consumed;
  }

  Map<Place, Long> beginnings() {
    return beginnings;
  }

  void committed() {
    hasConsumed = false;
  }
}

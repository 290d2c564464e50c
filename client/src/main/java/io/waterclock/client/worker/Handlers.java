package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Finds the handler of a fire. The most specific one wins: schedule id, then the longest prefix of
 * it, type, label (the first added), queue, owner, any.
 */
final class Handlers {
  /** A label and its value. */
  private record Label(String name, String value) {}

  private final Map<String, FireHandler> byId = new LinkedHashMap<>();
  private final TreeMap<String, FireHandler> byPrefix = new TreeMap<>();
  private final Map<String, FireHandler> byType = new LinkedHashMap<>();
  private final Map<Label, FireHandler> byLabel = new LinkedHashMap<>();
  private final Map<String, FireHandler> byQueue = new LinkedHashMap<>();
  private final Map<String, FireHandler> byOwner = new LinkedHashMap<>();
  private final Map<String, FireHandler> forAny = new LinkedHashMap<>();

  void id(String id, FireHandler handler) {
    put(byId, id, handler);
  }

  void prefix(String prefix, FireHandler handler) {
    put(byPrefix, prefix, handler);
  }

  void type(String type, FireHandler handler) {
    put(byType, type, handler);
  }

  void label(String name, String value, FireHandler handler) {
    put(byLabel, new Label(name, value), handler);
  }

  void queue(String queue, FireHandler handler) {
    put(byQueue, queue, handler);
  }

  void owner(String owner, FireHandler handler) {
    put(byOwner, owner, handler);
  }

  void any(FireHandler handler) {
    put(forAny, "any", handler);
  }

  boolean isEmpty() {
    return all().isEmpty();
  }

  /** All handlers, each once. */
  Set<FireHandler> all() {
    return Stream.of(byId, byPrefix, byType, byLabel, byQueue, byOwner, forAny)
        .flatMap(handlers -> handlers.values().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Equal for two workers that have handlers for the same fires. */
  String fingerprint() {
    CRC32 crc = new CRC32();
    Stream.of(byId, byPrefix, byType, byLabel, byQueue, byOwner, forAny)
        .map(handlers -> handlers.keySet().stream().map(String::valueOf).sorted().toList())
        .forEach(names -> crc.update(names.toString().getBytes(StandardCharsets.UTF_8)));
    return Long.toHexString(crc.getValue());
  }

  /** The handler of a fire; empty if this worker has none for it. */
  Optional<FireHandler> of(Fire fire) {
    Schedule schedule = fire.getSchedule();
    return Optional.ofNullable(byId.get(fire.getScheduleId()))
        .or(() -> longestPrefix(fire.getScheduleId()))
        .or(() -> Optional.ofNullable(schedule.getType()).map(byType::get))
        .or(() -> labelled(schedule.getLabels()))
        .or(() -> Optional.ofNullable(schedule.getQueue()).map(byQueue::get))
        .or(() -> Optional.ofNullable(schedule.getOwner()).map(byOwner::get))
        .or(() -> Optional.ofNullable(forAny.get("any")));
  }

  private Optional<FireHandler> longestPrefix(String id) {
    return byPrefix.descendingMap().entrySet().stream()
        .filter(entry -> id.startsWith(entry.getKey()))
        .findFirst()
        .map(Map.Entry::getValue);
  }

  private Optional<FireHandler> labelled(Map<String, String> labels) {
    return byLabel.entrySet().stream()
        .filter(entry -> entry.getKey().value().equals(labels.get(entry.getKey().name())))
        .findFirst()
        .map(Map.Entry::getValue);
  }

  private static <K> void put(Map<K, FireHandler> handlers, K key, FireHandler handler) {
    if (handlers.putIfAbsent(key, handler) != null) {
      throw new IllegalArgumentException("there is a handler for " + key + " already");
    }
  }
}

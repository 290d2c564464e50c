package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler of a fire. The most specific one wins: schedule id, then the longest prefix of
 * it, type, label (the first added), queue, owner, any.
 */
final class Handlers {
  /** What a handler asks of a fire. */
  enum By {
    ID,
    PREFIX,
    TYPE,
    LABEL,
    QUEUE,
    OWNER,
    ANY
  }

  /**
   * A condition for fires.
   *
   * @param value the id, prefix and so on; the name and value of a label; "any"
   */
  private record Condition(By by, Object value) {}

  private final Map<Condition, FireHandler> handlers = new LinkedHashMap<>();

  /**
   * Adds a handler.
   *
   * @throws IllegalArgumentException if there is a handler for the same fires
   */
  void put(By by, Object value, FireHandler handler) {
    if (handlers.putIfAbsent(new Condition(by, value), handler) != null) {
      throw new IllegalArgumentException("there is a handler for " + value + " already");
    }
  }

  /** All handlers, each once. */
  Set<FireHandler> all() {
    return new LinkedHashSet<>(handlers.values());
  }

  /** Equal for two workers that have handlers for the same fires. */
  String fingerprint() {
    CRC32 crc = new CRC32();
    List<String> names = handlers.keySet().stream().map(Condition::toString).sorted().toList();
    crc.update(names.toString().getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  /** The handler of a fire; empty if this worker has none for it. */
  Optional<FireHandler> of(Fire fire) {
    Schedule schedule = fire.getSchedule();
    return by(By.ID, fire.getScheduleId())
        .or(() -> longestPrefix(fire.getScheduleId()))
        .or(() -> by(By.TYPE, schedule.getType()))
        .or(() -> labelled(schedule.getLabels()))
        .or(() -> by(By.QUEUE, schedule.getQueue()))
        .or(() -> by(By.OWNER, schedule.getOwner()))
        .or(() -> by(By.ANY, "any"));
  }

  private Optional<FireHandler> by(By by, @Nullable Object value) {
    return Optional.ofNullable(value).map(known -> handlers.get(new Condition(by, known)));
  }

  private Optional<FireHandler> longestPrefix(String id) {
    return all(By.PREFIX)
        .map(each -> (String) each)
        .filter(id::startsWith)
        .max(Comparator.comparingInt(String::length))
        .flatMap(prefix -> by(By.PREFIX, prefix));
  }

  private Optional<FireHandler> labelled(Map<String, String> labels) {
    return all(By.LABEL)
        .filter(labels.entrySet()::contains)
        .findFirst()
        .flatMap(label -> by(By.LABEL, label));
  }

  private Stream<Object> all(By by) {
    return handlers.keySet().stream().filter(each -> each.by() == by).map(Condition::value);
  }
}

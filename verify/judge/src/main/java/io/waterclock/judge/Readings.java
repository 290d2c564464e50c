package io.waterclock.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * By when the scheduler could read records. One in Confluent's format waits until the registry has
 * given its schema, and what is written under its key afterwards waits behind it. A delete waits
 * for nothing, and ends the wait: what it finds waiting is refused.
 */
final class Readings {
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final RegistryLog registry;
  private final long readMs;
  private final Map<String, Long> readable = new HashMap<>();

  private Readings(RegistryLog registry, long readMs) {
    this.registry = registry;
    this.readMs = readMs;
  }

  /** The same history, in which records that waited are visible later. */
  static History applied(History history, long readMs) {
    Readings readings = new Readings(history.registry(), readMs);
    readings.takeAll(Stream.concat(history.schedules().stream(), history.commands().stream()));
    readings.takeAll(history.reports().stream()); // these wait for one another alone
    History delayed = history.copy();
    delayed.schedules().replaceAll(readings::delayed);
    delayed.commands().replaceAll(readings::delayed);
    delayed.reports().replaceAll(readings::delayed);
    return delayed;
  }

  private <T> Entry<T> delayed(Entry<T> entry) {
    long visibleMs = readable.getOrDefault(entry.place(), entry.visibleMs());
    if (visibleMs == entry.visibleMs()) {
      return entry;
    }
    Map<String, String> headers = new HashMap<>(entry.headers());
    headers.put(Entry.WAITED, "");
    return entry.with(headers).at(entry.appendedMs(), visibleMs);
  }

  private void takeAll(Stream<? extends Entry<?>> entries) {
    entries
        .sorted(Comparator.comparingLong(Entry::visibleMs))
        .collect(Collectors.groupingBy(Entry::key, Collectors.<Entry<?>>toList()))
        .values()
        .forEach(this::take);
  }

  /** Takes the records of a key, in their order. */
  private void take(List<Entry<?>> entries) {
    List<Entry<?>> unread = new ArrayList<>();
    long behindMs = Long.MIN_VALUE;
    for (Entry<?> entry : entries) {
      if (entry.value().isEmpty()) {
        unread.forEach(refused -> readable.put(refused.place(), NEVER));
        unread.clear();
        continue;
      }
      Optional<Long> schemaMs =
          entry
              .header(Entry.SCHEMA)
              .map(id -> registry.readableMs(Integer.parseInt(id), entry.visibleMs(), readMs))
              .orElse(Optional.of(entry.visibleMs()));
      if (!unread.isEmpty() || schemaMs.isEmpty()) {
        unread.add(entry);
        continue;
      }
      behindMs = Math.max(behindMs, schemaMs.get());
      readable.put(entry.place(), Math.max(entry.visibleMs(), behindMs));
    }
  }
}

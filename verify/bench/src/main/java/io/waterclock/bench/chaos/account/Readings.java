package io.waterclock.bench.chaos.account;

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
  private final long readingMs;
  private final Map<String, Long> readable = new HashMap<>();

  private Readings(RegistryLog registry, Terms terms) {
    this.registry = registry;
    this.readingMs = terms.reading().toMillis();
  }

  /** The same history, in which records that waited are readable later. */
  static History applied(History history, Terms terms) {
    Readings readings = new Readings(history.registry(), terms);
    readings.takeAll(Stream.concat(history.schedules().stream(), history.commands().stream()));
    readings.takeAll(history.outcomes().stream()); // these wait for one another alone
    return history.withInput(readings::delayed);
  }

  private List<Entry> delayed(List<Entry> entries) {
    return entries.stream()
        .map(entry -> entry.readableAt(readable.getOrDefault(entry.position(), entry.receivedMs())))
        .toList();
  }

  private void takeAll(Stream<Entry> entries) {
    entries
        .sorted(Comparator.comparingLong(Entry::receivedMs))
        .collect(Collectors.groupingBy(Entry::key))
        .values()
        .forEach(this::take);
  }

  /** Takes the records of a key, in their order. */
  private void take(List<Entry> entries) {
    List<Entry> unread = new ArrayList<>();
    long behindMs = Long.MIN_VALUE;
    for (Entry entry : entries) {
      if (entry.value().isEmpty()) {
        unread.forEach(refused -> readable.put(refused.position(), NEVER));
        unread.clear();
        continue;
      }
      Optional<Long> schemaMs =
          entry
              .schemaId()
              .map(id -> registry.readableMs(id, entry.receivedMs(), readingMs))
              .orElse(Optional.of(entry.receivedMs()));
      if (!unread.isEmpty() || schemaMs.isEmpty()) {
        unread.add(entry);
        continue;
      }
      behindMs = Math.max(behindMs, schemaMs.get());
      readable.put(entry.position(), Math.max(entry.receivedMs(), behindMs));
    }
  }
}

package io.waterclock.judge;

import io.waterclock.schemas.avro.Fire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether each fire with a target reached it once, in order, and no other fire did.
 *
 * @param definitions by the names of their revisions
 */
record Routes(
    Terms terms,
    Evidence evidence,
    Map<String, ObservedDefinition> definitions,
    List<Finding> findings) {
  private static final String FIRE_KEY = "waterclock-fire-key";
  private static final long SETTLED_MS = 20_000;
  private static final long FIRES_KEPT = 7 * 24 * 3_600_000L;
  private static final long HOUR = 3_600_000;

  /** How long a process may be held up between a look at the target and the write. */
  private static final long HELD_UP_MS = 30_000;

  void judge() {
    Map<String, List<Entry<Fire>>> owed = new HashMap<>();
    for (Entry<Fire> fire : evidence.history.fires()) {
      if (hasTarget(fire.value().orElseThrow())) {
        owed.computeIfAbsent(fire.key(), any -> new ArrayList<>()).add(fire);
      }
    }
    Map<String, List<Entry<Fire>>> routed = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (Entry<Fire> record : evidence.history.targets()) {
      String fireKey = record.header(FIRE_KEY).orElse("");
      routed.computeIfAbsent(fireKey, any -> new ArrayList<>()).add(record);
      inOrder(record.partition(), owed.getOrDefault(fireKey, List.of()), last);
    }
    Map<String, List<Entry<byte[]>>> dead = new HashMap<>();
    for (Entry<byte[]> letter : evidence.history.deadLetters()) {
      dead.computeIfAbsent(letter.key(), any -> new ArrayList<>()).add(letter);
      long at = letter.appendedMs();
      if (!owed.containsKey(letter.key()) || !gone().touches(0, at - HELD_UP_MS, at)) {
        found(letter, letter.key(), "is a dead letter, and its target was there");
      }
    }
    owed.forEach(
        (key, fires) ->
            once(
                key,
                fires,
                routed.getOrDefault(key, List.of()),
                dead.getOrDefault(key, List.of()).size()));
    routed.forEach(
        (key, records) -> {
          if (!owed.containsKey(key)) {
            found(records.get(0), key, "reached a target, and no fire owes that");
          }
        });
  }

  private void found(Entry<?> entry, String fireKey, String detail) {
    findings.add(
        new Finding(
            Finding.Kind.UNROUTED, idOf(fireKey), entry.timestampMs(), fireKey + " " + detail));
  }

  private Health gone() {
    return terms.consumers().targetGone();
  }

  private static String idOf(String fireKey) {
    return fireKey.substring(0, Math.max(0, fireKey.indexOf('|')));
  }

  private boolean hasTarget(Fire fire) {
    return Optional.ofNullable(definitions.get(fire.getRevision()))
        .flatMap(ObservedDefinition::target)
        .isPresent();
  }

  private Optional<String> targetKey(Entry<Fire> fire) {
    return Optional.ofNullable(definitions.get(fire.value().orElseThrow().getRevision()))
        .flatMap(ObservedDefinition::targetKey);
  }

  /** A backfill may emit a fire again, with its key. */
  private void once(String key, List<Entry<Fire>> fires, List<Entry<Fire>> taken, int dead) {
    Entry<Fire> first = fires.get(0);
    int times = taken.size() + dead;
    long may = fires.stream().mapToLong(fire -> 1 + forgotten(fire)).sum();
    long must = fires.stream().filter(this::isSurelyRead).count();
    if (times > may || times < must) {
      found(
          first,
          key,
          "was fired %s times, and routed %s times, %s of them to its target"
              .formatted(fires.size(), times, taken.size()));
    }
    for (Entry<Fire> record : taken) {
      if (fires.stream().noneMatch(fire -> record.value().equals(fire.value()))) {
        found(record, key, "reached its target with another value");
      }
      if (!record.key().equals(targetKey(first).orElse(key))) {
        found(record, key, "reached its target under the key " + record.key());
      }
      if (gone().covers(0, record.appendedMs() - HELD_UP_MS, record.appendedMs())) {
        found(record, key, "reached a target that was gone");
      }
      if (terms.consumers().isTimed()
          && fires.stream().allMatch(fire -> record.appendedMs() < fire.visibleMs())) {
        found(record, key, "reached its target before it was committed");
      }
    }
  }

  /** How often a router may take it on again, as it has lost its offsets. */
  private long forgotten(Entry<Fire> owed) {
    return terms.consumers().offsetsForgottenMs().stream()
        .filter(at -> owed.appendedMs() <= at)
        .count();
  }

  private boolean isSurelyRead(Entry<Fire> owed) {
    long visible = owed.visibleMs();
    long kept = Math.min(visible + FIRES_KEPT - HOUR, terms.endMs());
    return owed.value().orElseThrow().getOccurrence().toEpochMilli() <= terms.untilMs()
        && terms.consumers().routing().coversSome(owed.partition(), visible, kept, SETTLED_MS);
  }

  /** In each partition of the target. */
  private void inOrder(int partition, List<Entry<Fire>> owed, Map<String, Long> last) {
    for (Entry<Fire> fire : owed) {
      String of = partition + "|" + fire.partition() + "|" + idOf(fire.key());
      Long before = last.put(of, fire.offset());
      if (before != null && before > fire.offset() && owed.size() == 1 && forgotten(fire) == 0) {
        found(fire, fire.key(), "reached its target after a later fire");
      }
    }
  }
}

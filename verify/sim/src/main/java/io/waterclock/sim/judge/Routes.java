package io.waterclock.sim.judge;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.spec.Spec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether each fire with a target reached it once, in order, and no other fire did. */
record Routes(Facts facts, Evidence evidence, List<String> findings) {
  private static final long SETTLED_MS = 20_000;
  private static final long FIRES_KEPT = 7 * 24 * 3_600_000L;
  private static final long HOUR = 3_600_000;

  /** How long a process may be held up between a look at the target and the write. */
  private static final long HELD_UP_MS = 30_000;

  /** A fire that should reach its target. */
  private record Owed(LogRecord fire, int partition) {}

  void judge() {
    Map<String, List<Owed>> owed = new HashMap<>();
    evidence
        .fires()
        .forEach(
            (id, fires) ->
                fires.stream()
                    .filter(fire -> hasTarget(fire.value()))
                    .map(fire -> new Owed(fire.record(), evidence.home(id)))
                    .forEach(
                        its ->
                            owed.computeIfAbsent(its.fire().keyText(), any -> new ArrayList<>())
                                .add(its)));
    Map<String, List<LogRecord>> routed = new HashMap<>();
    for (int p = 0; p < facts.partitions(); p++) {
      Map<String, Long> last = new HashMap<>();
      for (LogRecord record : evidence.committed(Spec.TARGET, p)) {
        String fireKey = Evidence.header(record, HeaderNames.FIRE_KEY).orElse("");
        routed.computeIfAbsent(fireKey, any -> new ArrayList<>()).add(record);
        inOrder(fireKey, owed.getOrDefault(fireKey, List.of()), last);
      }
    }
    Map<String, List<LogRecord>> dead = new HashMap<>();
    for (int p = 0; p < facts.partitions(); p++) {
      for (LogRecord record : evidence.committed(facts.topics().dlq(), p)) {
        if (Evidence.header(record, HeaderNames.ORIGIN_TOPIC)
            .filter(facts.topics().fires()::equals)
            .isPresent()) {
          dead.computeIfAbsent(record.keyText(), any -> new ArrayList<>()).add(record);
        }
      }
    }
    owed.forEach((key, fires) -> fires.forEach(fire -> once(key, fire, routed, dead)));
    routed.keySet().stream()
        .filter(key -> !owed.containsKey(key))
        .forEach(key -> findings.add(key + ": reached a target, and no fire owes that"));
    dead.forEach(
        (key, letters) ->
            letters.forEach(
                letter -> {
                  long at = letter.appendedMs();
                  if (!owed.containsKey(key) || !gone().touches(0, at - HELD_UP_MS, at)) {
                    findings.add(key + ": is a dead letter, and its target was there");
                  }
                }));
  }

  private Health gone() {
    return facts.consumers().targetGone();
  }

  private static String idOf(String fireKey) {
    return fireKey.substring(0, Math.max(0, fireKey.indexOf('|')));
  }

  private boolean hasTarget(Fire fire) {
    return Optional.ofNullable(facts.specs().get(Integer.parseInt(Evidence.payload(fire))))
        .filter(spec -> spec.targetKey().isPresent())
        .isPresent();
  }

  private void once(
      String key,
      Owed owed,
      Map<String, List<LogRecord>> routed,
      Map<String, List<LogRecord>> dead) {
    List<LogRecord> taken = routed.getOrDefault(key, List.of());
    int times = taken.size() + dead.getOrDefault(key, List.of()).size();
    if (times > 1 + forgotten(owed)) {
      findings.add(
          "%s: was routed %s times, and %s times to its target"
              .formatted(key, times, taken.size()));
    }
    if (times == 0 && isSurelyRead(owed)) {
      findings.add(key + ": never reached its target");
    }
    for (LogRecord record : taken) {
      if (!Arrays.equals(record.value().orElse(null), owed.fire().value().orElseThrow())) {
        findings.add(key + ": reached its target with another value");
      }
      if (!record.keyText().equals(idOf(key))) {
        findings.add(key + ": reached its target under the key " + record.keyText());
      }
      if (gone().covers(0, record.appendedMs() - HELD_UP_MS, record.appendedMs())) {
        findings.add(key + ": reached a target that was gone");
      }
      if (record.appendedMs() < owed.fire().visibleMs()) {
        findings.add(key + ": reached its target before it was committed");
      }
    }
  }

  /** How often a router may take it on again, as it has lost its offsets. */
  private long forgotten(Owed owed) {
    return facts.consumers().offsetsForgottenMs().stream()
        .filter(at -> owed.fire().appendedMs() <= at)
        .count();
  }

  private boolean isSurelyRead(Owed owed) {
    long visible = owed.fire().visibleMs();
    long kept = Math.min(visible + FIRES_KEPT - HOUR, facts.endMs());
    return facts.consumers().routing().coversSome(owed.partition(), visible, kept, SETTLED_MS);
  }

  /** The key of a target is the id, so the fires of a schedule are in one partition. */
  private void inOrder(String fireKey, List<Owed> owed, Map<String, Long> last) {
    for (Owed fire : owed) {
      Long before = last.put(idOf(fireKey), fire.fire().offset());
      if (before != null && before > fire.fire().offset() && forgotten(fire) == 0) {
        findings.add(fireKey + ": reached its target after a later fire");
      }
    }
  }
}

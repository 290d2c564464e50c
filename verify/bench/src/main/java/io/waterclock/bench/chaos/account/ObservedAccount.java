package io.waterclock.bench.chaos.account;

import io.waterclock.bench.chaos.account.Emitted.Fired;
import io.waterclock.bench.chaos.account.Emitted.MissedRange;
import io.waterclock.bench.chaos.account.Finding.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/** Decides what must have fired, and compares. Pure; takes about a second for 100,000 fires. */
public final class ObservedAccount {
  private static final String MOVED = "waterclock-moved";
  private static final String STRAY = "waterclock-stray";
  private static final String FIRE_KEY = "waterclock-fire-key";

  private final History history;
  private final Terms terms;
  private final List<Finding> findings = new ArrayList<>();

  private ObservedAccount(History history, Terms terms) {
    this.history = history;
    this.terms = terms;
  }

  /**
   * @param confirmed the positions of the records that the brokers confirmed to their producer
   */
  public static Verdict judge(History history, Terms terms, Set<String> confirmed) {
    return new ObservedAccount(Readings.applied(history, terms), terms).judge(confirmed);
  }

  private Verdict judge(Set<String> confirmed) {
    judgeInput(confirmed);
    Map<String, List<Entry>> commands = grouped(history.commands().stream(), Entry::key);
    Map<String, List<Entry>> outcomes = grouped(history.outcomes().stream(), Entry::key);
    Map<String, List<Fired>> fires =
        grouped(history.fires().stream().map(Fired::parse), Fired::scheduleId);
    Map<String, List<MissedRange>> missed =
        grouped(history.missed().stream().map(MissedRange::parse), MissedRange::scheduleId);
    Set<String> named =
        Stream.concat(
                fires.values().stream().flatMap(List::stream).map(Fired::revision),
                missed.values().stream().flatMap(List::stream).map(MissedRange::revision))
            .collect(Collectors.toSet());
    Map<String, List<Entry>> written = grouped(atHome(), Entry::key);
    inPlace(written, named);
    Set<String> ids = new TreeSet<>(written.keySet());
    ids.addAll(fires.keySet());
    ids.addAll(missed.keySet());
    List<Decided> decided = new ArrayList<>();
    int revisions = 0;
    Map<String, ObservedDefinition> definitions = new HashMap<>();
    for (String id : ids) {
      List<Revision> changes = Revision.of(written.getOrDefault(id, List.of()));
      changes.forEach(
          change -> change.definition().ifPresent(its -> definitions.put(change.name(), its)));
      ScheduleAccount one =
          new ScheduleAccount(
                  new Facts(
                      id,
                      changes,
                      CommandsGiven.of(commands.getOrDefault(id, List.of())),
                      ObservedRuns.of(outcomes.getOrDefault(id, List.of())),
                      fires.getOrDefault(id, List.of()),
                      missed.getOrDefault(id, List.of())),
                  terms,
                  history.untilMs())
              .judge();
      findings.addAll(one.findings());
      decided.addAll(one.decided());
      revisions += changes.size();
    }
    judgeTargets(fires);
    judgeSchemas();
    judgeEffects(fires, definitions);
    return new Verdict(findings, ids.size(), revisions, decided);
  }

  private static <K, T> Map<K, List<T>> grouped(Stream<T> all, Function<T, K> key) {
    return all.collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * The records in the partitions of their keys. The scheduler may write a stray in other words
   * than its producer; it counts as it was produced.
   */
  private Stream<Entry> atHome() {
    Map<String, Entry> strays = new HashMap<>();
    history.schedules().stream()
        .filter(entry -> entry.partition() != home(entry.key()))
        .forEach(entry -> strays.put(entry.position(), entry));
    return history.schedules().stream()
        .filter(entry -> entry.partition() == home(entry.key()))
        .map(
            entry ->
                Optional.ofNullable(entry.headers().get(STRAY))
                    .map(strays::get)
                    .map(stray -> entry.withValue(stray.value()))
                    .orElse(entry));
  }

  /**
   * A stray that was read late took effect where it is, before a newer record at home that was
   * there already: its occurrences name its place.
   */
  private void inPlace(Map<String, List<Entry>> written, Set<String> named) {
    for (Entry stray : history.schedules()) {
      if (stray.partition() != home(stray.key()) && named.contains(stray.position())) {
        List<Entry> all = written.computeIfAbsent(stray.key(), key -> new ArrayList<>());
        int newer = 0;
        while (newer < all.size() && all.get(newer).timestampMs() < stray.timestampMs()) {
          newer++;
        }
        all.add(newer, stray);
      }
    }
  }

  private int home(String key) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8)))
        % history.partitions();
  }

  /**
   * What was confirmed is there; a stray is at home, or a newer record of its id is. At home it may
   * have an earlier timestamp, if it was ahead of the clock there.
   */
  private void judgeInput(Set<String> confirmed) {
    Set<String> found =
        Stream.of(history.schedules(), history.commands(), history.outcomes())
            .flatMap(List::stream)
            .map(Entry::position)
            .collect(Collectors.toSet());
    for (String position : confirmed) {
      if (!found.contains(position)) {
        findings.add(new Finding(Kind.INPUT, "", position, 0, "confirmed, and gone"));
      }
    }
    Map<String, Long> newestAtHome = new HashMap<>();
    Set<String> broughtHome = new HashSet<>();
    for (Entry entry : history.schedules()) {
      if (entry.partition() == home(entry.key())) {
        newestAtHome.merge(entry.key(), entry.timestampMs(), Math::max);
        Optional.ofNullable(entry.headers().get(STRAY)).ifPresent(broughtHome::add);
      }
    }
    for (Entry stray : history.schedules()) {
      if (stray.partition() != home(stray.key())
          && !stray.headers().containsKey(MOVED)
          && !broughtHome.contains(stray.position())
          && stray.timestampMs() < history.untilMs()
          && newestAtHome.getOrDefault(stray.key(), Long.MIN_VALUE) < stray.timestampMs()) {
        findings.add(
            new Finding(
                Kind.INPUT,
                stray.key(),
                stray.position(),
                stray.timestampMs(),
                "a stray that did not come home"));
      }
    }
  }

  /** A revision decides nothing before the registry has given its schema. */
  private void judgeSchemas() {
    Map<String, Integer> needed = new HashMap<>();
    history
        .schedules()
        .forEach(entry -> entry.schemaId().ifPresent(id -> needed.put(entry.position(), id)));
    Stream<Emitted> all =
        Stream.concat(
            history.fires().stream().map(Fired::parse),
            history.missed().stream().map(MissedRange::parse));
    all.forEach(
        emitted -> {
          Integer id = needed.get(emitted.revision());
          if (id != null && !history.registry().isGivenBefore(id, emitted.entry().receivedMs())) {
            findings.add(
                new Finding(
                    Kind.FOREIGN,
                    emitted.scheduleId(),
                    emitted.revision(),
                    emitted.entry().receivedMs(),
                    "decided before the registry had given schema " + id));
          }
        });
  }

  private void judgeTargets(Map<String, List<Fired>> fires) {
    Map<String, Integer> arrived = new HashMap<>();
    history
        .targets()
        .forEach(
            entry -> arrived.merge(entry.headers().getOrDefault(FIRE_KEY, ""), 1, Integer::sum));
    for (List<Fired> its : fires.values()) {
      // a backfill may emit a fire again, with its key
      grouped(its.stream().filter(fire -> fire.target().isPresent()), fire -> fire.entry().key())
          .forEach((key, same) -> judgeTarget(same, arrived.getOrDefault(key, 0)));
    }
  }

  /** A fire that has an effect has it once, although a backfill may emit it again. */
  private void judgeEffects(
      Map<String, List<Fired>> fires, Map<String, ObservedDefinition> definitions) {
    Map<String, Long> counts =
        history.effects().stream().collect(Collectors.groupingBy(id -> id, Collectors.counting()));
    grouped(fires.values().stream().flatMap(List::stream), Fired::id)
        .forEach(
            (id, same) -> {
              long count = counts.getOrDefault(id, 0L);
              boolean isMissing =
                  count == 0
                      && same.get(0).occurrenceMs() <= history.untilMs()
                      && same.stream().anyMatch(fire -> mustHaveEffect(fire, definitions));
              if (count > 1 || isMissing) {
                findings.add(
                    new Finding(
                        Kind.EFFECT,
                        same.get(0).scheduleId(),
                        same.get(0).revision(),
                        same.get(0).occurrenceMs(),
                        "the fire " + id + " had its effect " + count + " times"));
              }
            });
  }

  /** Workers that were down may leave out what came in its turn and is not replayed. */
  private static boolean mustHaveEffect(Fired fire, Map<String, ObservedDefinition> definitions) {
    return Optional.ofNullable(definitions.get(fire.revision()))
        .filter(ObservedDefinition::hasEffect)
        .filter(
            its ->
                its.catchUp() == ObservedDefinition.CatchUp.REPLAY
                    || !fire.cause().equals("SCHEDULED"))
        .isPresent();
  }

  private void judgeTarget(List<Fired> same, int count) {
    Fired fire = same.get(0);
    boolean isDue = fire.occurrenceMs() <= history.untilMs();
    if (count > same.size() || (count < same.size() && isDue)) {
      findings.add(
          new Finding(
              Kind.UNROUTED,
              fire.scheduleId(),
              fire.revision(),
              fire.occurrenceMs(),
              "was fired " + same.size() + " times, reached its target " + count + " times"));
    }
  }
}

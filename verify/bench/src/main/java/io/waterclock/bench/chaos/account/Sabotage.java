package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fault of the scheduler that is planted between the topics and the account, so that the account
 * is seen to find it.
 */
public enum Sabotage {
  /** A fire is lost. */
  DROP,
  /** A fire is there twice. */
  DOUBLE,
  /** A fire was seen a minute before it was due. */
  EARLY,
  /** A fire is of an instant that its trigger does not name. */
  SHIFT,
  /** A fire is of a revision that never was. */
  REVISION,
  /** Two fires of a schedule changed places. */
  SWAP,
  /** An occurrence that fired is missed, too. */
  MISS,
  /** A missed range has a reason that does not hold. */
  REASON,
  /** A missed range was decided before anything was older than grace. */
  HASTE,
  /** A fire does not say for how many others it stands. */
  CONCEAL,
  /** A missed range is lost. */
  FORGET,
  /** A fire did not reach its target. */
  UNROUTE,
  /** A revision fired although the registry had never given its schema. */
  GUESS,
  /** A fire had its effect in the database twice. */
  REPEAT,
  /** A fire had no effect in the database. */
  NEGLECT;

  /** Plants the fault somewhere; empty if the history has no place for it. */
  public Optional<History> plantIn(History history, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return switch (this) {
      case DROP -> inFires(history, random, (fires, n) -> fires.remove(n));
      case DOUBLE -> inFires(history, random, (fires, n) -> fires.add(n, fires.get(n)));
      case EARLY ->
          inFires(
              history,
              random,
              (fires, n) ->
                  fires.set(n, fires.get(n).receivedAt(fires.get(n).receivedMs() - 120_000)));
      case SHIFT ->
          inFires(
              history,
              random,
              (fires, n) ->
                  fires.set(
                      n,
                      edited(
                          fires.get(n),
                          tree ->
                              tree.put(
                                  "occurrence",
                                  Instant.ofEpochMilli(Trees.ms(tree, "occurrence") - 1)
                                      .toString()))));
      case REVISION ->
          inFires(
              history,
              random,
              (fires, n) ->
                  fires.set(n, edited(fires.get(n), tree -> tree.put("revision", "nowhere-0@0"))));
      case SWAP -> inFires(history, random, Sabotage::swap);
      case MISS -> missed(history, random);
      case REASON ->
          inMissed(
              history,
              random,
              (missed, n) ->
                  missed.set(
                      n, edited(missed.get(n), tree -> tree.put("reason", "OUT_OF_WINDOW"))));
      case HASTE ->
          at(indices(history.missed(), entry -> canBeHasty(entry, history)), random)
              .map(n -> history.withMissed(missed -> with(missed, n, Sabotage::hastened)));
      case CONCEAL ->
          at(
                  indices(
                      history.fires(), entry -> Emitted.Fired.parse(entry).collapsed().isPresent()),
                  random)
              .map(n -> history.withFires(fires -> with(fires, n, Sabotage::concealed)));
      case FORGET -> inMissed(history, random, (missed, n) -> missed.remove(n));
      case UNROUTE ->
          history.targets().isEmpty()
              ? Optional.empty()
              : Optional.of(
                  history.withTargets(
                      targets -> {
                        List<Entry> changed = new ArrayList<>(targets);
                        changed.remove(targets.size() / 2);
                        return changed;
                      }));
      case GUESS -> guessed(history);
      case REPEAT -> inEffects(history, random, (effects, id) -> effects.add(id));
      case NEGLECT -> inEffects(history, random, (effects, id) -> effects.remove(id));
    };
  }

  /** At a fire that must have an effect, as no worker leaves a caught-up one out. */
  private static Optional<History> inEffects(
      History history, SplittableRandom random, BiConsumer<List<String>, String> change) {
    List<String> ids =
        history.fires().stream()
            .map(Emitted.Fired::parse)
            .filter(fire -> fire.cause().equals("CATCH_UP"))
            .map(Emitted.Fired::id)
            .toList();
    return at(ids, random)
        .map(
            id -> {
              List<String> changed = new ArrayList<>(history.effects());
              change.accept(changed, id);
              return history.withEffects(changed);
            });
  }

  private static Optional<History> guessed(History history) {
    Set<String> fired =
        history.fires().stream()
            .map(entry -> Emitted.Fired.parse(entry).revision())
            .collect(Collectors.toSet());
    return history.schedules().stream()
        .filter(entry -> fired.contains(entry.position()))
        .flatMap(entry -> entry.schemaId().stream())
        .findFirst()
        .map(
            id -> {
              Map<Integer, RegistryLog.Answer> others = new HashMap<>(history.registry().answers());
              others.remove(id);
              return history.withRegistry(new RegistryLog(others, history.registry().outages()));
            });
  }

  /** Changes a list at a place. */
  @FunctionalInterface
  private interface Change {
    void at(List<Entry> entries, int n);
  }

  /** In the middle of the run, at a fire that no command ordered. */
  private static Optional<History> inFires(
      History history, SplittableRandom random, Change change) {
    List<Integer> places = new ArrayList<>();
    for (int n = 0; n < history.fires().size(); n++) {
      Emitted.Fired fire = Emitted.Fired.parse(history.fires().get(n));
      if (fire.isScheduled() && isInTheMiddle(history, fire)) {
        places.add(n);
      }
    }
    return at(places, random)
        .map(
            n ->
                history.withFires(
                    fires -> {
                      List<Entry> changed = new ArrayList<>(fires);
                      change.at(changed, n);
                      return changed;
                    }));
  }

  /** Whether the schedule fires before and after it, so that no cut can explain its absence. */
  private static boolean isInTheMiddle(History history, Emitted.Fired fire) {
    List<Emitted.Fired> its =
        history.fires().stream()
            .filter(entry -> entry.key().startsWith(fire.scheduleId() + "|"))
            .map(Emitted.Fired::parse)
            .filter(Emitted.Fired::isScheduled)
            .filter(other -> other.revision().equals(fire.revision()))
            .toList();
    return its.stream().anyMatch(other -> other.occurrenceMs() < fire.occurrenceMs())
        && its.stream()
            .anyMatch(
                other ->
                    other.occurrenceMs() > fire.occurrenceMs()
                        && other.entry().offset() > fire.entry().offset());
  }

  private static Optional<History> inMissed(
      History history, SplittableRandom random, Change change) {
    List<Integer> places = new ArrayList<>();
    for (int n = 0; n < history.missed().size(); n++) {
      String reason = Emitted.MissedRange.parse(history.missed().get(n)).reason();
      if (reason.equals("COLLAPSED_INTO") || reason.equals("GRACE") || reason.equals("PAUSED")) {
        places.add(n);
      }
    }
    return at(places, random)
        .map(
            n ->
                history.withMissed(
                    missed -> {
                      List<Entry> changed = new ArrayList<>(missed);
                      change.at(changed, n);
                      return changed;
                    }));
  }

  /** Of ranges that collapse into one fire, the first alone must be old. */
  private static boolean canBeHasty(Entry entry, History history) {
    Emitted.MissedRange range = Emitted.MissedRange.parse(entry);
    return switch (range.reason()) {
      case "GRACE", "OUT_OF_WINDOW" -> true;
      case "COLLAPSED_INTO" ->
          history.missed().stream()
              .map(Emitted.MissedRange::parse)
              .filter(other -> other.scheduleId().equals(range.scheduleId()))
              .filter(other -> other.collapsedIntoMs().equals(range.collapsedIntoMs()))
              .allMatch(other -> other.firstMs() >= range.firstMs());
      default -> false;
    };
  }

  private static ObjectNode hastened(ObjectNode range) {
    return range.put("decided_at", range.get("first").asText());
  }

  private static ObjectNode concealed(ObjectNode fire) {
    fire.remove("collapsed");
    return fire;
  }

  private static List<Integer> indices(List<Entry> entries, Predicate<Entry> which) {
    return IntStream.range(0, entries.size())
        .filter(n -> which.test(entries.get(n)))
        .boxed()
        .toList();
  }

  private static List<Entry> with(List<Entry> entries, int n, UnaryOperator<ObjectNode> change) {
    List<Entry> changed = new ArrayList<>(entries);
    changed.set(n, edited(entries.get(n), change));
    return changed;
  }

  private static <T> Optional<T> at(List<T> places, SplittableRandom random) {
    return places.isEmpty()
        ? Optional.empty()
        : Optional.of(places.get(random.nextInt(places.size())));
  }

  private static void swap(List<Entry> fires, int n) {
    Emitted.Fired one = Emitted.Fired.parse(fires.get(n));
    for (int m = n + 1; m < fires.size(); m++) {
      Emitted.Fired other = Emitted.Fired.parse(fires.get(m));
      if (other.scheduleId().equals(one.scheduleId()) && other.isScheduled()) {
        Entry first = fires.get(n);
        fires.set(n, fires.get(m));
        fires.set(m, first);
        return;
      }
    }
  }

  private static Optional<History> missed(History history, SplittableRandom random) {
    return history.fires().isEmpty()
        ? Optional.empty()
        : Optional.of(
            history.withMissed(
                missed -> {
                  Entry entry = history.fires().get(random.nextInt(history.fires().size()));
                  Emitted.Fired fire = Emitted.Fired.parse(entry);
                  String at = Instant.ofEpochMilli(fire.occurrenceMs()).toString();
                  ObjectNode tree = Trees.object("{}");
                  tree.put("schedule_id", fire.scheduleId());
                  tree.put("revision", fire.revision());
                  tree.put("first", at);
                  tree.put("last", at);
                  tree.put("count", 1);
                  tree.put("reason", "GRACE");
                  tree.put("decided_at", Instant.ofEpochMilli(fire.decidedMs()).toString());
                  List<Entry> changed = new ArrayList<>(missed);
                  changed.add(entry.withValue(Optional.of(tree.toString())));
                  return changed;
                }));
  }

  private static Entry edited(Entry entry, UnaryOperator<ObjectNode> change) {
    return entry.withValue(
        Optional.of(change.apply(Trees.object(entry.value().orElseThrow())).toString()));
  }
}

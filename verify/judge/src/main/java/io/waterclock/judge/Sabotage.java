package io.waterclock.judge;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A fault of the scheduler that is planted between the topics and the judge, so that the judge is
 * seen to find it.
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
  /** A revision says that it took effect a minute earlier. */
  BACKDATE,
  /** A fire did not reach its target. */
  UNROUTE,
  /** A revision fired although the registry had never given its schema. */
  GUESS,
  /** A fire had its effect in the database twice. */
  REPEAT,
  /** A fire had no effect in the database. */
  NEGLECT,
  /** An alert that something is overdue is lost. */
  MUTE,
  /** An alert that something is overdue is there twice. */
  REMIND;

  private static final Set<MissedReason> ORDINARY =
      Set.of(MissedReason.COLLAPSED_INTO, MissedReason.GRACE, MissedReason.PAUSED);

  /** Plants the fault somewhere; empty if the history has no place for it. */
  public Optional<History> plantIn(History history, long seed) {
    History copy = history.copy();
    SplittableRandom random = new SplittableRandom(seed);
    return isPlanted(copy, random) ? Optional.of(copy) : Optional.empty();
  }

  private boolean isPlanted(History history, SplittableRandom random) {
    List<Entry<Fire>> fires = history.fires();
    List<Entry<Missed>> missed = history.missed();
    Predicate<Fire> inTheMiddle = fire -> isInTheMiddle(history, fire);
    Predicate<Missed> ordinary = range -> ORDINARY.contains(range.getReason());
    return switch (this) {
      case DROP -> at(fires, inTheMiddle, random, n -> fires.remove(n.intValue()));
      case DOUBLE -> at(fires, inTheMiddle, random, n -> fires.add(n, fires.get(n)));
      case EARLY ->
          at(
              fires,
              inTheMiddle,
              random,
              n -> fires.set(n, fires.get(n).at(fires.get(n).appendedMs(), seenMs(fires.get(n)))));
      case SHIFT ->
          at(
              fires,
              inTheMiddle,
              random,
              n -> edit(fires, n, it -> it.setOccurrence(it.getOccurrence().minusMillis(1))));
      case REVISION ->
          at(fires, inTheMiddle, random, n -> edit(fires, n, it -> it.setRevision("nowhere-0@0")));
      case SWAP -> at(fires, inTheMiddle, random, n -> swap(fires, n));
      case MISS -> at(fires, inTheMiddle, random, n -> missed.add(missed(fires.get(n))));
      case REASON ->
          at(
              missed,
              ordinary,
              random,
              n -> editRange(missed, n, it -> it.setReason(MissedReason.OUT_OF_WINDOW)));
      case HASTE ->
          at(
              missed,
              range -> canBeHasty(range, missed),
              random,
              n -> editRange(missed, n, it -> it.setDecidedAt(it.getFirst())));
      case CONCEAL ->
          at(
              fires,
              fire -> fire.getCollapsed() != null,
              random,
              n -> edit(fires, n, it -> it.setCollapsed(null)));
      case FORGET -> at(missed, ordinary, random, n -> missed.remove(n.intValue()));
      case BACKDATE ->
          at(
              history.revisions(),
              said -> said.getEndedAt() == null,
              random,
              n -> backdate(history.revisions(), n));
      case UNROUTE ->
          at(history.targets(), any -> true, random, n -> history.targets().remove(n.intValue()));
      case GUESS -> isGuessed(history);
      case REPEAT ->
          at(fires, Sabotage::hasEffect, random, n -> effects(history).add(id(fires, n)));
      case NEGLECT ->
          at(fires, Sabotage::hasEffect, random, n -> effects(history).remove(id(fires, n)));
      case MUTE ->
          at(
              history.alerts(),
              alert -> hasRecovered(history, alert),
              random,
              n -> history.alerts().remove(n.intValue()));
      case REMIND ->
          at(
              history.alerts(),
              alert -> alert.getKind() == AlertKind.OVERDUE,
              random,
              n -> history.alerts().add(n, history.alerts().get(n)));
    };
  }

  /** At a record that fits, if there is one. */
  private static <T> boolean at(
      List<Entry<T>> entries,
      Predicate<T> which,
      SplittableRandom random,
      Consumer<Integer> change) {
    List<Integer> places =
        IntStream.range(0, entries.size())
            .filter(n -> entries.get(n).value().filter(which).isPresent())
            .boxed()
            .toList();
    if (!places.isEmpty()) {
      change.accept(places.get(random.nextInt(places.size())));
    }
    return !places.isEmpty();
  }

  private static long seenMs(Entry<Fire> fire) {
    return fire.value().orElseThrow().getDue().toEpochMilli() - 60_000;
  }

  /** At a fire that must have an effect, as no worker leaves a caught-up one out. */
  private static boolean hasEffect(Fire fire) {
    return fire.getCause() == Cause.CATCH_UP;
  }

  private static boolean hasRecovered(History history, Alert overdue) {
    return overdue.getKind() == AlertKind.OVERDUE
        && history.alerts().stream()
            .map(entry -> entry.value().orElseThrow())
            .anyMatch(
                alert ->
                    alert.getKind() == AlertKind.RECOVERED
                        && alert.getScheduleId().equals(overdue.getScheduleId())
                        && alert.getExpectation() == overdue.getExpectation()
                        && alert.getOccurrence().equals(overdue.getOccurrence()));
  }

  private static List<String> effects(History history) {
    return history.effects().orElseThrow();
  }

  private static String id(List<Entry<Fire>> fires, int n) {
    return fires.get(n).value().orElseThrow().getFireId();
  }

  private static boolean isGuessed(History history) {
    return history.fires().stream()
        .map(entry -> entry.value().orElseThrow().getRevision())
        .flatMap(
            revision ->
                history.schedules().stream().filter(entry -> entry.place().equals(revision)))
        .flatMap(entry -> entry.header(Entry.SCHEMA).stream())
        .findFirst()
        .map(id -> history.registry().answers().remove(Integer.valueOf(id)))
        .isPresent();
  }

  /** Whether the schedule fires before and after it, by the same revision. */
  private static boolean isInTheMiddle(History history, Fire fire) {
    List<Fire> its =
        history.fires().stream()
            .map(entry -> entry.value().orElseThrow())
            .filter(other -> other.getScheduleId().equals(fire.getScheduleId()))
            .filter(DecidedOccurrence::isOfTheTrigger)
            .filter(other -> other.getRevision().equals(fire.getRevision()))
            .toList();
    return DecidedOccurrence.isOfTheTrigger(fire)
        && its.stream().anyMatch(other -> other.getOccurrence().isBefore(fire.getOccurrence()))
        && its.stream().anyMatch(other -> other.getOccurrence().isAfter(fire.getOccurrence()));
  }

  /** Of ranges that collapse into one fire, the first alone must be old. */
  private static boolean canBeHasty(Missed range, List<Entry<Missed>> missed) {
    return switch (range.getReason()) {
      case GRACE, OUT_OF_WINDOW -> true;
      case COLLAPSED_INTO ->
          missed.stream()
              .map(entry -> entry.value().orElseThrow())
              .filter(other -> other.getScheduleId().equals(range.getScheduleId()))
              .filter(other -> Objects.equals(other.getCollapsedInto(), range.getCollapsedInto()))
              .noneMatch(other -> other.getFirst().isBefore(range.getFirst()));
      default -> false;
    };
  }

  private static void edit(List<Entry<Fire>> fires, int n, Consumer<Fire> change) {
    Fire copy = Fire.newBuilder(fires.get(n).value().orElseThrow()).build();
    change.accept(copy);
    fires.set(n, fires.get(n).with(Optional.of(copy)));
  }

  private static void editRange(List<Entry<Missed>> missed, int n, Consumer<Missed> change) {
    Missed copy = Missed.newBuilder(missed.get(n).value().orElseThrow()).build();
    change.accept(copy);
    missed.set(n, missed.get(n).with(Optional.of(copy)));
  }

  private static void backdate(List<Entry<Revision>> revisions, int n) {
    Revision copy = Revision.newBuilder(revisions.get(n).value().orElseThrow()).build();
    copy.setEffectiveAt(copy.getEffectiveAt().minusSeconds(60));
    revisions.set(n, revisions.get(n).with(Optional.of(copy)));
  }

  private static void swap(List<Entry<Fire>> fires, int n) {
    Entry<Fire> one = fires.get(n);
    Fire fire = one.value().orElseThrow();
    for (int m = n + 1; m < fires.size(); m++) {
      Entry<Fire> other = fires.get(m);
      if (other.value().orElseThrow().getRevision().equals(fire.getRevision())
          && other.partition() == one.partition()
          && DecidedOccurrence.isOfTheTrigger(other.value().get())) {
        fires.set(n, other.inPlaceOf(one));
        fires.set(m, one.inPlaceOf(other));
        return;
      }
    }
  }

  private static Entry<Missed> missed(Entry<Fire> entry) {
    Fire fire = entry.value().orElseThrow();
    return entry.with(
        Optional.of(
            Missed.newBuilder()
                .setScheduleId(fire.getScheduleId())
                .setRevision(fire.getRevision())
                .setFirst(fire.getOccurrence())
                .setLast(fire.getOccurrence())
                .setCount(1)
                .setReason(MissedReason.GRACE)
                .setDecidedAt(fire.getFiredAt())
                .build()));
  }
}

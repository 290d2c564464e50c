package io.waterclock.judge;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether records are where they belong, and none is gone: what was confirmed, fires, strays and
 * their origins.
 */
record RecordPlaces(Terms terms, Evidence evidence, List<Finding> findings) {
  private static final long SETTLED_MS = 60_000;
  private static final long REPORTS_KEPT_MS = Evidence.MIN_COMPACTION_LAG - 3_600_000;

  void judge() {
    History history = evidence.history;
    confirmed(history);
    boolean hasGrown =
        history.fires().stream().anyMatch(fire -> fire.partition() >= history.partitions());
    for (Entry<Fire> fire : history.fires()) {
      String id = fire.value().orElseThrow().getScheduleId();
      if (!hasGrown && evidence.home(id) != fire.partition()) {
        found(fire, id, "fired in partition " + fire.partition());
      }
    }
    strays(history);
    reports(history);
    carriers(history);
  }

  private void found(Entry<?> entry, String id, String detail) {
    findings.add(new Finding(Finding.Kind.INPUT, id, entry.timestampMs(), detail));
  }

  private boolean isStray(Entry<?> entry) {
    return evidence.home(entry.key()) != entry.partition();
  }

  private boolean isSettled(Entry<?> entry) {
    return entry.appendedMs() < terms.endMs() - SETTLED_MS;
  }

  private void confirmed(History history) {
    Set<String> missing = new HashSet<>(history.confirmed());
    Stream.of(history.schedules(), history.commands(), history.reports())
        .flatMap(List::stream)
        .forEach(entry -> missing.remove(entry.place()));
    missing.forEach(
        place ->
            findings.add(
                new Finding(Finding.Kind.INPUT, "", 0, place + " was confirmed, and is gone")));
  }

  private void strays(History history) {
    Map<String, Entry<String>> last = new HashMap<>();
    for (Entry<String> stray : history.schedules()) {
      if (!isStray(stray)) {
        continue;
      }
      last.put(stray.partition() + stray.key(), stray);
      boolean isOurs =
          stray.header(Entry.MOVED).isPresent() || stray.header(Entry.ORIGIN).isPresent();
      if (!isOurs && isSettled(stray)) {
        cameHome(stray);
      }
    }
    last.values().stream()
        .filter(stray -> stray.value().isPresent() && isSettled(stray))
        .forEach(stray -> found(stray, stray.key(), stray.place() + ", a stray, is still there"));
  }

  private void cameHome(Entry<String> stray) {
    List<Entry<String>> written = evidence.written(stray.key());
    List<Entry<String>> moved = copies(written, stray);
    if (moved.size() > 1) {
      found(stray, stray.key(), stray.place() + " came home " + moved.size() + " times");
    }
    boolean isOfAnotherTime =
        moved.stream().anyMatch(copy -> copy.stampedMs() != stray.timestampMs());
    if (isOfAnotherTime && terms.aheadMs() == 0) {
      found(stray, stray.key(), stray.place() + " came home with another time");
    }
    boolean isNewest =
        written.stream().allMatch(record -> record.timestampMs() < stray.timestampMs());
    boolean isKept =
        terms
            .reading()
            .coversSome(
                evidence.home(stray.key()),
                stray.appendedMs(),
                stray.appendedMs() + Evidence.MIN_COMPACTION_LAG,
                SETTLED_MS);
    boolean isOwed =
        stray.value().isPresent()
            || (!written.isEmpty() && written.get(written.size() - 1).value().isPresent());
    if (moved.isEmpty() && isNewest && isOwed && isKept) {
      found(stray, stray.key(), stray.place() + " never came home");
    }
  }

  private static <T> List<Entry<T>> copies(List<Entry<T>> all, Entry<?> stray) {
    return all.stream()
        .filter(it -> it.header(Entry.STRAY).filter(stray.place()::equals).isPresent())
        .toList();
  }

  /** A report in another partition is copied to the partition of its schedule, once. */
  private void reports(History history) {
    Map<String, List<Entry<Outcome>>> copies = new HashMap<>();
    for (Entry<Outcome> report : history.reports()) {
      report
          .header(Entry.STRAY)
          .filter(place -> !isStray(report))
          .ifPresent(
              place ->
                  copies.merge(
                      place,
                      List.of(report),
                      (a, b) -> Stream.concat(a.stream(), b.stream()).toList()));
    }
    for (Entry<Outcome> report : history.reports()) {
      if (!isStray(report)) {
        continue;
      }
      List<Entry<Outcome>> its = copies.getOrDefault(report.place(), List.of());
      boolean isSurelyRead =
          isSettled(report)
              && terms
                  .reading()
                  .coversSome(
                      report.partition(),
                      report.appendedMs(),
                      report.appendedMs() + REPORTS_KEPT_MS,
                      terms.patience().committedMs());
      if (its.size() > 1 || (its.isEmpty() && isSurelyRead)) {
        found(report, report.key(), report.place() + " came home " + its.size() + " times");
      }
      if (its.stream().anyMatch(it -> it.timestampMs() != report.timestampMs())) {
        found(report, report.key(), report.place() + " came home with another time");
      }
    }
  }

  /** What is on its way arrives, and is removed then. */
  private void carriers(History history) {
    Map<String, Entry<byte[]>> last = new HashMap<>();
    history.carriers().forEach(entry -> last.put(entry.partition() + entry.key(), entry));
    last.values().stream()
        .filter(entry -> entry.value().isPresent() && isSettled(entry))
        .forEach(entry -> found(entry, entry.key(), "is still on its way"));
  }
}

package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import io.waterclock.judge.Finding;
import io.waterclock.judge.Health;
import io.waterclock.judge.limits.JudgedLimit.Limit;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Judges what became of fires that waited for limits, by our own arithmetic: each starts once or is
 * missed, never more run or start than their limit allows, and none waits while there is room. What
 * depends on their runs, {@link LimitedRuns} judges.
 *
 * <p>A fire runs from its record in the topic fires until a report of its end, for its time-out at
 * most. What may be read late counts in favour of the limiter.
 */
public final class LimitJudge {
  private static final String GROUP = "waterclock-limit";
  private static final String NOTE = "waterclock-waiting";

  /** Within which an end that a worker reports has come to the limiter. */
  private static final long END_MS = 15_000;

  /** A fire that waits for longer while there is room has been forgotten. */
  private static final long PATIENCE_MS = 10_000;

  /** After which a limiter that has begun lets fires start at the latest. */
  private static final long GATE_MS = 30_000;

  private final LimitHistory history;
  private final Health limiting;
  private final Health reading;
  private final long readMs;
  private final long endMs;
  private final Map<String, JudgedLimit> limits = new HashMap<>();
  private final Map<String, List<Waited>> byKey = new TreeMap<>();
  private final Map<String, List<Waited>> byGroup = new TreeMap<>();
  private final Map<String, List<Entry<Outcome>>> reports = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  /** A fire of a group: the last one if it moved. */
  private static final class Waited {
    final String key;
    final long timeoutMs;
    Entry<byte[]> arrival;
    long startMs = Long.MAX_VALUE;
    long goneMs = Long.MAX_VALUE;
    boolean isFree;

    /** When nothing would show that it does not wait any more: a command's fire is not missed. */
    final long expiresUnseenMs;

    Waited(Entry<byte[]> arrival, String[] note) {
      this.key = arrival.key();
      this.arrival = arrival;
      this.timeoutMs = Long.parseLong(note[4]);
      boolean isSeen = note[3].equals("-") || !isOrdered();
      this.expiresUnseenMs = isSeen ? Long.MAX_VALUE : Long.parseLong(note[3]);
    }

    boolean isOrdered() {
      return key.indexOf('|') != key.lastIndexOf('|');
    }

    String group() {
      return arrival.header(GROUP).orElseThrow();
    }

    boolean hasStarted() {
      return startMs < Long.MAX_VALUE;
    }
  }

  private LimitJudge(
      LimitHistory history, Health limiting, Health reading, long readMs, long endMs) {
    this.history = history;
    this.limiting = limiting;
    this.reading = reading;
    this.readMs = readMs;
    this.endMs = endMs;
  }

  /**
   * @param limiting when the limiter of each partition did its work
   * @param reading when a scheduler read each partition
   * @param readMs within which a limiter has read a record, and has done what it says
   */
  public static List<Finding> judge(
      LimitHistory history, Health limiting, Health reading, long readMs, long endMs) {
    return new LimitJudge(history, limiting, reading, readMs, endMs).judge();
  }

  private List<Finding> judge() {
    history
        .limits()
        .forEach(entry -> limits.computeIfAbsent(entry.key(), it -> new JudgedLimit()).add(entry));
    for (Entry<Outcome> entry : history.reports()) {
      add(reports, entry.value().orElseThrow().getFireKey(), entry);
    }
    arrive();
    history.fires().stream()
        .sorted(Comparator.comparingLong(Entry::appendedMs))
        .forEach(this::start);
    history.missed().forEach(this::miss);
    byKey.values().forEach(all -> all.forEach(one -> add(byGroup, one.group(), one)));
    withdrawn();
    byGroup.forEach(
        (group, all) -> {
          List<Waited> started = all.stream().filter(Waited::hasStarted).toList();
          List<Waited> limited = started.stream().filter(one -> !one.isFree).toList();
          limited.forEach(one -> mayStart(group, one, limited));
          noRoomIsLost(group, all, started);
        });
    findings.addAll(new LimitedRuns(history, reading, endMs).judge());
    return findings;
  }

  private static <T> void add(Map<String, List<T>> to, String key, T what) {
    to.computeIfAbsent(key, it -> new ArrayList<>()).add(what);
  }

  private static String note(Entry<byte[]> entry) {
    return entry.header(NOTE).orElse("");
  }

  private void arrive() {
    for (Entry<byte[]> entry : history.waiting()) {
      String[] words = note(entry).split(" ");
      if (words[0].equals("fire") && words[6].equals("-")) {
        add(byKey, entry.key(), new Waited(entry, words));
      }
    }
    history.waiting().stream()
        .filter(entry -> note(entry).startsWith("fire ") && !note(entry).endsWith(" -"))
        .sorted(Comparator.comparingLong(Entry::appendedMs))
        .forEach(
            moved -> {
              List<Waited> known = byKey.getOrDefault(moved.key(), List.of());
              if (known.isEmpty()) {
                found(Finding.Kind.FOREIGN, moved.key(), moved.appendedMs(), "moved from nowhere");
              } else {
                known.get(known.size() - 1).arrival = moved;
              }
            });
  }

  private void start(Entry<Fire> entry) {
    Optional<Waited> found =
        byKey.getOrDefault(entry.key(), List.of()).stream()
            .filter(one -> !one.hasStarted())
            .findFirst();
    if (found.isEmpty()) {
      found(
          byKey.containsKey(entry.key()) ? Finding.Kind.DOUBLED : Finding.Kind.FOREIGN,
          entry.key(),
          entry.timestampMs(),
          "started at %s, and had not waited".formatted(Instant.ofEpochMilli(entry.timestampMs())));
      return;
    }
    Waited waited = found.get();
    waited.startMs = entry.timestampMs();
    waited.goneMs = entry.appendedMs();
    waited.isFree = hasNote(waited, "moved -", entry.appendedMs());
  }

  /** A note of its schedule in its group, from after its arrival. */
  private boolean hasNote(Waited waited, String note, long untilMs) {
    return history.waiting().stream()
        .anyMatch(
            entry ->
                note(entry).startsWith(note)
                    && entry.key().equals(LimitHistory.schedule(waited.key))
                    && entry.header(GROUP).orElse("").equals(waited.group())
                    && entry.offset() > waited.arrival.offset()
                    && entry.appendedMs() <= untilMs);
  }

  /** Only those that the limiter writes: of one occurrence that had come to wait. */
  private void miss(Entry<Missed> entry) {
    Missed missed = entry.value().orElseThrow();
    List<Waited> all = byKey.getOrDefault(missed.getScheduleId() + "|" + text(missed), List.of());
    if (missed.getCount() == 1) {
      all.stream()
          .filter(
              one -> one.goneMs == Long.MAX_VALUE && one.arrival.appendedMs() <= entry.appendedMs())
          .findFirst()
          .ifPresent(one -> one.goneMs = entry.appendedMs());
    }
  }

  private static String text(Missed missed) {
    String seconds = missed.getFirst().toString();
    return seconds.length() == 20 ? seconds.replace("Z", ".000Z") : seconds;
  }

  /** What is withdrawn does not start, and is missed, soon. */
  private void withdrawn() {
    for (Entry<byte[]> entry : history.waiting()) {
      if (!note(entry).startsWith("withdrawn ")) {
        continue;
      }
      for (Waited one : byGroup.getOrDefault(entry.header(GROUP).orElse(""), List.of())) {
        boolean isMeant =
            LimitHistory.schedule(one.key).equals(entry.key())
                && one.arrival.offset() < entry.offset();
        long soonMs = entry.visibleMs() + readMs;
        boolean works = limiting.covers(entry.partition(), entry.visibleMs(), soonMs);
        if (isMeant && one.hasStarted() && one.startMs > soonMs) {
          found(Finding.Kind.FORBIDDEN, one.key, one.startMs, "started, and was withdrawn before");
        } else if (isMeant && works && one.goneMs > soonMs && one.goneMs > endMs - 1) {
          if (!one.isOrdered() && soonMs < endMs) {
            found(Finding.Kind.LOST, one.key, soonMs, "was withdrawn, and is not missed");
          }
          one.goneMs = entry.visibleMs();
        }
      }
    }
  }

  private void mayStart(String group, Waited one, List<Waited> started) {
    long ms = one.startMs;
    List<Limit> possible = limits(group, ms - readMs, ms);
    if (possible.stream().allMatch(limit -> limit.isShut(ms))) {
      found(Finding.Kind.LIMITED, one.key, ms, "started, and " + group + " was paused or closed");
    }
    OptionalInt mostRunning = most(possible, Limit::running);
    long running =
        started.stream()
            .filter(other -> other != one && other.startMs <= ms && isBefore(other, one))
            .filter(other -> isSurelyCounted(group, other, Limit::running))
            .filter(other -> surelyRunsAt(other, ms))
            .map(other -> other.key)
            .distinct()
            .count();
    if (mostRunning.isPresent() && running >= mostRunning.getAsInt()) {
      found(
          Finding.Kind.LIMITED,
          one.key,
          ms,
          "started while %d of %s ran, and %d may"
              .formatted(running, group, mostRunning.getAsInt()));
    }
    OptionalInt mostStarts = most(possible, Limit::rate);
    long starts =
        started.stream()
            .filter(other -> other.startMs > ms - 1_000 && other.startMs <= ms)
            .filter(other -> isSurelyCounted(group, other, Limit::rate))
            .count();
    if (mostStarts.isPresent() && starts > mostStarts.getAsInt()) {
      found(
          Finding.Kind.LIMITED,
          one.key,
          ms,
          "is one of %d of %s in a second, and %d may start"
              .formatted(starts, group, mostStarts.getAsInt()));
    }
  }

  private static boolean isBefore(Waited other, Waited one) {
    return other.startMs < one.startMs || other.key.compareTo(one.key) < 0;
  }

  private List<Limit> limits(String group, long fromMs, long toMs) {
    JudgedLimit known = limits.get(group);
    return known == null ? List.of(Limit.NONE) : known.between(fromMs, toMs);
  }

  /** The most that one of them allows; empty if one allows any number. */
  private static OptionalInt most(List<Limit> of, Function<Limit, OptionalInt> bound) {
    return of.stream().allMatch(limit -> bound.apply(limit).isPresent())
        ? of.stream().mapToInt(limit -> bound.apply(limit).orElseThrow()).max()
        : OptionalInt.empty();
  }

  private boolean isSurelyCounted(String group, Waited one, Function<Limit, OptionalInt> bound) {
    return most(limits(group, one.startMs - readMs, one.startMs), bound).isPresent();
  }

  /** Whether no report and no time-out says that it has ended. */
  private boolean surelyRunsAt(Waited one, long ms) {
    return ms < one.startMs + one.timeoutMs
        && reports.getOrDefault(one.key, List.of()).stream()
            .noneMatch(report -> !isStart(report) && report.appendedMs() <= ms);
  }

  private static boolean isStart(Entry<Outcome> report) {
    return report.value().orElseThrow().getState() == OutcomeState.STARTED;
  }

  /** By when it has surely ended, and the limiter knows. */
  private long surelyEndedMs(Waited one) {
    long until = one.startMs;
    long reported = Long.MAX_VALUE;
    int home = history.home(LimitHistory.schedule(one.key));
    for (Entry<Outcome> report : reports.getOrDefault(one.key, List.of())) {
      if (isStart(report)) {
        until = Math.max(until, report.appendedMs());
      } else if (report.partition() == home) {
        reported =
            Math.min(
                reported,
                reading.coveredFrom(home, report.visibleMs(), END_MS).orElse(Long.MAX_VALUE));
      }
    }
    return Math.min(until + one.timeoutMs, reported);
  }

  /** Nothing waits for long while there is surely room. */
  private void noRoomIsLost(String group, List<Waited> all, List<Waited> started) {
    TreeSet<Long> changes = new TreeSet<>();
    changes.add(endMs);
    for (Waited one : all) {
      changes.add(one.arrival.visibleMs());
      changes.add(Math.min(Math.min(one.goneMs, one.expiresUnseenMs), endMs));
    }
    for (Waited one : started) {
      changes.add(one.startMs - 1_100);
      changes.add(one.startMs + 1_100);
      changes.add(surelyEndedMs(one));
    }
    JudgedLimit known = limits.get(group);
    if (known != null) {
      known.changes().forEach(ms -> changes.add(ms + readMs));
      changes.addAll(known.changes());
      changes.addAll(known.edges(changes.first(), endMs));
    }
    long since = Long.MAX_VALUE;
    long from = endMs;
    for (long to : changes.headSet(endMs, true)) {
      if (from < to && hasRoom(group, all, started, from, to)) {
        since = Math.min(since, from);
        long working = worksSince(history.home(group), since, to);
        if (to - working > PATIENCE_MS) {
          found(
              Finding.Kind.LIMITED,
              group,
              working,
              "had room until %s, and something waited".formatted(Instant.ofEpochMilli(to)));
          return;
        }
      } else {
        since = Long.MAX_VALUE;
      }
      from = to;
    }
  }

  /** Since when the limiter could start what has room; after the second instant if it could not. */
  private long worksSince(int partition, long sinceMs, long toMs) {
    long began = limiting.began(partition, toMs, 0).orElse(toMs);
    return began <= sinceMs ? sinceMs : began + GATE_MS;
  }

  private boolean hasRoom(
      String group, List<Waited> all, List<Waited> started, long fromMs, long toMs) {
    List<Limit> possible = limits(group, fromMs - readMs, toMs);
    boolean isWaiting =
        all.stream()
            .filter(one -> one.arrival.visibleMs() <= fromMs)
            .anyMatch(one -> Math.min(one.goneMs, one.expiresUnseenMs) >= toMs);
    if (!isWaiting || possible.stream().anyMatch(limit -> limit.isShut(fromMs))) {
      return false;
    }
    long running =
        started.stream()
            .filter(one -> one.startMs - 1_100 < toMs && surelyEndedMs(one) > fromMs)
            .count();
    long starts =
        started.stream()
            .filter(one -> one.startMs + 1_100 > fromMs && one.startMs - 1_100 < toMs)
            .count();
    return possible.stream()
        .allMatch(
            limit ->
                limit.running().orElse(Integer.MAX_VALUE) > running
                    && limit.rate().orElse(Integer.MAX_VALUE) > starts);
  }

  private void found(Finding.Kind kind, String key, long ms, String detail) {
    findings.add(new Finding(kind, Objects.requireNonNull(key), ms, detail));
  }
}

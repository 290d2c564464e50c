package io.waterclock.judge.later;

import io.waterclock.judge.Entry;
import io.waterclock.judge.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The records that clients sent to be delivered later, and whether each arrived once, and none of
 * those that were cancelled or moved before. Thread-safe.
 */
public final class DelayedRecords {
  /** What a process may have been held up at most, with all that it has to catch up. */
  private static final long SETTLED_MS = 60_000;

  /** A process that stalls may decide what is due so soon after a delete: docs/adr/0003. */
  private static final long HELD_UP_MS = 6_000;

  private final List<Sent> sent = new ArrayList<>();

  /** Until when a record may arrive, inclusive; for those that may not. */
  private final Map<String, Long> stopped = new HashMap<>();

  /** Records with the names of earlier ones, by the values of both. */
  private final Map<String, String> moved = new HashMap<>();

  /**
   * A record.
   *
   * @param value unique
   * @param order ascends in the order of sending
   * @param line records of one line and one instant arrive in the order of sending
   */
  public record Sent(String key, String value, long dueMs, long order, String line) {
    @Override
    public String toString() {
      return key + "=" + value + " until " + Instant.ofEpochMilli(dueMs);
    }
  }

  public synchronized void add(Sent record) {
    sent.add(record);
  }

  /** The record with a value may arrive or not: it is not known whether the brokers have it. */
  public synchronized void mayStay(String value) {
    stopped.putIfAbsent(value, Long.MAX_VALUE);
  }

  /** The brokers have confirmed the tombstone that cancels the record with a value. */
  public synchronized void cancelled(String value, long confirmedMs) {
    stopped.merge(value, confirmedMs + HELD_UP_MS, Math::min);
  }

  /**
   * The scheduler has answered what cancels or moves the record with a value: it has heeded that.
   *
   * @param answeredMs by the scheduler's clock, with what that may be behind
   */
  public synchronized void answered(String value, long answeredMs) {
    stopped.merge(value, answeredMs, Math::min);
  }

  /**
   * A record with the name of an earlier one is sent. The earlier one may arrive yet; if it does,
   * the new one is heeded if its instant is later.
   */
  public synchronized void moves(String earlier, String value) {
    mayStay(earlier);
    moved.put(value, earlier);
  }

  /** The values of records that must not arrive, as they were moved before, and of those after. */
  synchronized Map<String, String> heldMoves() {
    Map<String, String> held = new HashMap<>(moved);
    held.values()
        .removeIf(
            earlier -> sent.stream().noneMatch(it -> it.value().equals(earlier) && isStopped(it)));
    return held;
  }

  /** The record with a value. */
  synchronized Optional<Sent> sent(String value) {
    return sent.stream().filter(record -> record.value().equals(value)).findFirst();
  }

  /** Those that must not arrive. */
  private boolean isStopped(Sent record) {
    return Optional.ofNullable(stopped.get(record.value()))
        .filter(untilMs -> untilMs < record.dueMs())
        .isPresent();
  }

  /** Whether the record with a value was to arrive, and no cancel was sent. */
  synchronized boolean isExpected(String value) {
    return !stopped.containsKey(value);
  }

  public synchronized int size() {
    return sent.size();
  }

  /** How many must not arrive, as they were cancelled or moved. */
  public synchronized long stopped() {
    return sent.stream().filter(this::isStopped).count();
  }

  /** How many were sent with the names of earlier ones. */
  public synchronized int moved() {
    return moved.size();
  }

  /**
   * What is wrong; empty if all is well.
   *
   * @param arrived the records of the target
   * @param dead the values of the records that went to the dead-letter topic instead
   */
  public synchronized List<String> findings(
      List<Entry<byte[]>> arrived, List<String> dead, Terms terms) {
    List<String> findings = new ArrayList<>();
    boolean mayRepeat = !terms.consumers().offsetsForgottenMs().isEmpty();
    Map<String, List<Entry<byte[]>>> byValue = new HashMap<>();
    for (Entry<byte[]> entry : arrived) {
      byValue.computeIfAbsent(value(entry), unknown -> new ArrayList<>()).add(entry);
    }
    for (Sent record : sent) {
      List<Entry<byte[]>> its = byValue.getOrDefault(record.value(), List.of());
      long times = its.size() + dead.stream().filter(record.value()::equals).count();
      boolean mustArrive =
          record.dueMs() < Math.min(terms.untilMs(), terms.endMs() - SETTLED_MS)
              && !stopped.containsKey(record.value())
              && !isPastItsEarlier(record, byValue);
      if (times > 0 && isStopped(record)) {
        findings.add(record + " arrived, and was cancelled or moved: " + its);
      } else if ((times > 1 && !mayRepeat) || (times == 0 && mustArrive)) {
        findings.add(record + " arrived " + times + " times");
      }
      for (Entry<byte[]> entry : its) {
        if (!entry.key().equals(record.key())
            || !entry.header("own").equals(Optional.of(record.value()))
            || entry.headers().size() != 2) {
          findings.add(record + " arrived as " + entry);
        }
        if (entry.appendedMs() < record.dueMs() - terms.aheadMs()) {
          findings.add(record + " arrived early: " + entry);
        }
      }
    }
    byValue.keySet().removeAll(sent.stream().map(Sent::value).toList());
    byValue.values().forEach(entries -> findings.add("nobody sent " + entries));
    if (!mayRepeat && dead.isEmpty()) {
      findings.addAll(disorder(arrived));
    }
    return findings;
  }

  /** Whether the record that it was to move has arrived, and was not due before it. */
  private boolean isPastItsEarlier(Sent record, Map<String, List<Entry<byte[]>>> byValue) {
    return Optional.ofNullable(moved.get(record.value()))
        .filter(byValue::containsKey)
        .flatMap(this::sent)
        .filter(earlier -> record.dueMs() <= earlier.dueMs())
        .isPresent();
  }

  /** Records of one line for one instant that did not arrive in the order of sending. */
  private List<String> disorder(List<Entry<byte[]>> arrived) {
    Map<String, Sent> byValue = new HashMap<>();
    sent.forEach(record -> byValue.put(record.value(), record));
    List<String> findings = new ArrayList<>();
    Map<String, Sent> last = new HashMap<>();
    for (Entry<byte[]> entry : arrived) {
      Optional.ofNullable(byValue.get(value(entry)))
          .ifPresent(
              record -> {
                Sent before = last.put(record.line() + "@" + record.dueMs(), record);
                if (before != null && before.order() > record.order()) {
                  findings.add(record + " arrived after " + before);
                }
              });
    }
    return findings;
  }

  static String value(Entry<byte[]> entry) {
    return entry.value().map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
  }
}

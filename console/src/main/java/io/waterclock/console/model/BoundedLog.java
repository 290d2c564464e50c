package io.waterclock.console.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * The newest entries of all schedules, up to a fixed size in memory. A schedule without entries
 * takes no room. Not thread-safe.
 */
final class BoundedLog<T> {
  /** Of an entry, beside its value. */
  private static final int OVERHEAD = 100;

  private final long mostBytes;
  private final Deque<Entry<T>> all = new ArrayDeque<>();
  private long bytes;

  /**
   * What is kept.
   *
   * @param id of the schedule
   */
  record Entry<T>(String id, T value, long size) {}

  BoundedLog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * @param valueBytes about as much memory as the value takes
   */
  void add(String id, T value, long valueBytes) {
    Entry<T> entry = new Entry<>(id, value, OVERHEAD + id.length() + valueBytes);
    if (entry.size() > mostBytes) {
      return;
    }
    all.addLast(entry);
    bytes += entry.size();
    while (bytes > mostBytes) {
      bytes -= all.removeFirst().size();
    }
  }

  /** Those of all schedules, newest first. */
  Iterable<Entry<T>> newestFirst() {
    return all::descendingIterator;
  }

  /** Those of one schedule, newest first. */
  List<T> of(String id) {
    List<T> found = new ArrayList<>();
    all.stream().filter(one -> one.id().equals(id)).forEach(one -> found.add(one.value()));
    Collections.reverse(found);
    return found;
  }
}

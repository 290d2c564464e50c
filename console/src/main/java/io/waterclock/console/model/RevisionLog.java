package io.waterclock.console.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * The newest replaced revisions of all schedules, as bytes, up to a fixed size. A schedule that was
 * never edited takes no room. Not thread-safe.
 */
final class RevisionLog {
  /** Of an entry, beside its bytes. */
  private static final int OVERHEAD = 100;

  private final long mostBytes;
  private final Deque<Replaced> all = new ArrayDeque<>();
  private long bytes;

  private static final class Replaced {
    final String id;
    final byte[] revision;

    Replaced(String id, byte[] revision) {
      this.id = id;
      this.revision = revision;
    }

    long size() {
      return OVERHEAD + (long) revision.length;
    }
  }

  RevisionLog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(String id, byte[] revision) {
    Replaced entry = new Replaced(id, revision);
    if (entry.size() > mostBytes) {
      return;
    }
    all.addLast(entry);
    bytes += entry.size();
    while (bytes > mostBytes) {
      bytes -= all.removeFirst().size();
    }
  }

  /** Those of one schedule, newest first. */
  List<byte[]> of(String id) {
    List<byte[]> found = new ArrayList<>();
    all.stream().filter(one -> one.id.equals(id)).forEach(one -> found.add(one.revision));
    Collections.reverse(found);
    return found;
  }
}

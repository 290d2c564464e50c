package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limits as this instance has read them, and the records that it refused.
 *
 * <p>A refused record leaves the limit before it in force. Compaction may have removed that one
 * when the topic is read anew, so tasks keep the limits of their groups, and {@link #restore} them.
 * Thread-safe.
 */
public final class LimitFeed {
  /**
   * Inclusive: more groups are refused, so that what stands in a topic does not fill the memory.
   */
  static final int MOST = 10_000;

  /** Inclusive: refused records that no task has written to the dead-letter topic yet. */
  private static final int MOST_REFUSED = 100;

  private final Map<String, Accepted> limits = new HashMap<>();
  private final Set<String> refusedGroups = new HashSet<>();

  /** Inclusive of the first {@link #MOST}: a refused record restores nothing of these. */
  private final Set<String> endedGroups = new HashSet<>();

  private final Deque<Refused> refused = new ArrayDeque<>();
  private long version;
  private long latestOffset = -1;

  /** A limit with its record's value. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  record Accepted(String group, byte[] value, GroupLimit limit) {}

  /**
   * A record that changes nothing.
   *
   * @param letter of no more bytes than {@link LimitReader} keeps
   */
  record Refused(long offset, DeadLetter letter) {}

  /** The limit of a group, or {@link GroupLimit#NONE} until it has one. */
  public synchronized GroupLimit of(String group) {
    Accepted accepted = limits.get(group);
    return accepted == null ? GroupLimit.NONE : accepted.limit();
  }

  /** Puts a limit in force; false if there are too many. */
  synchronized boolean put(Accepted accepted) {
    if (limits.size() >= MOST && !limits.containsKey(accepted.group())) {
      return false;
    }
    limits.put(accepted.group(), accepted);
    refusedGroups.remove(accepted.group());
    version++;
    return true;
  }

  synchronized void remove(String group) {
    limits.remove(group);
    refusedGroups.remove(group);
    if (endedGroups.size() < MOST) {
      endedGroups.add(group);
    }
    version++;
  }

  /**
   * @param group whose limit stays as it was; empty if the key names none
   */
  synchronized void refuse(Optional<String> group, Refused record) {
    group
        .filter(name -> !limits.containsKey(name) && !endedGroups.contains(name))
        .filter(name -> refusedGroups.size() < MOST)
        .ifPresent(refusedGroups::add);
    refused.addLast(record);
    if (refused.size() > MOST_REFUSED) {
      refused.removeFirst();
    }
  }

  /** Puts a limit in force again that a refused record has replaced in the topic. */
  synchronized void restore(Accepted kept) {
    if (refusedGroups.remove(kept.group())) {
      limits.put(kept.group(), kept);
      version++;
    }
  }

  /** Changes with each change of a limit. */
  synchronized long version() {
    return version;
  }

  synchronized Collection<Accepted> all() {
    return List.copyOf(limits.values());
  }

  /** A record has been read. */
  synchronized void read(long offset) {
    latestOffset = Math.max(latestOffset, offset);
  }

  /** The offset of the last record that was read; -1 without one. */
  synchronized long latestOffset() {
    return latestOffset;
  }

  /** The refused records after an offset. */
  synchronized List<Refused> refusedAfter(long offset) {
    return refused.stream().filter(it -> it.offset() > offset).toList();
  }
}

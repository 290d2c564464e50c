package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.schemas.log.SafeLogger;
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
import org.slf4j.Logger;

/**
 * The limits as this instance has read them, and the records that it refused.
 *
 * <p>A refused record leaves the limit before it in force. Compaction may have removed that one
 * when the topic is read anew, so tasks keep the limits of their groups, and {@link #restore} them.
 * Thread-safe.
 */
public final class LimitFeed {
  private static final Logger LOG = SafeLogger.of(LimitFeed.class);

  /**
   * Inclusive: more groups are refused, so that what stands in a topic does not fill the memory.
   */
  static final int MOST = 10_000;

  /** Inclusive, of the values of their records: tasks store them, too. */
  static final long MOST_BYTES = 32L << 20;

  /** Inclusive: refused records that no task has written to the dead-letter topic yet. */
  private static final int MOST_REFUSED = 100;

  private final Map<String, Accepted> limits = new HashMap<>();
  private final Set<String> refusedGroups = new HashSet<>();

  /** Inclusive of the first {@link #MOST}: a refused record restores nothing of these. */
  private final Set<String> endedGroups = new HashSet<>();

  private final Deque<Refused> refused = new ArrayDeque<>();
  private long bytes;
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
    if (!keep(accepted)) {
      return false;
    }
    refusedGroups.remove(accepted.group());
    return true;
  }

  private boolean keep(Accepted accepted) {
    Accepted before = limits.get(accepted.group());
    long after = bytes + accepted.value().length - (before == null ? 0 : before.value().length);
    if ((limits.size() >= MOST && before == null) || after > MOST_BYTES) {
      return false;
    }
    bytes = after;
    limits.put(accepted.group(), accepted);
    version++;
    return true;
  }

  synchronized void remove(String group) {
    Accepted before = limits.remove(group);
    bytes -= before == null ? 0 : before.value().length;
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
    if (refusedGroups.remove(kept.group()) && !keep(kept)) {
      LOG.error("There is no room for the limit of {}: its fires start at once", kept.group());
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

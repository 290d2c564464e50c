package io.waterclock.topology.scheduler.store;

import io.waterclock.occurrences.Tzdb;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * How far into the future the queue of a task reaches; the index has the rest.
 *
 * <p>A schedule that is due up to the <em>end</em> belongs into the queue. Every entry of the index
 * up to <em>loaded</em> was looked at: nothing after it may be decided, and the position never
 * passes it. Not thread-safe: one per task.
 */
public final class QueueHorizon {
  private static final byte LAYOUT = 1;

  private final DueIndex index;
  private long endMs = DueIndex.ALWAYS;
  private Position loaded = Position.before(DueIndex.ALWAYS);
  private long nextMs = DueIndex.ALWAYS;
  private boolean isBuilt;

  public QueueHorizon(DueIndex index) {
    this.index = index;
  }

  public DueIndex index() {
    return index;
  }

  public void put(DueIndex.Entry entry) {
    index.put(entry);
    if (entry.dueMs() >= loadedMs()) {
      nextMs = Math.min(nextMs, entry.dueMs());
    }
  }

  /** No entry that was not looked at is due earlier than this, epoch milliseconds. */
  public long nextMs() {
    return nextMs;
  }

  /** Finds the first entry that was not looked at. */
  public void findNext() {
    nextMs =
        index.range(DueIndex.Entry.before(loadedMs()), Long.MAX_VALUE, 1).stream()
            .map(DueIndex.Entry::dueMs)
            .findFirst()
            .orElse(Long.MAX_VALUE);
  }

  /** True for an instant at which a due schedule belongs into the queue. */
  public boolean includes(long dueMs) {
    return dueMs <= endMs;
  }

  /** Inclusive, epoch milliseconds. */
  public long endMs() {
    return endMs;
  }

  /** Moves the end into the future; the entries up to it must be loaded then. */
  public void extend(long newEndMs) {
    endMs = Math.max(endMs, newEndMs);
  }

  /** Exclusive, epoch milliseconds: every schedule that is due earlier is in the queue. */
  public long loadedMs() {
    return loaded.dueMs();
  }

  /** Everything up to here that is due is in the queue. */
  public Position loaded() {
    return loaded;
  }

  /** Notes that every entry before an instant was looked at. */
  public void loaded(long beforeMs) {
    loaded = loaded.max(Position.before(beforeMs));
  }

  /** Notes that every entry up to this one was looked at. */
  public void loaded(DueIndex.Entry entry) {
    loaded = loaded.max(new Position(entry.dueMs(), entry.id()));
  }

  /**
   * True when the index can be used. Its entries count on the rules by which they were found, which
   * a release or new time-zone data may change, and on a position that only advances: a partition
   * that lost its position begins anew.
   */
  public boolean isUsable(Optional<Position> position) {
    byte[] stamp = index.stamp().orElseGet(() -> new byte[0]);
    byte[] rules = rules();
    isBuilt =
        stamp.length == Long.BYTES + rules.length
            && Arrays.equals(stamp, Long.BYTES, stamp.length, rules, 0, rules.length)
            && ByteBuffer.wrap(stamp).getLong() <= position.map(Position::dueMs).orElse(-1L);
    return isBuilt;
  }

  /** Notes that the index has an entry for each schedule that waits. */
  public void built(Position position) {
    isBuilt = true;
    stamp(position);
  }

  /** Notes the position that is stored together with the entries. */
  public void stamp(Position position) {
    if (isBuilt) {
      byte[] rules = rules();
      index.stamp(
          ByteBuffer.allocate(Long.BYTES + rules.length)
              .putLong(position.dueMs())
              .put(rules)
              .array());
    }
  }

  private static byte[] rules() {
    Optional<String> release =
        Optional.ofNullable(QueueHorizon.class.getPackage().getImplementationVersion());
    return (LAYOUT + " " + Tzdb.version() + " " + release.orElse(""))
        .getBytes(StandardCharsets.UTF_8);
  }
}

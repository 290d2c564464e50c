package io.waterclock.sim.broker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One partition. Compaction and retention work on single records, where Kafka works on segments;
 * the caller says from which offset on the active segment begins.
 */
public final class PartitionLog {
  private final List<LogRecord> journal = new ArrayList<>();
  private final Map<Long, List<LogRecord>> open = new HashMap<>();
  private final TreeMap<Long, Long> openFrom = new TreeMap<>();
  private List<LogRecord> records = new ArrayList<>();
  private int visible;
  private long start;
  private long end;

  /**
   * Records as a consumer gets them.
   *
   * @param next the consumer's position afterwards
   */
  public record Fetched(List<LogRecord> records, long next) {}

  long append(Message message, long nowMs) {
    long offset = add(LogRecord.of(end, message, nowMs, false)).offset();
    show(nowMs);
    return offset;
  }

  long append(Message message, long producerId, long nowMs) {
    LogRecord record = add(LogRecord.of(end, message, nowMs, true));
    if (!open.containsKey(producerId)) {
      open.put(producerId, new ArrayList<>());
      openFrom.put(record.offset(), producerId);
    }
    open.get(producerId).add(record);
    return record.offset();
  }

  /** Ends the transaction of a producer in this partition with a control marker. */
  void end(long producerId, boolean isCommitted, long nowMs) {
    List<LogRecord> ended = open.remove(producerId);
    if (ended != null) {
      openFrom.remove(ended.get(0).offset());
      ended.forEach(record -> record.end(isCommitted));
    }
    records.add(LogRecord.marker(end++, nowMs));
    show(nowMs);
  }

  /** Notes from when on read_committed shows the records before the last stable offset. */
  private void show(long nowMs) {
    while (visible < journal.size() && journal.get(visible).offset() < lastStable()) {
      journal.get(visible++).shown(nowMs);
    }
  }

  private LogRecord add(LogRecord record) {
    records.add(record);
    journal.add(record);
    end++;
    return record;
  }

  /** The log start offset. */
  public long start() {
    return start;
  }

  /** The offset of the first record or marker since a time, or the end without one. */
  public long firstSince(long ms) {
    return records.stream()
        .filter(record -> record.timestampMs() >= ms)
        .findFirst()
        .map(LogRecord::offset)
        .orElse(end);
  }

  /** Exclusive: the end for read_uncommitted. */
  public long highWatermark() {
    return end;
  }

  /** Exclusive: the end for read_committed. */
  public long lastStable() {
    return openFrom.isEmpty() ? end : openFrom.firstKey();
  }

  /** Every data record that was ever appended, cleaned or not. */
  public List<LogRecord> journal() {
    return journal;
  }

  /** Reads committed records. */
  public Fetched fetch(long from, int max) {
    if (from < start || from > end) {
      throw new BrokerException(
          BrokerException.Reason.OFFSET_OUT_OF_RANGE, from + " is not in " + start + ".." + end);
    }
    long stable = lastStable();
    List<LogRecord> found = new ArrayList<>();
    for (int i = indexOf(from); i < records.size(); i++) {
      LogRecord record = records.get(i);
      if (record.offset() >= stable) {
        break;
      }
      if (record.isCommitted()) {
        found.add(record);
        if (found.size() == max) {
          return new Fetched(found, record.offset() + 1);
        }
      }
    }
    return new Fetched(found, Math.max(from, stable));
  }

  private int indexOf(long offset) {
    int low = 0;
    int high = records.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (records.get(middle).offset() < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Compacts the records that are old enough: keeps the last committed record of each key, and a
   * tombstone for its time. A topic without a lag is compacted whatever the timestamps say.
   *
   * @param activeFrom the first offset of the active segment, which stays as it is
   */
  public void compact(TopicRules rules, long activeFrom, long nowMs) {
    long before = Math.min(activeFrom, lastStable());
    if (!rules.minCompactionLag().isZero()) {
      before = Math.min(before, firstSince(nowMs - rules.minCompactionLag().toMillis() + 1));
    }
    Map<ByteBuffer, Long> last = new HashMap<>();
    for (LogRecord record : records) {
      if (record.offset() >= before) {
        break;
      }
      if (record.isCommitted()) {
        last.put(ByteBuffer.wrap(record.key()), record.offset());
      }
    }
    List<LogRecord> kept = new ArrayList<>();
    for (LogRecord record : records) {
      if (record.offset() >= before || survives(record, last, rules, nowMs)) {
        kept.add(record);
      }
    }
    records = kept;
  }

  private static boolean survives(
      LogRecord record, Map<ByteBuffer, Long> last, TopicRules rules, long nowMs) {
    if (!record.isCommitted()
        || last.getOrDefault(ByteBuffer.wrap(record.key()), -1L) != record.offset()) {
      return false;
    }
    return record.value().isPresent()
        || record.isKeptTombstone(nowMs, rules.deleteRetention().toMillis());
  }

  /** Removes the oldest records while their time is over. */
  public void expire(TopicRules rules, long nowMs) {
    long oldestMs = nowMs - rules.retention().toMillis();
    long stable = lastStable();
    Iterator<LogRecord> all = records.iterator();
    int gone = 0;
    while (all.hasNext()) {
      LogRecord record = all.next();
      if (record.offset() >= stable || record.timestampMs() >= oldestMs) {
        break;
      }
      gone++;
    }
    deleteTo(gone == records.size() ? end : gone == 0 ? start : records.get(gone).offset());
  }

  /** Removes all records before an offset. */
  public void deleteTo(long offset) {
    if (offset > start) {
      start = offset;
      records = new ArrayList<>(records.subList(indexOf(offset), records.size()));
    }
  }
}

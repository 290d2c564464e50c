package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ConfluentHeader;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records whose schema the registry has not told yet, and those that came after them under the same
 * key. The records are in the store, in the transaction that takes them off their topic; in memory
 * there is a number and a size of each.
 *
 * <p>A queue for each schedule keeps the order of what is said about it. What workers report has a
 * queue of its own: it is about what fires meanwhile. The queues are grouped by the schema that
 * their first record waits for, so that looking whether any can go on costs a lookup for each
 * schema.
 *
 * <p>Who writes under one key, or names schemas that do not exist, takes no room and no time from
 * others: a queue has a bound of its own, and the lowest schema ids are looked at first, as {@link
 * SchemaSource}s do.
 */
final class HeldRecords {
  /** Of a partition. */
  private static final int MOST_RECORDS = 100_000;

  /** Of a partition. */
  private static final long MOST_BYTES = 256L << 20;

  /** Of a place. */
  static final int MOST_RECORDS_OF_A_PLACE = 1_000;

  /** Of a place. */
  static final long MOST_BYTES_OF_A_PLACE = 16L << 20;

  private static final int LOOKS_AT_ONCE = 100;
  private static final int LOOKS_AT_THE_LOWEST = 10;

  /** Of one schedule, or of the reports about it. */
  record Place(ScheduleId id, boolean reports) {}

  /**
   * @param schema empty when the record waits only for those before it
   */
  private record Held(long seq, Optional<Integer> schema, int size) {}

  private final HeldRecordStore store;
  private final Applier applier;
  private final SchemaSource schemas;
  private final String outcomes;

  private static final class Line {
    private final Deque<Held> records = new ArrayDeque<>(1);
    private long bytes;
  }

  private final Map<Place, Line> lines = new LinkedHashMap<>();
  private final Map<Optional<Integer>, Set<Place>> bySchema = new LinkedHashMap<>();
  private final TreeSet<Integer> lowest = new TreeSet<>();
  private long nextSeq;
  private int records;
  private long bytes;

  HeldRecords(TaskContext task) {
    this.store = task.stores().heldRecords();
    this.applier = task.applier();
    this.schemas = task.settings().wire().schemas();
    this.outcomes = task.settings().topics().outcomes();
    for (long seq : store.seqs()) {
      byte[] record = store.record(seq);
      remember(seq, InboundBytes.decode(record), record.length);
    }
  }

  boolean isEmpty() {
    return records == 0;
  }

  int size() {
    return records;
  }

  /** Where a record belongs whose key is a schedule id. */
  Place place(Inbound inbound) {
    return new Place(
        ScheduleId.parse(inbound.key().orElseThrow()), inbound.topic().equals(outcomes));
  }

  boolean contains(Place place) {
    return lines.containsKey(place);
  }

  /** True while a record about this schedule waits. */
  boolean contains(ScheduleId id) {
    return contains(new Place(id, false));
  }

  /**
   * Lets a record wait behind those of its place.
   *
   * @return false when there is no room
   */
  boolean add(Inbound inbound) {
    byte[] record = InboundBytes.encode(inbound);
    if (full(place(inbound), record.length).isPresent()) {
      return false;
    }
    applier.hold(new HeldRecordStore.Row(nextSeq, record));
    remember(nextSeq, inbound, record.length);
    return true;
  }

  /** Which records leave no room for this one; empty when there is room. */
  Optional<String> full(Inbound inbound) {
    return full(place(inbound), InboundBytes.encode(inbound).length);
  }

  private Optional<String> full(Place place, int size) {
    if (records >= MOST_RECORDS || bytes + size > MOST_BYTES) {
      return Optional.of(records + " records of this partition");
    }
    return Optional.ofNullable(lines.get(place))
        .filter(
            line ->
                line.records.size() >= MOST_RECORDS_OF_A_PLACE
                    || line.bytes + size > MOST_BYTES_OF_A_PLACE)
        .map(line -> line.records.size() + " records of this key");
  }

  private void remember(long seq, Inbound inbound, int size) {
    Place place = place(inbound);
    Optional<Integer> schema =
        inbound
            .value()
            .map(ConfluentHeader::schemaId)
            .filter(id -> id.isPresent())
            .map(id -> id.getAsInt());
    Line line = lines.computeIfAbsent(place, unknown -> new Line());
    line.records.addLast(new Held(seq, schema, size));
    line.bytes += size;
    if (line.records.size() == 1) {
      isFirst(place, schema);
    }
    nextSeq = seq + 1;
    records++;
    bytes += size;
  }

  private void isFirst(Place place, Optional<Integer> schema) {
    bySchema.computeIfAbsent(schema, unknown -> new LinkedHashSet<>()).add(place);
    schema.ifPresent(lowest::add);
  }

  /**
   * The places whose first record can be read, or tried to. Looks at some of the schemas that are
   * waited for, and at those with the lowest ids each time; at others the next time.
   */
  List<Place> ready() {
    Set<Place> ready = new LinkedHashSet<>();
    lowest.stream()
        .limit(LOOKS_AT_THE_LOWEST)
        .map(Optional::of)
        .filter(this::isTold)
        .forEach(schema -> ready.addAll(bySchema.getOrDefault(schema, Set.of())));
    for (Optional<Integer> schema : bySchema.keySet().stream().limit(LOOKS_AT_ONCE).toList()) {
      Set<Place> waiting = bySchema.remove(schema);
      bySchema.put(schema, waiting);
      if (isTold(schema)) {
        ready.addAll(waiting);
      }
    }
    return List.copyOf(ready);
  }

  private boolean isTold(Optional<Integer> schema) {
    return schema.isEmpty()
        || !(schemas.lookup(schema.get()) instanceof SchemaSource.Lookup.Unavailable);
  }

  /** Every place where something waits. */
  List<Place> places() {
    return List.copyOf(lines.keySet());
  }

  /** The first record of a place, whether or not it can be read; empty when nothing waits there. */
  Optional<Inbound> peek(Place place) {
    return Optional.ofNullable(lines.get(place))
        .map(line -> line.records.getFirst())
        .map(first -> InboundBytes.decode(store.record(first.seq())));
  }

  /** The first record of a place, if it can be read or tried to. */
  Optional<Inbound> first(Place place) {
    return Optional.ofNullable(lines.get(place))
        .map(line -> line.records.getFirst())
        .filter(first -> isTold(first.schema()))
        .map(first -> InboundBytes.decode(store.record(first.seq())));
  }

  /** The first record of a place waits no longer. */
  void removeFirst(Place place) {
    Line line = lines.get(place);
    if (line == null) {
      throw new IllegalStateException("nothing waits at " + place);
    }
    Held first = line.records.removeFirst();
    line.bytes -= first.size();
    applier.releaseHeld(first.seq());
    records--;
    bytes -= first.size();
    Set<Place> same = bySchema.get(first.schema());
    if (same != null && same.remove(place) && same.isEmpty()) {
      bySchema.remove(first.schema());
      first.schema().ifPresent(lowest::remove);
    }
    if (line.records.isEmpty()) {
      lines.remove(place);
    } else {
      isFirst(place, line.records.getFirst().schema());
    }
  }

  /** Takes all records of a place out, in the order in which they came. */
  List<Inbound> takeAll(Place place) {
    List<Inbound> all = new ArrayList<>();
    for (Line line = lines.get(place); line != null && !line.records.isEmpty(); ) {
      all.add(InboundBytes.decode(store.record(line.records.getFirst().seq())));
      removeFirst(place);
    }
    return all;
  }
}

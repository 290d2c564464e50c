package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ConfluentHeader;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.HeldRecordStore.Until;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records whose schema the registry does not give yet, and later records of the same keys. The
 * store holds the records, in the transaction that takes them off their topic; memory holds the
 * number and the size of each.
 *
 * <p>A queue for each schedule keeps the order of its definitions, deletes and commands. Its
 * outcomes have a queue of their own, because the schedule fires meanwhile. The queues are grouped
 * by the schema that their first record waits for, so a check costs one lookup for each schema.
 *
 * <p>A producer that floods one key, or names schemas that do not exist, takes no room and no time
 * from others: each queue has a bound of its own, and each check begins with the lowest schema ids,
 * as {@link SchemaSource}s do.
 */
final class HeldRecords {
  private static final int MOST_RECORDS_OF_A_PLACE = 1_000;
  private static final long MOST_BYTES_OF_A_PLACE = 16L << 20;

  private static final int LOOKS_AT_ONCE = 100;
  private static final int LOOKS_AT_THE_LOWEST = 10;

  /**
   * The key of a queue. By its order, a map finds one of many places with equal hash codes in a few
   * steps.
   *
   * @param reports true for the outcomes of the schedule, false for all else about it
   */
  record Place(ScheduleId id, boolean reports) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int order = id.compareTo(other.id);
      return order == 0 ? Boolean.compare(reports, other.reports) : order;
    }
  }

  /**
   * @param schema empty when the record waits only for those before it
   */
  private record Held(long seq, Optional<Integer> schema, int size) {}

  private final HeldRecordStore store;
  private final SchemaSource schemas;
  private final String outcomes;

  private static final class Queue {
    private final Deque<Held> records = new ArrayDeque<>(1);
    private final Room room = new Room(MOST_RECORDS_OF_A_PLACE, MOST_BYTES_OF_A_PLACE);
  }

  private final Map<Place, Queue> queues = new LinkedHashMap<>();
  private final Map<Optional<Integer>, Set<Place>> bySchema = new LinkedHashMap<>();
  private final TreeSet<Integer> lowest = new TreeSet<>();
  private final Room room;
  private long nextSeq;

  /**
   * @param outcomes the topic
   */
  HeldRecords(HeldRecordStore store, Room room, SchemaSource schemas, String outcomes) {
    this.store = store;
    this.room = room;
    this.schemas = schemas;
    this.outcomes = outcomes;
    for (long seq : store.seqs()) {
      byte[] record = store.record(seq);
      remember(seq, InboundBytes.decode(record), record.length);
    }
  }

  boolean isEmpty() {
    return room.records() == 0;
  }

  int size() {
    return room.records();
  }

  /** The place of a record whose key is a schedule id. */
  Place place(Inbound inbound) {
    return new Place(
        ScheduleId.parse(inbound.key().orElseThrow()), inbound.topic().equals(outcomes));
  }

  boolean contains(Place place) {
    return queues.containsKey(place);
  }

  /** True while a record about this schedule waits. */
  boolean contains(ScheduleId id) {
    return contains(new Place(id, false));
  }

  /**
   * Holds a record behind the others of its place.
   *
   * @return what stores it; empty when there is no room
   */
  Optional<Effect> add(Inbound inbound) {
    byte[] record = InboundBytes.encode(inbound);
    if (full(place(inbound), record.length).isPresent()) {
      return Optional.empty();
    }
    long seq = nextSeq;
    remember(seq, inbound, record.length);
    return Optional.of(new Effect.Hold(Until.SCHEMA, new HeldRecordStore.Row(seq, record)));
  }

  /** Which records leave no room for this one; empty when there is room. */
  Optional<String> full(Inbound inbound) {
    return full(place(inbound), InboundBytes.encode(inbound).length);
  }

  private Optional<String> full(Place place, int size) {
    return room.full(size, "records of this partition")
        .or(
            () ->
                Optional.ofNullable(queues.get(place))
                    .flatMap(queue -> queue.room.full(size, "records of this key")));
  }

  private void remember(long seq, Inbound inbound, int size) {
    Place place = place(inbound);
    Optional<Integer> schema =
        inbound
            .value()
            .map(ConfluentHeader::schemaId)
            .filter(id -> id.isPresent())
            .map(id -> id.getAsInt());
    Queue queue = queues.computeIfAbsent(place, unknown -> new Queue());
    queue.records.addLast(new Held(seq, schema, size));
    queue.room.take(place.id(), size);
    if (queue.records.size() == 1) {
      isFirst(place, schema);
    }
    nextSeq = seq + 1;
    room.take(place.id(), size);
  }

  private void isFirst(Place place, Optional<Integer> schema) {
    bySchema.computeIfAbsent(schema, unknown -> new LinkedHashSet<>()).add(place);
    schema.ifPresent(lowest::add);
  }

  /**
   * The places whose first record can be tried now. Each call checks the lowest missing schema ids
   * and some of the others in turn.
   */
  List<Place> ready() {
    Set<Place> ready = new LinkedHashSet<>();
    lowest.stream()
        .limit(LOOKS_AT_THE_LOWEST)
        .map(Optional::of)
        .filter(this::isAvailable)
        .forEach(schema -> ready.addAll(bySchema.getOrDefault(schema, Set.of())));
    for (Optional<Integer> schema : bySchema.keySet().stream().limit(LOOKS_AT_ONCE).toList()) {
      Set<Place> waiting = bySchema.remove(schema);
      bySchema.put(schema, waiting);
      if (isAvailable(schema)) {
        ready.addAll(waiting);
      }
    }
    return List.copyOf(ready);
  }

  private boolean isAvailable(Optional<Integer> schema) {
    return schema.isEmpty()
        || !(schemas.lookup(schema.get()) instanceof SchemaSource.Lookup.Unavailable);
  }

  /** Ends with its task. */
  void leave() {
    room.leave();
  }

  /** Every place where a record waits. */
  List<Place> places() {
    return List.copyOf(queues.keySet());
  }

  /** The first record of a place, readable or not; empty when none waits there. */
  Optional<Inbound> first(Place place) {
    return Optional.ofNullable(queues.get(place))
        .map(queue -> queue.records.getFirst())
        .map(first -> InboundBytes.decode(store.record(first.seq())));
  }

  /** True while others wait behind the first record of a place. */
  boolean hasMore(Place place) {
    Queue queue = queues.get(place);
    return queue != null && queue.records.size() > 1;
  }

  /** Removes the first record of a place, here and by the effect from the store. */
  Effect removeFirst(Place place) {
    Queue queue = queues.get(place);
    if (queue == null) {
      throw new IllegalStateException("no record waits at " + place);
    }
    Held first = queue.records.removeFirst();
    queue.room.free(place.id(), first.size());
    room.free(place.id(), first.size());
    Set<Place> same = bySchema.get(first.schema());
    if (same != null && same.remove(place) && same.isEmpty()) {
      bySchema.remove(first.schema());
      first.schema().ifPresent(lowest::remove);
    }
    if (queue.records.isEmpty()) {
      queues.remove(place);
    } else {
      isFirst(place, queue.records.getFirst().schema());
    }
    return new Effect.Release(Until.SCHEMA, first.seq(), first.size());
  }
}

package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.HeldRecordStore.Until;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Records that wait until everything that was written before them is read, in whatever partition or
 * topic it is; then they act in the order of their timestamps. Of the same millisecond, definitions
 * and deletes act before commands, these before reports, and of these the ones in the partition of
 * their key before the others. Records of one schedule from one partition keep the order of that
 * partition, whatever their timestamps say.
 *
 * <p>A command or a report also waits for the strays of its schedule that are in transit and come
 * before it; definitions do not.
 *
 * <p>The store holds the records, in the transaction that takes them off their topic; memory holds
 * at most a kilobyte and the id for each. For the task's stream thread.
 */
final class ReorderBuffer {
  static final int MOST_RECORDS = 20_000;
  static final long MOST_BYTES = 32L << 20;

  /** Of topic-partition@offset. A longer text in the header of a stray names no place. */
  private static final int LONGEST_PLACE = 300;

  private static final Comparator<Held> ORDER =
      Comparator.comparing(Held::actsAt)
          .thenComparingInt(Held::kind)
          .thenComparingInt(Held::place)
          .thenComparingLong(Held::seq);

  /**
   * @param actsAt the timestamp, or the later one of an earlier record of the same place
   * @param readAt when it was read; empty for a record that an earlier task has read
   * @param kind 0 for a definition or a delete, which comes first in a tie
   * @param place its partition; -1 for the partition of its key, which comes first in a tie
   * @param behind the last stray of the schedule that was in transit when the record was read
   */
  private record Held(
      Instant actsAt,
      Optional<Instant> readAt,
      long seq,
      ScheduleId id,
      int size,
      int kind,
      int place,
      long behind) {
    boolean defines() {
      return kind == 0;
    }

    boolean definesAtHome() {
      return defines() && place < 0;
    }

    /** True for a record that waits for nothing but strays in transit. */
    boolean follows() {
      return !defines() && behind > 0;
    }
  }

  /** The waiting records of one schedule. */
  private static final class OfSchedule {
    private final Map<String, Instant> lastOfPlaces = new HashMap<>(2);

    /** Where the strays were produced of which a copy at home has waited. */
    private final Set<String> copied = new HashSet<>(0);

    private final NavigableSet<Held> inOrder = new TreeSet<>(ORDER);
    private int followers;
    private int definitionsAtHome;

    /** The last stray that was read before the ends, and is sent to the partition of its key. */
    private long sent;

    private void count(Held held, int by) {
      followers += held.follows() ? by : 0;
      definitionsAtHome += held.definesAtHome() ? by : 0;
    }
  }

  private final HeldRecordStore store;
  private final StraysInTransit inTransit;
  private final WaitingMemory.Share memory;

  /** Definitions, commands, reports. */
  private final List<String> kinds;

  private final int partition;
  private final NavigableSet<Held> inOrder = new TreeSet<>(ORDER);

  /** The first record of each schedule: behind one that waits for a stray, none is looked at. */
  private final NavigableSet<Held> firsts = new TreeSet<>(ORDER);

  private final Map<ScheduleId, OfSchedule> bySchedule = new HashMap<>();
  private long bytes;
  private long nextSeq;

  /**
   * Records with lower numbers came before the task had read to the ends. They wait for each other.
   */
  private long readBefore = Long.MAX_VALUE;

  ReorderBuffer(
      HeldRecordStore store,
      WaitingMemory.Share memory,
      Topics topics,
      int partition,
      StraysInTransit inTransit) {
    this.store = store;
    this.inTransit = inTransit;
    this.memory = memory;
    this.kinds = List.of(topics.schedules(), topics.commands(), topics.outcomes());
    this.partition = partition;
    for (long seq : store.seqs()) {
      byte[] record = store.record(seq);
      remember(seq, InboundBytes.decode(record), record.length, Optional.empty());
    }
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  boolean contains(ScheduleId id) {
    return !bySchedule.isEmpty() && bySchedule.containsKey(id);
  }

  /** True when records of this schedule wait for more than strays in transit. */
  boolean orders(ScheduleId id) {
    return Optional.ofNullable(bySchedule.get(id))
        .filter(of -> of.inOrder.size() > of.followers)
        .isPresent();
  }

  /**
   * Notes how far the task reads.
   *
   * @param toEnds true when it has read all inputs up to recent ends
   */
  void reads(boolean toEnds) {
    readBefore = toEnds ? Math.min(readBefore, nextSeq) : Long.MAX_VALUE;
  }

  /** True while a record waits that came before the task had read to the ends. */
  boolean holdsReadBefore() {
    return inOrder.stream().anyMatch(held -> held.seq() < readBefore);
  }

  /**
   * No waiting record changes what is due earlier; empty when none waits. A record that was read
   * after the ends, however late, would not have changed what was due before it was read.
   */
  Optional<Instant> first() {
    return isEmpty() || readBefore == Long.MAX_VALUE
        ? inOrder.stream().findFirst().map(Held::actsAt)
        : inOrder.stream().map(this::changesFrom).min(Comparator.naturalOrder());
  }

  private Instant changesFrom(Held held) {
    return held.seq() < readBefore
        ? held.actsAt()
        : held.readAt().filter(held.actsAt()::isBefore).orElse(held.actsAt());
  }

  /** Ends with its task. */
  void leave() {
    memory.leave();
  }

  /** True when one more record would be too many, too many bytes, or too much of the heap. */
  boolean isFull() {
    return inOrder.size() >= MOST_RECORDS || bytes >= MOST_BYTES || memory.isFull();
  }

  /**
   * True while a definition or a delete in the partition of its key waits. When a record has just
   * been taken, what waits acts after it.
   */
  boolean isRedefined(ScheduleId id) {
    return Optional.ofNullable(bySchedule.get(id))
        .filter(of -> of.definitionsAtHome > 0)
        .isPresent();
  }

  /** True for a stray whose copy at home waits: an earlier task has written it there. */
  boolean isCopied(Inbound stray) {
    return Optional.ofNullable(bySchedule.get(ScheduleId.parse(stray.key().orElseThrow())))
        .filter(of -> of.copied.contains(stray.revision()))
        .isPresent();
  }

  /**
   * Has a record wait.
   *
   * @return what stores it
   */
  Effect add(Inbound inbound, Instant now) {
    byte[] record = InboundBytes.encode(inbound);
    long seq = nextSeq;
    remember(seq, inbound, record.length, Optional.of(now));
    return new Effect.Hold(Until.EARLIER, new HeldRecordStore.Row(seq, record));
  }

  private void remember(long seq, Inbound inbound, int size, Optional<Instant> readAt) {
    ScheduleId id = ScheduleId.parse(inbound.key().orElseThrow());
    OfSchedule of = bySchedule.computeIfAbsent(id, unknown -> new OfSchedule());
    Instant actsAt =
        of.lastOfPlaces.merge(
            inbound.topic() + "-" + inbound.partition(),
            inbound.timestamp(),
            (before, own) -> own.isBefore(before) ? before : own);
    int kind = kinds.indexOf(inbound.topic());
    int place = inbound.partition() == partition ? -1 : inbound.partition();
    Held held = new Held(actsAt, readAt, seq, id, size, kind, place, inTransit.last(id));
    if (held.definesAtHome()) {
      HeaderNames.text(inbound.headers(), HeaderNames.STRAY)
          .filter(produced -> produced.length() <= LONGEST_PLACE)
          .ifPresent(of.copied::add);
    }
    inOrder.add(held);
    if (!of.inOrder.isEmpty()) {
      firsts.remove(of.inOrder.first());
    }
    of.inOrder.add(held);
    firsts.add(of.inOrder.first());
    of.count(held, 1);
    bytes += size;
    memory.take(id);
    nextSeq = seq + 1;
  }

  /**
   * Removes up to {@code limit} records in the order in which they act, each just before {@code
   * admit} gets it. What waits for a stray in transit stays, with everything behind it of the same
   * schedule.
   *
   * @param isEnough true when no further record may act, though the limit is not reached
   * @return how many records acted
   */
  int release(int limit, Consumer<Released> admit, BooleanSupplier isEnough) {
    int released = 0;
    Held next = firsts.isEmpty() ? null : firsts.first();
    while (next != null && released < limit && !isEnough.getAsBoolean()) {
      if (!waitsForStray(next)) {
        act(next, admit);
        released++;
      }
      next = firsts.higher(next);
    }
    return released;
  }

  private boolean waitsForStray(Held held) {
    long sent = Objects.requireNonNull(bySchedule.get(held.id())).sent;
    return !held.defines() && inTransit.contains(held.id(), Math.max(held.behind(), sent));
  }

  /** As {@link #release} of one record, whatever it waits for; at least one must wait. */
  void releaseFirst(Consumer<Released> admit) {
    act(inOrder.first(), admit);
  }

  private void act(Held held, Consumer<Released> admit) {
    long before = inTransit.last(held.id());
    admit.accept(take(held));
    long sent = inTransit.last(held.id());
    OfSchedule others = bySchedule.get(held.id());
    if (others != null && sent > before && held.seq() < readBefore) {
      others.sent = sent;
    }
  }

  private Released take(Held held) {
    Inbound inbound = InboundBytes.decode(store.record(held.seq()));
    inOrder.remove(held);
    firsts.remove(held);
    bytes -= held.size();
    memory.free(held.id());
    OfSchedule of = Objects.requireNonNull(bySchedule.get(held.id()));
    of.inOrder.remove(held);
    of.count(held, -1);
    if (of.inOrder.isEmpty()) {
      bySchedule.remove(held.id());
    } else {
      firsts.add(of.inOrder.first());
    }
    return new Released(inbound, new Effect.Release(Until.EARLIER, held.seq(), held.size()));
  }
}

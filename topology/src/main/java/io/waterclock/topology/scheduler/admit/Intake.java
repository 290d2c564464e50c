package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.HeldRecordStore.Until;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records that wait until everything that was written before them is read, in whatever partition or
 * topic it is; then they act in the order of their timestamps. Records of one schedule from one
 * partition keep the order of that partition, whatever their timestamps say.
 *
 * <p>The store holds the records, in the transaction that takes them off their topic; memory holds
 * about 200 bytes for each. For the task's stream thread.
 */
final class Intake {
  static final int MOST_RECORDS = 20_000;
  static final long MOST_BYTES = 32L << 20;

  private static final Comparator<Held> ORDER =
      Comparator.comparing(Held::actsAt).thenComparingLong(Held::seq);

  /**
   * @param actsAt the timestamp, or the later one of an earlier record of the same place
   * @param definesAtHome true for a definition or a delete in the partition of its key
   */
  private record Held(Instant actsAt, long seq, ScheduleId id, int size, boolean definesAtHome) {}

  /** The waiting records of one schedule. */
  private static final class OfSchedule {
    private final Map<String, Instant> lastOfPlaces = new HashMap<>(2);

    /** Where the strays were produced of which a copy at home has waited. */
    private final Set<String> copied = new HashSet<>(0);

    private int records;
    private int definitionsAtHome;

    private void count(Held held, int by) {
      records += by;
      definitionsAtHome += held.definesAtHome() ? by : 0;
    }
  }

  private final HeldRecordStore store;
  private final Consumer<Effect> effects;
  private final String schedules;
  private final int partition;
  private final NavigableSet<Held> inOrder = new TreeSet<>(ORDER);
  private final Map<ScheduleId, OfSchedule> bySchedule = new HashMap<>();
  private long bytes;
  private long nextSeq;

  Intake(TaskContext task, Consumer<Effect> effects) {
    this.store = task.stores().intake();
    this.effects = effects;
    this.schedules = task.settings().topics().schedules();
    this.partition = task.partition();
    for (long seq : store.seqs()) {
      byte[] record = store.record(seq);
      remember(seq, InboundBytes.decode(record), record.length);
    }
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  boolean contains(ScheduleId id) {
    return !bySchedule.isEmpty() && bySchedule.containsKey(id);
  }

  /** When the first waiting record acts; empty when none waits. */
  Optional<Instant> first() {
    return isEmpty() ? Optional.empty() : Optional.of(inOrder.first().actsAt());
  }

  /** True when one more record would be too many, or too many bytes. */
  boolean isFull() {
    return inOrder.size() >= MOST_RECORDS || bytes >= MOST_BYTES;
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

  void add(Inbound inbound) {
    byte[] record = InboundBytes.encode(inbound);
    effects.accept(new Effect.Hold(Until.EARLIER, new HeldRecordStore.Row(nextSeq, record)));
    remember(nextSeq, inbound, record.length);
  }

  private void remember(long seq, Inbound inbound, int size) {
    ScheduleId id = ScheduleId.parse(inbound.key().orElseThrow());
    OfSchedule of = bySchedule.computeIfAbsent(id, unknown -> new OfSchedule());
    Instant actsAt =
        of.lastOfPlaces.merge(
            inbound.topic() + "-" + inbound.partition(),
            inbound.timestamp(),
            (before, own) -> own.isBefore(before) ? before : own);
    boolean definesAtHome = inbound.topic().equals(schedules) && inbound.partition() == partition;
    if (definesAtHome) {
      AnswerAddress.text(inbound.headers(), Headers.STRAY).ifPresent(of.copied::add);
    }
    Held held = new Held(actsAt, seq, id, size, definesAtHome);
    inOrder.add(held);
    of.count(held, 1);
    bytes += size;
    nextSeq = seq + 1;
  }

  /**
   * Removes up to {@code limit} records in the order in which they act, each just before {@code
   * admit} gets it.
   *
   * @param mayAct asked for each schedule before each of its records; what may not act stays, with
   *     everything behind it of the same schedule
   * @return how many records acted
   */
  int release(int limit, Predicate<ScheduleId> mayAct, Consumer<Inbound> admit) {
    int released = 0;
    Held next = inOrder.isEmpty() ? null : inOrder.first();
    while (next != null && released < limit) {
      if (mayAct.test(next.id())) {
        admit.accept(take(next));
        released++;
      }
      next = inOrder.higher(next);
    }
    return released;
  }

  private Inbound take(Held held) {
    Inbound inbound = InboundBytes.decode(store.record(held.seq()));
    effects.accept(new Effect.Release(Until.EARLIER, held.seq()));
    inOrder.remove(held);
    bytes -= held.size();
    OfSchedule of = Objects.requireNonNull(bySchedule.get(held.id()));
    of.count(held, -1);
    if (of.records == 0) {
      bySchedule.remove(held.id());
    }
    return inbound;
  }
}

package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Moves strays home: records in a partition that Kafka's own clients do not choose for their key.
 * Clients of other languages hash keys differently, so a schedule and its tombstone may lie apart.
 *
 * <p>Idea: the task that reads a stray sends it to the task of its home, as it is, through a topic
 * of their own, and leaves a tombstone that is marked as none where it was. The task at home writes
 * it to its own partition if it is newer than what is there; read from there it is a record like
 * any other. A command or an outcome is taken in at once, and an outcome written to its own
 * partition for those who look for it. Each step is part of the transaction that takes the record
 * off its topic, so a stray is moved once. docs/adr/0006-strays.md has the protocol and what can
 * happen in between.
 *
 * <p>What was taken once is not taken again, however often it is read: up to which offset that is,
 * is stored. The timestamp tells a topic that is read again from one that was made anew.
 */
final class Strays {
  private static final Logger LOG = SafeLogger.of(Strays.class);

  /** What the way home adds to a record, generously: headers, and the key of the carrier. */
  static final int OVERHEAD = 1_024;

  /** Of the layout of what is carried. */
  private static final byte VERSION = 1;

  private final Settings settings;
  private final StrayStore store;
  private final Applier applier;
  private final OutgoingRecords records;
  private final DeadLetterSender deadLetters;
  private final AdmitRecord home;
  private boolean told;

  Strays(AdmissionContext context, AdmitRecord home) {
    this.settings = context.task().settings();
    this.store = context.task().stores().strays();
    this.applier = context.task().applier();
    this.records = context.task().records();
    this.deadLetters = context.deadLetters();
    this.home = home;
  }

  /** True for a record of an input that is not in the partition of its key, which is good. */
  boolean isStray(Inbound inbound) {
    return inbound.key().filter(key -> home(key) != inbound.partition() && isId(key)).isPresent();
  }

  /** Sends a stray home, unless it was sent before. */
  void send(Inbound stray, Instant now) {
    if (isTrace(stray) || !takesFirst(stray)) {
      return;
    }
    byte[] key = stray.key().orElseThrow();
    byte[] carried = carried(stray);
    int limit = settings.limits().maxStrayBytes() - OVERHEAD;
    if (carried.length > limit) {
      deadLetters.refuse(stray, tooLarge(stray, carried.length, limit), now);
      return;
    }
    tell(stray);
    applier.send(records.stray(stray.revision(), Optional.of(carried), home(key), now));
    if (stray.topic().equals(settings.topics().schedules()) && stray.value().isPresent()) {
      applier.send(records.moved(key, stray.revision(), stray.partition(), now));
    }
  }

  /**
   * Takes in what came from another partition, once, and takes it off the topic that carried it.
   */
  void take(Inbound carrier, Instant now) {
    if (carrier.value().isEmpty() || !takesFirst(carrier)) {
      return;
    }
    Optional<Inbound> carried = carried(carrier.value().get(), carrier.partition());
    if (carried.isEmpty()) {
      deadLetters.refuse(carrier, unreadable(), now);
      return;
    }
    Inbound stray = homeAt(carried.get(), now);
    applier.send(records.stray(stray.revision(), Optional.empty(), carrier.partition(), now));
    home.take(stray, now);
  }

  /**
   * A stray that was stamped ahead counts as from now, but keeps its own timestamp beside: when all
   * state is lost, and it is moved once more, it is known by that to be the one that is at home.
   */
  private static Inbound homeAt(Inbound carried, Instant now) {
    Inbound stray = carried.notAfter(now);
    stray.headers().remove(Headers.STAMPED);
    if (carried.timestamp().isAfter(now)) {
      String own = String.valueOf(carried.timestamp().toEpochMilli());
      stray.headers().add(Headers.STAMPED, own.getBytes(StandardCharsets.US_ASCII));
    }
    return stray;
  }

  /**
   * True for the tombstone that a stray leaves behind: nothing was deleted. In the partition of its
   * key there is none, and what has such a header there is a delete: it must not hide what is in
   * force from compaction.
   */
  private static boolean isTrace(Inbound inbound) {
    return inbound.value().isEmpty() && inbound.headers().lastHeader(Headers.MOVED) != null;
  }

  /** False for what was taken before. */
  private boolean takesFirst(Inbound inbound) {
    Optional<StrayStore.Taken> before = store.taken(inbound.topic());
    boolean isFirst =
        before
            .filter(taken -> inbound.offset() <= taken.offset())
            .filter(taken -> !inbound.timestamp().isAfter(taken.newest()))
            .isEmpty();
    if (isFirst) {
      Instant newest =
          before
              .map(StrayStore.Taken::newest)
              .filter(inbound.timestamp()::isBefore)
              .orElse(inbound.timestamp());
      applier.noteTaken(inbound.topic(), new StrayStore.Taken(inbound.offset(), newest));
    }
    return isFirst;
  }

  private static byte[] carried(Inbound stray) {
    byte[] record = InboundBytes.encode(stray);
    return ByteBuffer.allocate(1 + record.length).put(VERSION).put(record).array();
  }

  /** Empty for what is no stray of this partition, or of a layout that is not known here. */
  private Optional<Inbound> carried(byte[] bytes, int partition) {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      return Optional.empty();
    }
    try {
      return Optional.of(InboundBytes.decode(Arrays.copyOfRange(bytes, 1, bytes.length)))
          .filter(stray -> stray.key().filter(Strays::isId).isPresent())
          .filter(stray -> home(stray.key().orElseThrow()) == partition);
    } catch (RuntimeException e) {
      LOG.debug("No stray", e);
      return Optional.empty();
    }
  }

  private static Problem unreadable() {
    String message =
        "the record is no stray that this version of Waterclock can read; only the scheduler writes"
            + " to this topic";
    return Problem.newBuilder().setField("").setMessage(message).build();
  }

  /** Once in a life: it is no fault, but slower than it could be. */
  private void tell(Inbound stray) {
    if (!told) {
      told = true;
      LOG.info(
          "{} is not in the partition of its key, and is moved there, as are others that follow;"
              + " a client that hashes keys with murmur2, as Java's does, spares them the detour"
              + " (librdkafka: partitioner=murmur2_random)",
          stray.revision());
    }
    LOG.debug("Moving {} at {} home", stray.keyText(), stray.revision());
  }

  private Problem tooLarge(Inbound stray, int size, int limit) {
    String message =
        "the record is in partition "
            + stray.partition()
            + " but its id belongs to partition "
            + home(stray.key().orElseThrow())
            + ", and with "
            + size
            + " bytes it is too large to be moved there, which takes at most "
            + limit
            + ": make it smaller, or let your client hash keys with murmur2 as Java's does"
            + " (librdkafka: partitioner=murmur2_random)";
    return Problem.newBuilder().setField("").setMessage(message).build();
  }

  private int home(byte[] key) {
    return HomePartition.of(key, settings.partitions());
  }

  private static boolean isId(byte[] key) {
    try {
      ScheduleId.parse(key);
      return true;
    } catch (InvalidIdException e) {
      return false;
    }
  }
}

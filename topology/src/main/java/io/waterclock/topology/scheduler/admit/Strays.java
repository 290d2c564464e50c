package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Moves strays home. A stray is a record in a partition that Kafka's own clients would not choose
 * for its key. Clients of other languages hash keys differently, so a schedule and its tombstone
 * may be in different partitions.
 *
 * <p>Idea: the task that reads a stray sends it unchanged to its home task through an internal
 * topic, and writes a tombstone to the stray's origin, marked so that it is not taken for a delete.
 * The home task writes the stray to its own partition if it is newer than the last write there, and
 * then reads it like any other record. It admits a command or an outcome at once, and also writes
 * an outcome to its own partition, where readers look for it. Each step is part of the transaction
 * that takes the record off its topic, so a stray is moved once. docs/adr/0006-strays.md has the
 * protocol and the interleavings.
 *
 * <p>A stray is taken once, even if it is read again: the store keeps the offset up to which strays
 * were taken. The timestamp distinguishes a topic that is read again from a topic that was created
 * again.
 */
final class Strays {
  private static final Logger LOG = SafeLogger.of(Strays.class);

  /** A generous bound of what the move adds to a record: headers, and the key of the carrier. */
  static final int OVERHEAD = 1_024;

  /** Of the layout of a carried record. */
  private static final byte VERSION = 1;

  private final Settings settings;
  private final StrayStore store;
  private final OutgoingRecords records;
  private final DeadLetterSender deadLetters;
  private boolean logged;

  Strays(
      Settings settings, StrayStore store, OutgoingRecords records, DeadLetterSender deadLetters) {
    this.settings = settings;
    this.store = store;
    this.records = records;
    this.deadLetters = deadLetters;
  }

  /** True for an input record whose key is a valid id of another partition. */
  boolean isStray(Inbound inbound) {
    return inbound.key().filter(key -> home(key) != inbound.partition() && isId(key)).isPresent();
  }

  /** Sends a stray home, unless it was sent before. */
  List<Effect> send(Inbound stray, Instant now) {
    Optional<Effect> taken = isTrace(stray) ? Optional.empty() : takenFirst(stray);
    if (taken.isEmpty()) {
      return List.of();
    }
    List<Effect> effects = new ArrayList<>();
    effects.add(taken.get());
    byte[] key = stray.key().orElseThrow();
    byte[] carried = carried(stray);
    int limit = settings.limits().maxStrayBytes() - OVERHEAD;
    if (carried.length > limit) {
      effects.addAll(deadLetters.refuse(stray, tooLarge(stray, carried.length, limit), now));
      return effects;
    }
    log(stray);
    effects.add(
        new Effect.Send(records.stray(stray.revision(), Optional.of(carried), home(key), now)));
    if (stray.topic().equals(settings.channels().topics().schedules())
        && stray.value().isPresent()) {
      effects.add(new Effect.Send(records.moved(key, stray.revision(), stray.partition(), now)));
    }
    return effects;
  }

  /**
   * What arrives with a carrier.
   *
   * @param stray to be admitted; empty when there is none, or it was taken before
   * @param effects delete the carrier from the internal topic
   */
  record Arrived(Optional<Inbound> stray, List<Effect> effects) {}

  /** Takes a stray off its carrier. */
  Arrived take(Inbound carrier, Instant now) {
    Optional<Effect> taken = carrier.value().isEmpty() ? Optional.empty() : takenFirst(carrier);
    if (taken.isEmpty()) {
      return new Arrived(Optional.empty(), List.of());
    }
    List<Effect> effects = new ArrayList<>();
    effects.add(taken.get());
    Optional<Inbound> stray =
        carried(carrier.value().orElseThrow(), carrier.partition()).map(it -> homeAt(it, now));
    stray.ifPresentOrElse(
        it ->
            effects.add(
                new Effect.Send(
                    records.stray(it.revision(), Optional.empty(), carrier.partition(), now))),
        () -> effects.addAll(deadLetters.refuse(carrier, unreadable(), now)));
    return new Arrived(stray, effects);
  }

  /**
   * A stray with a timestamp in the future counts as written now, but keeps its own timestamp in a
   * header. If all state is lost and the stray is moved once more, the header shows that it is the
   * record that is already at home.
   */
  private static Inbound homeAt(Inbound carried, Instant now) {
    Inbound stray = carried.notAfter(now);
    stray.headers().remove(HeaderNames.STAMPED);
    if (carried.timestamp().isAfter(now)) {
      String own = String.valueOf(carried.timestamp().toEpochMilli());
      stray.headers().add(HeaderNames.STAMPED, own.getBytes(StandardCharsets.US_ASCII));
    }
    return stray;
  }

  /**
   * True for the tombstone at the origin of a moved stray: it deletes nothing. The scheduler writes
   * no such tombstone at home. A record with this header at home is a delete: otherwise compaction
   * would remove a definition that the store still has.
   */
  private static boolean isTrace(Inbound inbound) {
    return inbound.value().isEmpty() && inbound.headers().lastHeader(HeaderNames.MOVED) != null;
  }

  /** What notes that a record is taken; empty for a record that was taken before. */
  private Optional<Effect> takenFirst(Inbound inbound) {
    return TakenOffsets.after(store.taken(inbound.topic()), inbound)
        .map(taken -> new Effect.Taken(inbound.topic(), taken));
  }

  private static byte[] carried(Inbound stray) {
    byte[] record = InboundBytes.encode(stray);
    return ByteBuffer.allocate(1 + record.length).put(VERSION).put(record).array();
  }

  /** Empty for a record that is no stray of this partition, or has an unknown layout. */
  private Optional<Inbound> carried(byte[] bytes, int partition) {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      return Optional.empty();
    }
    try {
      return Optional.of(InboundBytes.decode(Arrays.copyOfRange(bytes, 1, bytes.length)))
          .filter(stray -> stray.key().filter(Strays::isId).isPresent())
          .filter(stray -> home(stray.key().orElseThrow()) == partition);
    } catch (RuntimeException e) {
      LOG.debug("The carried record cannot be decoded", e);
      return Optional.empty();
    }
  }

  private static Problem unreadable() {
    String message =
        "the record is no stray that this version of Waterclock can read; only the scheduler writes"
            + " to this topic";
    return Problems.of("", message);
  }

  /** Logs the first stray of the task: strays are no fault, but slower than other records. */
  private void log(Inbound stray) {
    if (!logged) {
      logged = true;
      LOG.info(
          "{} is not in the partition of its key: the scheduler moves it there, and later ones too;"
              + " a client that hashes keys with murmur2, as Java's does, avoids the detour"
              + " (librdkafka: partitioner=murmur2_random)",
          stray.revision());
    }
    LOG.debug("Moving {} at {} home", stray.keyText(), stray.revision());
  }

  private Problem tooLarge(Inbound stray, int size, int limit) {
    String message =
        ("the record is in partition %s but its id belongs to partition %s, and with"
                + " %s bytes it is too large to be moved there, which takes at most %s: make"
                + " it smaller, or let your client hash keys with murmur2 as Java's does"
                + " (librdkafka: partitioner=murmur2_random)")
            .formatted(stray.partition(), home(stray.key().orElseThrow()), size, limit);
    return Problems.of("", message);
  }

  private int home(byte[] key) {
    return HomePartition.of(key, settings.channels().partitions());
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

package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.Resumed;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Expectation;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Encodes state values as bytes. Each begins with the version of its layout, so that later versions
 * of the software can read it. Instants are epoch milliseconds. Progress, carried occurrences and
 * waiting fires are the Avro records of an export.
 */
final class StateCodec {
  /** The newest layout. */
  static final byte VERSION = 1;

  /** Of a backfill by the revision in force. */
  private static final long IN_FORCE = -1;

  private static final int RESUMED = 1;
  private static final int HELD_UNTIL = 2;
  private static final int BORN_AFTER = 4;

  private static final byte OLDER = 1;
  private static final byte CARRIED = 2;

  byte[] encode(StoredSchedule stored) {
    return write(
        out -> {
          optional(out, stored.completedAt());
          accepted(out, stored.accepted());
        });
  }

  StoredSchedule decodeSchedule(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    Optional<Instant> completedAt = StateBytes.optional(in);
    return new StoredSchedule(accepted(in), completedAt);
  }

  byte[] encode(ReplacedRevision older) {
    return write(
        out -> {
          out.writeByte(OLDER);
          accepted(out, older.accepted());
        });
  }

  byte[] encode(CarriedOccurrences carried) {
    return write(
        out -> {
          out.writeByte(CARRIED);
          out.write(RecordCodecs.exportedRange().encodeBody(ExportedStates.of(carried)));
        });
  }

  /** For a value of which {@link #isOlder} is true. */
  ReplacedRevision decodeOlder(long seq, byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    in.get();
    return new ReplacedRevision(seq, accepted(in));
  }

  CarriedOccurrences decodeCarried(long seq, byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    in.get();
    return ExportedStates.carried(
        seq, RecordCodecs.exportedRange().decodeBody(bytes, in.position(), in.remaining()));
  }

  static boolean isOlder(byte[] bytes) {
    return bytes[1] == OLDER;
  }

  byte[] encode(StoredProgress progress) {
    return write(
        out -> {
          out.writeBoolean(progress.hasParts());
          optionalText(out, progress.fault());
          out.write(RecordCodecs.exportedState().encodeBody(progress.record()));
        });
  }

  StoredProgress decodeProgress(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    boolean hasParts = in.get() != 0;
    Optional<String> fault = StateBytes.optionalText(in);
    return new StoredProgress(
        hasParts,
        fault,
        RecordCodecs.exportedState().decodeBody(bytes, in.position(), in.remaining()));
  }

  /** As {@link StoredProgress#hasParts}, without decoding the rest. */
  boolean hasParts(byte[] bytes) {
    return StateBytes.open(bytes, VERSION).get() != 0;
  }

  byte[] encode(ManualFire fire) {
    return write(out -> out.write(RecordCodecs.orderedFire().encodeBody(ExportedStates.of(fire))));
  }

  ManualFire decodeFire(long seq, byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    return ExportedStates.fire(
        seq, RecordCodecs.orderedFire().decodeBody(bytes, in.position(), in.remaining()));
  }

  byte[] encode(StoredOrders orders) {
    WaitingFires waiting = orders.fires();
    return write(
        out -> {
          out.writeLong(waiting.first());
          out.writeLong(waiting.next());
          out.writeLong(waiting.bytes());
          out.writeLong(waiting.replacedBefore());
          for (OptionalLong under : orders.backfills()) {
            out.writeLong(under.orElse(IN_FORCE));
          }
        });
  }

  StoredOrders decodeOrders(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    WaitingFires waiting =
        new WaitingFires(in.getLong(), in.getLong(), in.getLong(), in.getLong(), List.of());
    List<OptionalLong> backfills = new ArrayList<>();
    while (in.hasRemaining()) {
      long under = in.getLong();
      backfills.add(under == IN_FORCE ? OptionalLong.empty() : OptionalLong.of(under));
    }
    return new StoredOrders(waiting, backfills);
  }

  byte[] encode(Position position, long clockMs) {
    return write(
        out -> {
          out.writeLong(clockMs);
          out.writeLong(position.dueMs());
          out.write(position.id());
        });
  }

  /** A value that is a single number: an instant in epoch milliseconds, or an offset. */
  byte[] encode(long number) {
    return write(out -> out.writeLong(number));
  }

  long decodeNumber(byte[] bytes) {
    return StateBytes.open(bytes, VERSION).getLong();
  }

  StoredPosition decodePosition(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    long clockMs = in.getLong();
    long dueMs = in.getLong();
    byte[] id = new byte[in.remaining()];
    in.get(id);
    return new StoredPosition(new Position(dueMs, id), clockMs);
  }

  byte[] encode(CalendarVersion version) {
    return write(
        out -> {
          out.writeLong(version.offset());
          instant(out, version.writtenAt());
          optional(out, version.effectiveAt());
          out.writeBoolean(version.calendar().isPresent());
          if (version.calendar().isPresent()) {
            out.write(RecordCodecs.calendar().encodeBody(version.calendar().get()));
          }
        });
  }

  CalendarVersion decodeCalendar(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    return new CalendarVersion(
        in.getLong(),
        StateBytes.instant(in),
        StateBytes.optional(in),
        in.get() == 0
            ? Optional.empty()
            : Optional.of(
                RecordCodecs.calendar()
                    .decodeBody(in.array(), in.arrayOffset() + in.position(), in.remaining())));
  }

  /** A calendar's version, without decoding its dates. */
  KnownCalendar decodeKnown(long seq, byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    return new KnownCalendar(
        seq,
        in.getLong(),
        StateBytes.instant(in),
        StateBytes.optional(in),
        in.get() == 0,
        in.remaining());
  }

  /** True if a calendar's version has this body; empty for a deletion. */
  boolean isCalendar(byte[] bytes, Optional<byte[]> body) {
    KnownCalendar known = decodeKnown(0, bytes);
    int from = bytes.length - known.bytes();
    return body.map(
            wanted ->
                !known.deleted()
                    && Arrays.equals(bytes, from, bytes.length, wanted, 0, wanted.length))
        .orElse(known.deleted());
  }

  private void accepted(DataOutputStream out, Accepted accepted) throws IOException {
    text(out, accepted.revision());
    instant(out, accepted.effectiveAt());
    instant(out, accepted.ownsAfter());
    optional(out, accepted.resolvedAt());
    optional(out, accepted.boundedBy());
    optional(out, accepted.dueFloor());
    optional(out, accepted.ownedBefore());
    instant(out, accepted.writtenAt());
    boolean isOwn = accepted.namesAfter().equals(accepted.ownsAfter());
    optional(out, isOwn ? Optional.empty() : Optional.of(accepted.namesAfter()));
    past(out, accepted.past());
    out.write(accepted.snapshot().body());
  }

  /** A byte that says which parts follow, and these. */
  private void past(DataOutputStream out, Past past) throws IOException {
    int parts =
        (past.resumed().isPresent() ? RESUMED : 0)
            | (past.heldUntil().isPresent() ? HELD_UNTIL : 0)
            | (past.bornAfter().isPresent() ? BORN_AFTER : 0);
    for (Expectation each : past.expectedSince().keySet()) {
      parts |= expectedSince(each);
    }
    out.writeByte(parts);
    if (past.resumed().isPresent()) {
      instant(out, past.resumed().get().at());
      text(out, past.resumed().get().written().record());
      out.writeBoolean(past.resumed().get().firesOnce());
    }
    if (past.heldUntil().isPresent()) {
      instant(out, past.heldUntil().get());
    }
    if (past.bornAfter().isPresent()) {
      instant(out, past.bornAfter().get());
    }
    for (Expectation each : Expectation.values()) {
      Instant since = past.expectedSince().get(each);
      if (since != null) {
        instant(out, since);
      }
    }
  }

  private Past past(ByteBuffer in) {
    byte parts = in.get();
    Optional<Resumed> resumed =
        (parts & RESUMED) == 0
            ? Optional.empty()
            : Optional.of(
                new Resumed(
                    new Written(StateBytes.instant(in), StateBytes.text(in)), in.get() != 0));
    Optional<Instant> heldUntil = part(in, parts & HELD_UNTIL);
    Optional<Instant> bornAfter = part(in, parts & BORN_AFTER);
    Map<Expectation, Instant> since = new EnumMap<>(Expectation.class);
    for (Expectation each : Expectation.values()) {
      part(in, parts & expectedSince(each)).ifPresent(at -> since.put(each, at));
    }
    return parts == 0 ? Past.NONE : new Past(resumed, heldUntil, bornAfter, since);
  }

  private static int expectedSince(Expectation expectation) {
    return switch (expectation) {
      case STARTED_WITHIN -> 8;
      case SUCCEEDED_WITHIN -> 16;
      case SUCCEEDED_EVERY -> 32;
    };
  }

  private static Optional<Instant> part(ByteBuffer in, int isThere) {
    return isThere == 0 ? Optional.empty() : Optional.of(StateBytes.instant(in));
  }

  private Accepted accepted(ByteBuffer in) {
    String revision = StateBytes.text(in);
    Instant effectiveAt = StateBytes.instant(in);
    Instant ownsAfter = StateBytes.instant(in);
    Optional<Instant> resolvedAt = StateBytes.optional(in);
    Optional<Instant> boundedBy = StateBytes.optional(in);
    Optional<Instant> dueFloor = StateBytes.optional(in);
    Optional<Instant> ownedBefore = StateBytes.optional(in);
    Instant writtenAt = StateBytes.instant(in);
    Optional<Instant> namesAfter = StateBytes.optional(in);
    Past past = past(in);
    ScheduleSnapshot snapshot =
        ScheduleSnapshot.ofBody(in.array(), in.arrayOffset() + in.position(), in.remaining());
    return new Accepted(
        snapshot,
        revision,
        effectiveAt,
        ownsAfter,
        namesAfter.orElse(ownsAfter),
        resolvedAt,
        boundedBy,
        dueFloor,
        ownedBefore,
        writtenAt,
        past);
  }

  @FunctionalInterface
  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] write(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void instant(DataOutputStream out, Instant instant) throws IOException {
    out.writeLong(instant.toEpochMilli());
  }

  private static void optional(DataOutputStream out, Optional<Instant> instant) throws IOException {
    out.writeBoolean(instant.isPresent());
    if (instant.isPresent()) {
      instant(out, instant.get());
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void optionalText(DataOutputStream out, Optional<String> text) throws IOException {
    out.writeBoolean(text.isPresent());
    if (text.isPresent()) {
      text(out, text.get());
    }
  }
}

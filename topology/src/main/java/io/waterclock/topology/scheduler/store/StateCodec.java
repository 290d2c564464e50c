package io.waterclock.topology.scheduler.store;

import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.topology.scheduler.model.Accepted;
import io.waterclock.topology.scheduler.model.Backfill;
import io.waterclock.topology.scheduler.model.CarriedOccurrences;
import io.waterclock.topology.scheduler.model.CommandState;
import io.waterclock.topology.scheduler.model.Failures;
import io.waterclock.topology.scheduler.model.FirePlan;
import io.waterclock.topology.scheduler.model.ManualFire;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.Pause;
import io.waterclock.topology.scheduler.model.ReplacedRevision;
import io.waterclock.topology.scheduler.model.ResumeFire;
import io.waterclock.topology.scheduler.model.Resumed;
import io.waterclock.topology.scheduler.model.Run;
import io.waterclock.topology.scheduler.model.Runs;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes state values as bytes. Each begins with the version of its layout, so that later versions
 * of the software can read it. Instants are epoch milliseconds.
 */
final class StateCodec {
  static final byte VERSION = 2;

  /** The first layout with the instant from which a trigger applies, and that of a Resume. */
  private static final byte WITH_RESUMED = 2;

  /**
   * The fields at the end of a definition since layout 2, with the values that apply to layout 1:
   * timeout_none, report_all and rearm are false, backoff_growth is DOUBLING.
   */
  private static final byte[] DEFAULTS_SINCE_LAYOUT_1 = {0, 0, 0, 0};

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
    ByteBuffer in = open(bytes);
    Optional<Instant> completedAt = optional(in);
    return new StoredSchedule(accepted(in, bytes[0]), completedAt);
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
          text(out, carried.revision());
          instant(out, carried.first());
          instant(out, carried.last().at());
          instant(out, carried.last().due());
          optional(out, carried.beforeLast());
          out.writeLong(carried.count());
          out.writeBoolean(carried.exact());
          out.writeBoolean(carried.collapses());
        });
  }

  /** For a value of which {@link #isOlder} is true. */
  ReplacedRevision decodeOlder(long seq, byte[] bytes) {
    ByteBuffer in = open(bytes);
    in.get();
    return new ReplacedRevision(seq, accepted(in, bytes[0]));
  }

  CarriedOccurrences decodeCarried(long seq, byte[] bytes) {
    ByteBuffer in = open(bytes);
    in.get();
    return new CarriedOccurrences(
        seq,
        text(in),
        instant(in),
        new Occurrence(instant(in), instant(in)),
        optional(in),
        in.getLong(),
        in.get() != 0,
        in.get() != 0);
  }

  static boolean isOlder(byte[] bytes) {
    return bytes[1] == OLDER;
  }

  byte[] encode(StoredProgress progress) {
    return write(
        out -> {
          instant(out, progress.decidedThrough());
          optional(out, progress.replayThrough());
          optionalText(out, progress.fault());
          out.writeBoolean(progress.hasParts());
          orders(out, progress.orders());
          runs(out, progress.runs());
        });
  }

  StoredProgress decodeProgress(byte[] bytes) {
    ByteBuffer in = open(bytes);
    return new StoredProgress(
        instant(in), optional(in), optionalText(in), in.get() != 0, orders(in), runs(in));
  }

  byte[] encode(ManualFire fire) {
    return write(
        out -> {
          text(out, fire.commandId());
          instant(out, fire.at());
          out.writeBoolean(fire.payload().isPresent());
          if (fire.payload().isPresent()) {
            ByteBuffer payload = fire.payload().get().duplicate();
            byte[] all = new byte[payload.remaining()];
            payload.get(all);
            out.write(all);
          }
        });
  }

  ManualFire decodeFire(long seq, byte[] bytes) {
    ByteBuffer in = open(bytes);
    String commandId = text(in);
    Instant at = instant(in);
    boolean hasPayload = in.get() != 0;
    return new ManualFire(
        seq, commandId, at, hasPayload ? Optional.of(in.slice()) : Optional.empty());
  }

  /** The state without the waiting fires, which have other keys. */
  private static void orders(DataOutputStream out, CommandState orders) throws IOException {
    out.writeBoolean(!orders.isEmpty());
    if (orders.isEmpty()) {
      return;
    }
    out.writeBoolean(orders.pause().isPresent());
    if (orders.pause().isPresent()) {
      Pause pause = orders.pause().get();
      instant(out, pause.since());
      optionalText(out, pause.note());
      optionalText(out, pause.author());
    }
    out.writeBoolean(orders.resumed());
    out.writeBoolean(orders.held().isPresent());
    if (orders.held().isPresent()) {
      held(out, orders.held().get());
    }
    out.writeInt(orders.skips().size());
    for (Instant skip : orders.skips()) {
      instant(out, skip);
    }
    out.writeInt(orders.backfills().size());
    for (Backfill backfill : orders.backfills()) {
      text(out, backfill.commandId());
      instant(out, backfill.from());
      instant(out, backfill.to());
      instant(out, backfill.firedThrough());
      out.writeLong(backfill.fired());
    }
  }

  private static CommandState orders(ByteBuffer in) {
    if (in.get() == 0) {
      return CommandState.NONE;
    }
    Optional<Pause> pause =
        in.get() == 0
            ? Optional.empty()
            : Optional.of(new Pause(instant(in), optionalText(in), optionalText(in)));
    boolean resumed = in.get() != 0;
    Optional<ResumeFire> held = in.get() == 0 ? Optional.empty() : Optional.of(held(in));
    int skipCount = in.getInt();
    List<Instant> skips = new ArrayList<>(skipCount);
    for (int i = 0; i < skipCount; i++) {
      skips.add(instant(in));
    }
    int backfillCount = in.getInt();
    List<Backfill> backfills = new ArrayList<>(backfillCount);
    for (int i = 0; i < backfillCount; i++) {
      backfills.add(new Backfill(text(in), instant(in), instant(in), instant(in), in.getLong()));
    }
    return new CommandState(
        pause, resumed, held, List.copyOf(skips), List.of(), List.copyOf(backfills));
  }

  /** Writes nothing without runs, which is the usual case. */
  private static void runs(DataOutputStream out, Runs runs) throws IOException {
    if (runs.isEmpty()) {
      return;
    }
    out.writeBoolean(runs.latest().isPresent());
    if (runs.latest().isPresent()) {
      Run run = runs.latest().get();
      instant(out, run.at());
      instant(out, run.firedAt());
      out.writeLong(run.timeout().toMillis());
      instant(out, run.endsAt());
      out.writeBoolean(run.ended());
    }
    optional(out, runs.failures().after());
    out.writeInt(runs.failures().failed().size());
    for (Instant failed : runs.failures().failed()) {
      instant(out, failed);
    }
  }

  private static Runs runs(ByteBuffer in) {
    if (!in.hasRemaining()) {
      return Runs.NONE;
    }
    Optional<Run> latest =
        in.get() == 0
            ? Optional.empty()
            : Optional.of(
                new Run(
                    instant(in),
                    instant(in),
                    Duration.ofMillis(in.getLong()),
                    instant(in),
                    in.get() != 0));
    Optional<Instant> after = optional(in);
    int count = in.getInt();
    List<Instant> failed = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      failed.add(instant(in));
    }
    return new Runs(latest, new Failures(after, List.copyOf(failed)));
  }

  private static void held(DataOutputStream out, ResumeFire held) throws IOException {
    instant(out, held.at());
    out.writeBoolean(held.others().isPresent());
    if (held.others().isPresent()) {
      FirePlan.CollapsedRange others = held.others().get();
      out.writeLong(others.count());
      out.writeBoolean(others.exact());
      instant(out, others.first());
    }
  }

  private static ResumeFire held(ByteBuffer in) {
    Instant at = instant(in);
    return new ResumeFire(
        at,
        in.get() == 0
            ? Optional.empty()
            : Optional.of(new FirePlan.CollapsedRange(in.getLong(), in.get() != 0, instant(in))));
  }

  byte[] encode(Position position, long clockMs) {
    return write(
        out -> {
          out.writeLong(clockMs);
          out.writeLong(position.dueMs());
          out.write(position.id());
        });
  }

  byte[] encodeDropped(long dueMs) {
    return write(out -> out.writeLong(dueMs));
  }

  long decodeDropped(byte[] bytes) {
    return open(bytes).getLong();
  }

  StoredPosition decodePosition(byte[] bytes) {
    ByteBuffer in = open(bytes);
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
    ByteBuffer in = open(bytes);
    return new CalendarVersion(
        in.getLong(),
        instant(in),
        optional(in),
        in.get() == 0
            ? Optional.empty()
            : Optional.of(
                RecordCodecs.calendar()
                    .decodeBody(in.array(), in.arrayOffset() + in.position(), in.remaining())));
  }

  byte[] encodeOffset(long offset) {
    return write(out -> out.writeLong(offset));
  }

  long decodeOffset(byte[] bytes) {
    return open(bytes).getLong();
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
    optional(out, accepted.resumed().map(Resumed::at));
    if (accepted.resumed().isPresent()) {
      out.writeBoolean(accepted.resumed().get().firesOnce());
    }
    out.write(accepted.snapshot().body());
  }

  private Accepted accepted(ByteBuffer in, byte version) {
    String revision = text(in);
    Instant effectiveAt = instant(in);
    Instant ownsAfter = instant(in);
    Optional<Instant> resolvedAt = optional(in);
    Optional<Instant> boundedBy = optional(in);
    Optional<Instant> dueFloor = optional(in);
    Optional<Instant> ownedBefore = optional(in);
    Instant writtenAt = instant(in);
    Optional<Instant> namesAfter = version < WITH_RESUMED ? Optional.empty() : optional(in);
    Optional<Instant> resumedAt = version < WITH_RESUMED ? Optional.empty() : optional(in);
    Optional<Resumed> resumed = resumedAt.map(at -> new Resumed(at, in.get() != 0));
    ScheduleSnapshot snapshot = definition(in, version);
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
        resumed);
  }

  private static ScheduleSnapshot definition(ByteBuffer in, byte version) {
    int offset = in.arrayOffset() + in.position();
    if (version >= WITH_RESUMED) {
      return ScheduleSnapshot.ofBody(in.array(), offset, in.remaining());
    }
    int size = in.remaining() + DEFAULTS_SINCE_LAYOUT_1.length;
    byte[] body = ByteBuffer.allocate(size).put(in).put(DEFAULTS_SINCE_LAYOUT_1).array();
    return ScheduleSnapshot.ofBody(body, 0, size);
  }

  private static ByteBuffer open(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    checkVersion(version, VERSION);
    return in;
  }

  /** Throws if the layout of a value is newer than this version of the software. */
  static void checkVersion(byte version, byte newest) {
    if (version < 1 || version > newest) {
      throw new IllegalStateException(
          "a state value has layout version "
              + version
              + "; this version of Waterclock reads versions up to "
              + newest
              + ". It was written by a newer version: run that one.");
    }
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

  private static Instant instant(ByteBuffer in) {
    return Instant.ofEpochMilli(in.getLong());
  }

  private static void optional(DataOutputStream out, Optional<Instant> instant) throws IOException {
    out.writeBoolean(instant.isPresent());
    if (instant.isPresent()) {
      instant(out, instant.get());
    }
  }

  private static Optional<Instant> optional(ByteBuffer in) {
    return in.get() == 0 ? Optional.empty() : Optional.of(instant(in));
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

  private static Optional<String> optionalText(ByteBuffer in) {
    return in.get() == 0 ? Optional.empty() : Optional.of(text(in));
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    String text =
        new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }
}

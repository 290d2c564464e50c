package io.waterclock.topology.scheduler.store;

import static io.waterclock.topology.scheduler.store.StateBytes.instant;
import static io.waterclock.topology.scheduler.store.StateBytes.text;

import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedRun;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.HeldOccurrence;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.RunningBackfill;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what layouts 1 and 2 stored beside definitions, after the version byte, to the records of
 * layout 3. Nothing writes these layouts any more.
 */
final class EarlierLayouts {
  private EarlierLayouts() {}

  /** The record has no values of the definition, not even those that an export requires. */
  static StoredProgress progress(ByteBuffer in) {
    ExportedState record = new ExportedState();
    record.setDecidedThrough(instant(in));
    record.setReplayThrough(optional(in, StateBytes::instant));
    Optional<String> fault = StateBytes.optionalText(in);
    boolean hasParts = flag(in);
    boolean isCommanded = flag(in);
    if (isCommanded) {
      record.setPause(optional(in, EarlierLayouts::pause));
      record.setResumed(flag(in));
      record.setHeld(optional(in, EarlierLayouts::held));
    }
    record.setSkips(isCommanded ? list(in, StateBytes::instant) : List.of());
    record.setFires(List.of());
    record.setBackfills(isCommanded ? list(in, EarlierLayouts::backfill) : List.of());
    record.setOlder(List.of());
    record.setCarried(List.of());
    boolean hasRuns = in.hasRemaining();
    if (hasRuns) {
      record.setRun(optional(in, EarlierLayouts::run));
      record.setFailuresAfter(optional(in, StateBytes::instant));
    }
    record.setFailed(hasRuns ? list(in, StateBytes::instant) : List.of());
    return new StoredProgress(hasParts, fault, record);
  }

  static ExportedRange carried(ByteBuffer in) {
    return new ExportedRange(
        text(in),
        instant(in),
        instant(in),
        instant(in),
        optional(in, StateBytes::instant),
        in.getLong(),
        !flag(in),
        flag(in));
  }

  static OrderedFire fire(ByteBuffer in) {
    return new OrderedFire(text(in), instant(in), optional(in, ByteBuffer::slice));
  }

  private static CommandedPause pause(ByteBuffer in) {
    return new CommandedPause(
        instant(in), optional(in, StateBytes::text), optional(in, StateBytes::text));
  }

  private static HeldOccurrence held(ByteBuffer in) {
    return new HeldOccurrence(
        instant(in),
        optional(in, others -> new Collapsed(others.getLong(), !flag(others), instant(others))));
  }

  private static RunningBackfill backfill(ByteBuffer in) {
    return new RunningBackfill(text(in), instant(in), instant(in), instant(in), in.getLong());
  }

  private static ExportedRun run(ByteBuffer in) {
    return new ExportedRun(instant(in), instant(in), in.getLong(), instant(in), flag(in));
  }

  private static boolean flag(ByteBuffer in) {
    return in.get() != 0;
  }

  private static <T> @Nullable T optional(ByteBuffer in, Function<ByteBuffer, T> value) {
    return flag(in) ? value.apply(in) : null;
  }

  private static <T> List<T> list(ByteBuffer in, Function<ByteBuffer, T> element) {
    return Stream.generate(() -> element.apply(in)).limit(in.getInt()).toList();
  }
}

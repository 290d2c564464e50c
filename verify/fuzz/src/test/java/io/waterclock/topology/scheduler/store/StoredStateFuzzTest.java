package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Values of state stores in every layout, as a changelog may hold them after a disk or a person has
 * changed bytes. Reading is bounded and fails with an exception, never with an error of the JVM.
 * What is read is written and read again as the same.
 */
final class StoredStateFuzzTest {
  private static final StateCodec CODEC = new StateCodec();

  @FuzzTest
  void schedule(byte @NotNull [] value) throws Exception {
    read(value, () -> CODEC.decodeSchedule(value))
        .ifPresent(
            stored -> {
              byte[] written = CODEC.encode(stored);
              assertThat(CODEC.decodeSchedule(written)).isEqualTo(stored);
              assertThat(CODEC.encode(CODEC.decodeSchedule(written))).isEqualTo(written);
            });
  }

  @FuzzTest
  void progress(byte @NotNull [] value) throws Exception {
    read(value, () -> CODEC.decodeProgress(value))
        .ifPresent(stored -> assertThat(CODEC.hasParts(value)).isEqualTo(stored.hasParts()));
  }

  @FuzzTest
  void parts(byte @NotNull [] value) throws Exception {
    if (value.length < 2) {
      return;
    }
    if (StateCodec.isOlder(value)) {
      read(value, () -> CODEC.decodeOlder(1, value))
          .ifPresent(
              older -> assertThat(CODEC.decodeOlder(1, CODEC.encode(older))).isEqualTo(older));
    } else {
      read(value, () -> CODEC.decodeCarried(1, value))
          .ifPresent(
              carried ->
                  assertThat(CODEC.decodeCarried(1, CODEC.encode(carried))).isEqualTo(carried));
    }
    read(value, () -> CODEC.decodeFire(1, value))
        .ifPresent(fire -> assertThat(CODEC.decodeFire(1, CODEC.encode(fire))).isEqualTo(fire));
  }

  @FuzzTest
  void others(byte @NotNull [] value) throws Exception {
    read(value, () -> CODEC.decodeCalendar(value))
        .ifPresent(
            version -> assertThat(CODEC.decodeCalendar(CODEC.encode(version))).isEqualTo(version));
    read(value, () -> CODEC.decodePosition(value))
        .ifPresent(
            stored ->
                assertThat(
                        CODEC
                            .decodePosition(CODEC.encode(stored.position(), stored.clockMs()))
                            .position())
                    .isEqualTo(stored.position()));
    read(value, () -> CODEC.decodeNumber(value))
        .ifPresent(
            number -> assertThat(CODEC.decodeNumber(CODEC.encode(number))).isEqualTo(number));
  }

  /** A record that waits for its schema, as the store holds it. */
  @FuzzTest
  void held(byte @NotNull [] value) throws Exception {
    Optional<Inbound> read = read(value, () -> InboundBytes.decode(value));
    if (read.isPresent()) {
      byte[] written = InboundBytes.encode(read.get());
      assertThat(InboundBytes.encode(InboundBytes.decode(written))).isEqualTo(written);
    }
  }

  private static <T> Optional<T> read(byte[] value, Callable<T> reader) throws Exception {
    try {
      return Optional.of(Claims.bounded(value.length, reader));
    } catch (RuntimeException broken) {
      return Optional.empty();
    }
  }
}

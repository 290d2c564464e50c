package io.waterclock.topology.scheduler.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Reads what the values of all stores are made of. */
final class StateBytes {
  private StateBytes() {}

  /**
   * A value behind the version of its layout, which is its first byte.
   *
   * @throws IllegalStateException if the layout is newer than this version of the software
   */
  static ByteBuffer open(byte[] bytes, byte newest) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version < 1 || version > newest) {
      throw new IllegalStateException(
          ("a state value has layout version %s; this version of Waterclock reads"
                  + " versions up to %s. It was written by a newer version: run that one.")
              .formatted(version, newest));
    }
    return in;
  }

  static Instant instant(ByteBuffer in) {
    return Instant.ofEpochMilli(in.getLong());
  }

  static Optional<Instant> optional(ByteBuffer in) {
    return in.get() == 0 ? Optional.empty() : Optional.of(instant(in));
  }

  static Optional<String> optionalText(ByteBuffer in) {
    return in.get() == 0 ? Optional.empty() : Optional.of(text(in));
  }

  static String text(ByteBuffer in) {
    int length = in.getInt();
    String text =
        new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }
}

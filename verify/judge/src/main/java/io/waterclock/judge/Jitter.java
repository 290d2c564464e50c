package io.waterclock.judge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The published jitter: FNV-1a over the id and the instant, mixed as SplitMix64 mixes. */
public final class Jitter {
  private Jitter() {}

  /**
   * How long after an occurrence a fire is due.
   *
   * @param spreadMs exclusive
   */
  public static long offsetMs(String id, long occurrenceMs, long spreadMs) {
    if (spreadMs <= 1) {
      return 0;
    }
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = ByteBuffer.allocate(text.length + 8).put(text).putLong(occurrenceMs).array();
    long hash = 0xcbf29ce484222325L;
    for (byte b : bytes) {
      hash ^= Byte.toUnsignedInt(b);
      hash *= 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return Long.remainderUnsigned(hash, spreadMs);
  }
}

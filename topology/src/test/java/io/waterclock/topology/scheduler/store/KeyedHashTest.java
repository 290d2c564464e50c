package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class KeyedHashTest {
  /** Those of the reference implementation, whose inputs are the bytes 0, 1, 2 and so on. */
  @Test
  void it_is_siphash_1_3() {
    KeyedHash hash = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(LongStream.of(0, 1, 7, 8, 15, 63).map(length -> hash.of(upTo(length))))
        .containsExactly(
            0xabac0158050fc4dcL,
            0xc9f49bf37d57ca93L,
            0xd3927d989bb11140L,
            0x369095118d299a8eL,
            0xd320d86d2a519956L,
            0x9d199062b7bbb3a8L);
  }

  private static byte[] upTo(long length) {
    byte[] bytes = new byte[(int) length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void each_queue_has_a_key_of_its_own() {
    assertThat(KeyedHash.random().of(upTo(8))).isNotEqualTo(KeyedHash.random().of(upTo(8)));
  }
}

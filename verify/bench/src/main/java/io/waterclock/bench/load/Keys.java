package io.waterclock.bench.load;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Schedule ids of 16 bytes: four letters that name the phase, twelve digits. Read back from fire
 * keys, which begin with them and end in {@code |<occurrence>}.
 */
public final class Keys {
  private static final int LETTERS = 4;
  private static final int LENGTH = 16;

  private Keys() {}

  /**
   * @param phase four letters
   */
  public static String id(String phase, int number) {
    String digits = Integer.toString(number);
    return phase + "0".repeat(LENGTH - LETTERS - digits.length()) + digits;
  }

  public static boolean isOf(String phase, byte[] fireKey) {
    for (int i = 0; i < LETTERS; i++) {
      if (fireKey[i] != phase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  public static int number(byte[] fireKey) {
    int number = 0;
    for (int i = LETTERS; i < LENGTH; i++) {
      number = number * 10 + (fireKey[i] - '0');
    }
    return number;
  }

  public static long occurrenceMs(byte[] fireKey) {
    int start = LENGTH + 1;
    return Instant.parse(
            new String(fireKey, start, fireKey.length - start, StandardCharsets.US_ASCII))
        .toEpochMilli();
  }
}

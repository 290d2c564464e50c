package io.waterclock.console.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bytes of bodies that are in memory together: those of requests from the end of their
 * header until they are answered, and those of answers until their receiver has taken them. A small
 * body always has room: the number of connections bounds them. Thread-safe.
 */
final class BytesUnderWay {
  /** Of all together. */
  static final int MOST = 32 << 20;

  /** Of one who asks, but for a single body that is longer. */
  static final int MOST_OF_ONE = 8 << 20;

  /** So that the pages of others go on while all the room is taken. */
  private static final int SMALL = 64 << 10;

  private final Map<String, Integer> ofOne = new HashMap<>();
  private int all;

  /**
   * Takes room for a body, to be given back.
   *
   * @return false if there is none
   */
  synchronized boolean take(String who, int bytes) {
    if (bytes <= SMALL) {
      return true;
    }
    int own = ofOne.getOrDefault(who, 0);
    if (bytes > MOST - all || (own > 0 && bytes > MOST_OF_ONE - own)) {
      return false;
    }
    all += bytes;
    ofOne.put(who, own + bytes);
    return true;
  }

  synchronized void giveBack(String who, int bytes) {
    if (bytes <= SMALL) {
      return;
    }
    all -= bytes;
    ofOne.merge(who, -bytes, Integer::sum);
    ofOne.remove(who, 0);
  }
}

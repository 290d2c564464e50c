package io.waterclock.console.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bytes of bodies that are in memory together: those of requests from the end of their
 * header until they are answered, and those of answers and events while they are made, and until
 * their receiver has taken them. A small body always has room: the number of connections bounds
 * them. Thread-safe.
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
  boolean take(String who, int bytes) {
    return resize(who, 0, bytes);
  }

  /**
   * Takes room for a body whose length changes, in place of the room that it has.
   *
   * @return false if there is none; the body keeps the room that it has
   */
  synchronized boolean resize(String who, int before, int after) {
    int had = counted(before);
    int wanted = counted(after);
    int others = ofOne.getOrDefault(who, 0) - had;
    if (wanted > had
        && (wanted > MOST - (all - had) || (others > 0 && wanted > MOST_OF_ONE - others))) {
      return false;
    }
    all += wanted - had;
    ofOne.put(who, others + wanted);
    ofOne.remove(who, 0);
    return true;
  }

  void giveBack(String who, int bytes) {
    resize(who, bytes, 0);
  }

  private static int counted(int bytes) {
    return bytes <= SMALL ? 0 : bytes;
  }
}

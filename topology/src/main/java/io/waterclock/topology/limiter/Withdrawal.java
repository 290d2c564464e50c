package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.WaitingNote;
import java.time.Instant;

/**
 * What becomes of the fires of a schedule that wait, instead of a start.
 *
 * @param offset of the record that says so; later ones are not concerned
 * @param at when the scheduler decided it
 * @param note withdrawn or moved
 */
record Withdrawal(long offset, Instant at, WaitingNote note) {

  /**
   * Whether it concerns a fire that comes from another group: both were decided in the partition of
   * their schedule, so their times tell their order. A fire follows each move once.
   *
   * @param movedAt when the schedule of the fire came to this group
   */
  boolean concerns(Instant movedAt) {
    return note instanceof WaitingNote.Moved ? at.isAfter(movedAt) : !at.isBefore(movedAt);
  }

  byte[] bytes() {
    return (offset + " " + at.toEpochMilli() + " " + note.text()).getBytes(UTF_8);
  }

  static Withdrawal of(byte[] bytes) {
    String[] words = new String(bytes, UTF_8).split(" ", 3);
    return new Withdrawal(
        Long.parseLong(words[0]),
        Instant.ofEpochMilli(Long.parseLong(words[1])),
        WaitingNote.parse(words[2]));
  }
}

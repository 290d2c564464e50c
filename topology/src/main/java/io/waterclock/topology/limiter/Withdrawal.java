package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.WaitingNote;

/**
 * What becomes of the fires of a schedule that wait, instead of a start.
 *
 * @param offset of the record that says so; later ones are not concerned
 * @param note withdrawn or moved
 */
record Withdrawal(long offset, WaitingNote note) {
  byte[] bytes() {
    return (offset + " " + note.text()).getBytes(UTF_8);
  }

  static Withdrawal of(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    int space = text.indexOf(' ');
    return new Withdrawal(
        Long.parseLong(text.substring(0, space)), WaitingNote.parse(text.substring(space + 1)));
  }
}

package io.waterclock.console.http;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Makes the bytes of an answer, and takes room for them while they are made: a text may take six
 * times as many bytes as it has characters. For one thread.
 */
final class AnswerBytes extends OutputStream {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STEP = 64 << 10;

  private final BytesUnderWay underWay;
  private final String who;
  private final ByteArrayBuilder bytes = new ByteArrayBuilder();
  private int room;

  private AnswerBytes(BytesUnderWay underWay, String who) {
    this.underWay = underWay;
    this.who = who;
  }

  /** The bytes, whose room is to be given back; empty if there is none. */
  static Optional<byte[]> of(JsonNode tree, BytesUnderWay underWay, String who) {
    try (AnswerBytes answer = new AnswerBytes(underWay, who)) {
      return answer.write(tree);
    }
  }

  private Optional<byte[]> write(JsonNode tree) {
    try {
      JSON.writeValue(this, tree);
      byte[] made = bytes.toByteArray();
      underWay.resize(who, room, made.length);
      room = 0;
      return Optional.of(made);
    } catch (NoRoomException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] more, int offset, int length) throws IOException {
    int needed = bytes.size() + length;
    if (needed > room) {
      int wanted = (needed + STEP - 1) / STEP * STEP;
      if (!underWay.resize(who, room, wanted)) {
        throw new NoRoomException();
      }
      room = wanted;
    }
    bytes.write(more, offset, length);
  }

  /** Gives back the room of an answer that is not made. */
  @Override
  public void close() {
    underWay.giveBack(who, room);
    room = 0;
  }

  private static final class NoRoomException extends IOException {}
}

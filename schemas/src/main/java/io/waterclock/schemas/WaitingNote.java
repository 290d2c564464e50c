package io.waterclock.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What a record of the topic waiting says of a group, in two headers. */
public sealed interface WaitingNote {
  /**
   * The record is a fire as the topic fires gets it, but for these headers; its key is the fire
   * key.
   *
   * @param priority the lowest starts first
   * @param due when it was due, in milliseconds since 1970
   * @param expires exclusive: it does not start from then on
   * @param timeout how long it may run
   */
  record Fire(int priority, long due, Optional<Instant> expires, Optional<Duration> timeout)
      implements WaitingNote {}

  /** The fire with this key has ended. */
  record Ended() implements WaitingNote {}

  /** Fires of the schedule with this key that wait do not start. */
  record Withdrawn(MissedReason reason) implements WaitingNote {}

  /**
   * Fires of the schedule with this key that wait go on in another group.
   *
   * @param to empty if they start at once
   */
  record Moved(Optional<LimitName> to) implements WaitingNote {}

  /** Adds the headers. */
  default void addTo(Headers headers, String group) {
    headers.add(HeaderNames.LIMIT, group.getBytes(UTF_8));
    headers.add(HeaderNames.WAITING, text().getBytes(UTF_8));
  }

  /** The note as {@link #parse} reads it. */
  default String text() {
    if (this instanceof Fire fire) {
      return "fire %d %d %s %s"
          .formatted(
              fire.priority(),
              fire.due(),
              fire.expires().map(at -> Long.toString(at.toEpochMilli())).orElse("-"),
              fire.timeout().map(time -> Long.toString(time.toMillis())).orElse("-"));
    }
    if (this instanceof Withdrawn withdrawn) {
      return "withdrawn " + withdrawn.reason();
    }
    return this instanceof Moved moved
        ? "moved " + moved.to().map(LimitName::value).orElse("-")
        : "ended";
  }

  /**
   * Reads the note.
   *
   * @throws IllegalArgumentException if the headers are no note
   */
  static WaitingNote of(Headers headers) {
    return parse(header(headers, HeaderNames.WAITING));
  }

  /** Reads the group; as {@link #of}. */
  static String group(Headers headers) {
    return new LimitName(header(headers, HeaderNames.LIMIT)).value();
  }

  private static String header(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    if (header == null || header.value() == null) {
      throw new IllegalArgumentException("the record has no header " + name);
    }
    return new String(header.value(), UTF_8);
  }

  /** Reads a text of {@link #text}; as {@link #of}. */
  static WaitingNote parse(String text) {
    String[] words = text.split(" ");
    return switch (words[0] + "/" + words.length) {
      case "fire/5" ->
          new Fire(
              Integer.parseInt(words[1]),
              Long.parseLong(words[2]),
              number(words[3]).map(Instant::ofEpochMilli),
              number(words[4]).map(Duration::ofMillis));
      case "ended/1" -> new Ended();
      case "withdrawn/2" -> new Withdrawn(MissedReason.valueOf(words[1]));
      case "moved/2" ->
          new Moved(words[1].equals("-") ? Optional.empty() : Optional.of(new LimitName(words[1])));
      default -> throw new IllegalArgumentException("the header says nothing of a limit");
    };
  }

  private static Optional<Long> number(String word) {
    return word.equals("-") ? Optional.empty() : Optional.of(Long.parseLong(word));
  }

  /** The headers of a fire without the note. */
  static RecordHeaders without(Headers headers) {
    RecordHeaders rest = new RecordHeaders(headers);
    rest.remove(HeaderNames.LIMIT);
    rest.remove(HeaderNames.WAITING);
    return rest;
  }
}

package io.waterclock.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What a record of the topic waiting says, in its headers. */
public sealed interface WaitingNote {
  /** In the place of an optional word. */
  String NONE = "-";

  /**
   * The record is a fire as the topic fires gets it, but for these headers; its key is the fire
   * key.
   *
   * @param priority the lowest starts first
   * @param due when it was due, in milliseconds since 1970
   * @param movedAt when its schedule moved to the group, if it comes from another one
   */
  record Fire(int priority, long due, Terms terms, Optional<Instant> movedAt)
      implements WaitingNote {}

  /** Inclusive. */
  Duration LONGEST_RUN = Duration.ofDays(36_525);

  /**
   * What holds for a fire that waits.
   *
   * @param expires exclusive: it does not start from then on
   * @param timeout how long it may run, at most {@link #LONGEST_RUN}
   */
  record Terms(Optional<Instant> expires, Optional<Duration> timeout, Role role) {}

  /** What a fire is for its schedule. */
  enum Role {
    /** A command has ordered it: no occurrence is missed if it does not start. */
    ORDERED,
    OCCURRENCE,
    /** Of an occurrence; the scheduler must know when it starts, or that it does not. */
    FOLLOWED
  }

  /** A worker has started the fire with this key: its time begins again. */
  record Begun(Instant at) implements WaitingNote {}

  /** The fire with this key has ended. */
  record Ended() implements WaitingNote {}

  /**
   * Fires of the schedule with this key that wait do not start.
   *
   * @param since when the schedule was paused, if that is the reason
   */
  record Withdrawn(MissedReason reason, Optional<Instant> since) implements WaitingNote {
    /** For another reason than a pause. */
    public Withdrawn(MissedReason reason) {
      this(reason, Optional.empty());
    }
  }

  /**
   * Fires of the schedule with this key that wait go on in another group.
   *
   * @param to empty if they start at once
   */
  record Moved(Optional<LimitName> to) implements WaitingNote {}

  /** Adds the headers. */
  default void addTo(Headers headers, LimitName group) {
    headers.add(HeaderNames.LIMIT, group.utf8());
    addTo(headers);
  }

  /** Adds the headers of a note that does not name the group. */
  default void addTo(Headers headers) {
    headers.add(HeaderNames.WAITING, text().getBytes(UTF_8));
  }

  /** The note as {@link #parse} reads it. */
  default String text() {
    if (this instanceof Fire fire) {
      return "fire %d %d %s %s %s %s"
          .formatted(
              fire.priority(),
              fire.due(),
              ms(fire.terms().expires().map(Instant::toEpochMilli)),
              ms(fire.terms().timeout().map(Duration::toMillis)),
              fire.terms().role(),
              ms(fire.movedAt().map(Instant::toEpochMilli)));
    }
    if (this instanceof Withdrawn withdrawn) {
      return "withdrawn "
          + withdrawn.reason()
          + withdrawn.since().map(since -> " " + since.toEpochMilli()).orElse("");
    }
    if (this instanceof Begun begun) {
      return "begun " + begun.at().toEpochMilli();
    }
    return this instanceof Moved moved
        ? "moved " + moved.to().map(LimitName::value).orElse(NONE)
        : "ended";
  }

  private static String ms(Optional<Long> number) {
    return number.map(ms -> Long.toString(ms)).orElse(NONE);
  }

  /**
   * Reads the note.
   *
   * @throws IllegalArgumentException if the headers are no note
   */
  static WaitingNote of(Headers headers) {
    return parse(
        HeaderNames.text(headers, HeaderNames.WAITING)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the record has no header " + HeaderNames.WAITING)));
  }

  /** Reads the group; empty without one. The rest as of {@link #of}. */
  static Optional<LimitName> group(Headers headers) {
    return HeaderNames.text(headers, HeaderNames.LIMIT).map(LimitName::new);
  }

  /**
   * The note that a fire has started, or that it does not, as the scheduler reads it in its topic
   * of outcomes.
   */
  default RecordHeaders ofFire(FireKey fire) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.FIRE_KEY, fire.bytes());
    addTo(headers);
    return headers;
  }

  /** Reads the fire of {@link #ofFire}; the rest as of {@link #of}. */
  static FireKey fireKey(Headers headers) {
    return FireKey.parse(HeaderNames.text(headers, HeaderNames.FIRE_KEY).orElse(""));
  }

  /** Reads a text of {@link #text}; as {@link #of}. */
  static WaitingNote parse(String text) {
    String[] words = text.split(" ", -1);
    return switch (words[0] + "/" + words.length) {
      case "fire/7" ->
          new Fire(
              Integer.parseInt(words[1]),
              Long.parseLong(words[2]),
              new Terms(
                  number(words[3]).map(Instant::ofEpochMilli),
                  number(words[4]).map(Duration::ofMillis),
                  Role.valueOf(words[5])),
              number(words[6]).map(Instant::ofEpochMilli));
      case "begun/2" -> new Begun(Instant.ofEpochMilli(Long.parseLong(words[1])));
      case "ended/1" -> new Ended();
      case "withdrawn/2" -> new Withdrawn(MissedReason.valueOf(words[1]));
      case "withdrawn/3" ->
          new Withdrawn(
              MissedReason.valueOf(words[1]), number(words[2]).map(Instant::ofEpochMilli));
      case "moved/2" ->
          new Moved(
              words[1].equals(NONE) ? Optional.empty() : Optional.of(new LimitName(words[1])));
      default -> throw new IllegalArgumentException("the header says nothing of a limit");
    };
  }

  private static Optional<Long> number(String word) {
    return word.equals(NONE) ? Optional.empty() : Optional.of(Long.parseLong(word));
  }

  /** The headers of a fire without the note. */
  static RecordHeaders without(Headers headers) {
    RecordHeaders rest = new RecordHeaders(headers);
    rest.remove(HeaderNames.LIMIT);
    rest.remove(HeaderNames.WAITING);
    return rest;
  }
}

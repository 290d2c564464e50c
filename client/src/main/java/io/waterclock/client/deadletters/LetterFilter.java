package io.waterclock.client.deadletters;

import io.waterclock.client.topics.Partitions;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which dead letters; one must match everything that is given.
 *
 * @param places in the dead-letter topic; empty for all
 * @param reason a part of the reason, in upper or lower case
 * @param topic in which the record was, or the target of a fire
 * @param key of the record, as text
 * @param keyStart what the key begins with
 * @param owner of the record's schedule
 * @param from when the dead letter was written, inclusive
 * @param to the same, exclusive
 */
public record LetterFilter(
    Set<Partitions.Place> places,
    Optional<String> reason,
    Optional<String> topic,
    Optional<String> key,
    String keyStart,
    Optional<String> owner,
    Instant from,
    Instant to) {
  /** Every dead letter. */
  public static final LetterFilter ALL =
      new LetterFilter(
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          "",
          Optional.empty(),
          Instant.MIN,
          Instant.MAX);

  public LetterFilter {
    places = Set.copyOf(places);
    reason = reason.map(text -> text.toLowerCase(Locale.ROOT));
  }

  /** Whether it selects everything. */
  public boolean isAll() {
    return equals(ALL);
  }

  /** Whether a dead letter matches, but for its owner. */
  public boolean matches(FailedRecord letter) {
    return (places.isEmpty() || places.contains(letter.place()))
        && !letter.at().isBefore(from)
        && letter.at().isBefore(to)
        && reason.filter(part -> !letter.reason().toLowerCase(Locale.ROOT).contains(part)).isEmpty()
        && topic.filter(name -> !isAbout(letter, name)).isEmpty()
        && key.filter(text -> !letter.content().keyText().equals(text)).isEmpty()
        && letter.content().keyText().startsWith(keyStart);
  }

  private static boolean isAbout(FailedRecord letter, String topic) {
    return letter.from().origin().filter(origin -> origin.topic().equals(topic)).isPresent()
        || letter.target().filter(topic::equals).isPresent();
  }
}

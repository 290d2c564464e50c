package io.waterclock.console.http;

import io.waterclock.console.preview.CronSentence;
import io.waterclock.occurrences.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The latest answers of {@link CronSentence}, which costs some milliseconds: a page of a schedule
 * asks for the same sentence every few seconds. Keeps at most {@value #MOST}, each for an hour: the
 * occurrences that are compared move on. Thread-safe.
 */
final class KeptSentences {
  static final int MOST = 256;
  private static final Duration KEPT = Duration.ofHours(1);

  private final Map<Asked, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);

  private record Asked(Trigger trigger, Locale locale) {}

  private record Answer(Optional<String> sentence, Instant at) {}

  /** As {@link CronSentence#of}. */
  Optional<String> of(Trigger trigger, Locale locale, Instant now) {
    Asked asked = new Asked(trigger, locale);
    Optional<Answer> kept = kept(asked).filter(answer -> now.isBefore(answer.at().plus(KEPT)));
    if (kept.isPresent()) {
      return kept.get().sentence();
    }
    Optional<String> sentence = CronSentence.of(trigger, locale, now);
    keep(asked, new Answer(sentence, now));
    return sentence;
  }

  private synchronized Optional<Answer> kept(Asked asked) {
    return Optional.ofNullable(answers.get(asked));
  }

  private synchronized void keep(Asked asked, Answer answer) {
    answers.put(asked, answer);
    if (answers.size() > MOST) {
      answers.remove(answers.keySet().iterator().next());
    }
  }

  synchronized int size() {
    return answers.size();
  }
}

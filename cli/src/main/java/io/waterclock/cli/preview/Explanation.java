package io.waterclock.cli.preview;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.console.preview.CronSentence;
import io.waterclock.occurrences.ClockEffect;
import io.waterclock.occurrences.ClockEffects;
import io.waterclock.occurrences.Description;
import io.waterclock.occurrences.Trigger;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Explains a trigger: a description, its next occurrences, and the clock changes of a year. */
public final class Explanation {
  private static final String ENGLISH = "en";
  private static final int COUNT = 5;
  private static final int DAYS_AHEAD = 366;

  private Explanation() {}

  /**
   * @param language of the description, one of {@link CronSentence#LANGUAGES}; empty for English
   */
  public static void print(
      Trigger trigger, ZoneId zone, Optional<String> language, Terminal terminal) {
    PrintWriter out = terminal.out();
    Instant now = terminal.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    Optional<String> translated = translated(trigger, language, now);
    if (language.filter(other -> !other.equals(ENGLISH)).isPresent() && translated.isEmpty()) {
      terminal.note(
          "no words in %s: cron-utils, which has them, describes cron expressions only, and only"
                  .formatted(language.get())
              + " those whose next 100 occurrences it finds at the same times");
    }
    out.println(translated.orElseGet(() -> Description.of(trigger)) + ".");
    out.println();
    List<Instant> next = next(trigger, now);
    if (next.isEmpty()) {
      out.println("There is no occurrence after " + now + ".");
    } else {
      OccurrenceTable.of(trigger, zone, now, next, now).print(out);
    }
    out.println();
    Instant end = now.plus(DAYS_AHEAD, ChronoUnit.DAYS);
    List<ClockEffect> effects = ClockEffects.of(trigger, now, end);
    if (effects.isEmpty()) {
      out.println("No clock change affects it within a year.");
    } else {
      out.println("Clock changes that affect it within a year:");
      effects.forEach(effect -> out.println("  " + sentence(effect)));
    }
  }

  /** The English description is ours, and covers every trigger. */
  private static Optional<String> translated(
      Trigger trigger, Optional<String> language, Instant now) {
    return language
        .filter(other -> !other.equals(ENGLISH))
        .flatMap(other -> CronSentence.of(trigger, Locale.forLanguageTag(other), now));
  }

  /**
   * @param language of the description, one of {@link CronSentence#LANGUAGES}; empty for English
   */
  public static ObjectNode json(
      Trigger trigger, ZoneId zone, Optional<String> language, Instant now) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    Optional<String> translated = translated(trigger, language, now);
    tree.put("description", translated.orElseGet(() -> Description.of(trigger)))
        .put("language", translated.flatMap(words -> language).orElse(ENGLISH))
        .put("zone", zone.getId());
    ArrayNode occurrences = tree.putArray("next");
    next(trigger, now).forEach(at -> occurrences.add(at.toString()));
    ArrayNode changes = tree.putArray("changes_of_clocks");
    for (ClockEffect effect :
        ClockEffects.of(trigger, now, now.plus(DAYS_AHEAD, ChronoUnit.DAYS))) {
      changes
          .addObject()
          .put("at", effect.change().getInstant().toString())
          .put("effect", effect.kind().name().toLowerCase(Locale.ROOT))
          .put("text", sentence(effect));
    }
    return tree;
  }

  private static List<Instant> next(Trigger trigger, Instant now) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = trigger.nextAfter(now);
    while (next.isPresent() && found.size() < COUNT) {
      found.add(next.get());
      next = trigger.nextAfter(next.get());
    }
    return found;
  }

  private static String sentence(ClockEffect effect) {
    return "%s, %s becomes %s: %s%s"
        .formatted(
            Times.day(effect.change().getDateTimeBefore()),
            effect.change().getDateTimeBefore().toLocalTime(),
            effect.change().getDateTimeAfter().toLocalTime(),
            Times.touched(effect),
            Times.outcome(effect));
  }
}

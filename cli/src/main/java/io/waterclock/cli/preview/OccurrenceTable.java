package io.waterclock.cli.preview;

import io.waterclock.cli.terminal.Table;
import io.waterclock.occurrences.ClockEffect;
import io.waterclock.occurrences.ClockEffect.Kind;
import io.waterclock.occurrences.ClockEffects;
import io.waterclock.occurrences.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** A table of occurrences, with the effects of clock changes. */
public final class OccurrenceTable {
  private static final String NONE = "-";

  private OccurrenceTable() {}

  /**
   * @param after exclusive: dropped occurrences are listed from here on
   * @param occurrences in order, at least one
   * @param now the instant from which distances are counted
   */
  public static Table of(
      Trigger trigger, ZoneId zone, Instant after, List<Instant> occurrences, Instant now) {
    Instant last = occurrences.get(occurrences.size() - 1);
    List<ClockEffect> effects =
        ClockEffects.of(trigger, after.minus(Duration.ofDays(1)), last.plus(Duration.ofDays(1)));
    Table table = new Table("LOCAL", "ZONE", "UTC", "FROM NOW", "CLOCKS");
    Instant shown = after;
    for (Instant occurrence : occurrences) {
      for (ClockEffect effect : effects) {
        if (effect.kind() == Kind.DROPPED
            && effect.at().isAfter(shown)
            && !effect.at().isAfter(occurrence)) {
          table.row(dropped(effect));
        }
      }
      table.row(
          List.of(
              Times.local(occurrence, zone),
              Times.offset(occurrence, zone),
              occurrence.toString(),
              Times.distance(now, occurrence),
              mark(occurrence, effects)));
      shown = occurrence;
    }
    return table;
  }

  private static List<String> dropped(ClockEffect effect) {
    return List.of(
        Times.day(effect.first()),
        NONE,
        NONE,
        NONE,
        "dropped: " + Times.touched(effect) + Times.outcome(effect));
  }

  private static String mark(Instant occurrence, List<ClockEffect> effects) {
    return effects.stream()
        .filter(effect -> effect.concerns(occurrence))
        .findFirst()
        .map(effect -> mark(occurrence, effect))
        .orElse("");
  }

  private static String mark(Instant occurrence, ClockEffect effect) {
    boolean before = occurrence.isBefore(effect.at());
    return switch (effect.kind()) {
      case MOVED -> "moved: " + Times.touched(effect) + Times.outcome(effect);
      case FIRST_PASS -> "the clock shows this twice; only the first time counts";
      default -> before ? "doubled: the first of two" : "doubled: the second of two";
    };
  }
}

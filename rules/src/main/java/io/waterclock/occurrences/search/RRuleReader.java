package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Quoted;
import java.time.DateTimeException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRule.Part;
import org.dmfs.rfc5545.recur.RecurrenceRule.RfcMode;

/**
 * Reads recurrence rules, with lib-recur in its strict mode, which parses the parts and decides
 * which combinations are valid.
 *
 * <p>lib-recur names the problem but not the part, so this class first gives it each part alone. If
 * every part alone is valid, the rejection names the part without which the rest is valid. This
 * class splits the rule itself, because lib-recur ignores text after a last comma or semicolon and
 * dates that do not exist.
 */
final class RRuleReader {

  static final int LONGEST = 1024;

  private static final int LONGEST_SLIP = 64;

  private static final List<RRulePart> NUMBERS =
      Stream.of(RRulePart.values())
          .filter(part -> part.isList() && part != RRulePart.BYDAY)
          .toList();

  /** Sunday is 0. */
  private static final List<String> WEEKDAYS = List.of("SU", "MO", "TU", "WE", "TH", "FR", "SA");

  private static final List<String> PARTS = names(RRulePart.values());

  private RRuleReader() {}

  /**
   * @throws InvalidTriggerException if the text is not a rule
   */
  static RRuleParts read(String rule) {
    try {
      return parts(rule);
    } catch (InvalidTriggerException e) {
      throw e.asTyped(rule);
    }
  }

  private static RRuleParts parts(String rule) {
    Map<RRulePart, String> parts = cut(rule);
    if (!parts.containsKey(RRulePart.FREQ)) {
      throw RRuleProblem.in(RRulePart.FREQ, "is missing; it says how often");
    }
    parts.forEach(RRuleReader::requireValid);
    Optional<Until> until = Optional.ofNullable(parts.get(RRulePart.UNTIL)).map(RRuleReader::until);
    return parts(together(parts), until);
  }

  private static Map<RRulePart, String> cut(String rule) {
    if (rule.length() > LONGEST) {
      throw RRuleProblem.of("a rule has at most " + LONGEST + " characters, not " + rule.length());
    }
    OptionalInt odd = rule.chars().filter(c -> c < ' ' || c > '~').findFirst();
    if (odd.isPresent()) {
      throw RRuleProblem.of(
          "%s has the character %s, which rules do not use"
              .formatted(Quoted.of(rule), Quoted.name((char) odd.getAsInt())));
    }
    String text = rule.strip().toUpperCase(Locale.ROOT);
    if (text.startsWith("RRULE:")) {
      throw RRuleProblem.of("give what follows the colon of RRULE: alone");
    }
    Map<RRulePart, String> parts = new EnumMap<>(RRulePart.class);
    for (String part : text.split(";", -1)) {
      if (part.isEmpty()) {
        throw RRuleProblem.of("a part is empty; remove the semicolon that has nothing on one side");
      }
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw RRuleProblem.of(Quoted.of(part) + " is no part of the form NAME=VALUE");
      }
      RRulePart name = name(part.substring(0, equals));
      if (parts.put(name, part.substring(equals + 1)) != null) {
        throw RRuleProblem.in(name, "is given twice; list several values with commas");
      }
    }
    return parts;
  }

  private static RRulePart name(String name) {
    if (PARTS.contains(name)) {
      return RRulePart.valueOf(name);
    }
    if (name.equals("RSCALE") || name.equals("SKIP")) {
      throw RRuleProblem.of(
          name
              + " is not supported: rules are read in the Gregorian calendar, and days that do"
              + " not exist are left out; remove it");
    }
    throw RRuleProblem.of(Quoted.of(name) + " is no part of a rule" + hint(name, PARTS));
  }

  private static void requireValid(RRulePart part, String value) {
    for (String element : part.isList() ? value.split(",", -1) : new String[] {value}) {
      if (element.isEmpty()) {
        throw RRuleProblem.in(part, "a value is missing; allowed: " + part.allowed());
      }
      if (!isValid(part.alone(element))) {
        throw notUnderstood(part, element);
      }
    }
  }

  private static InvalidTriggerException notUnderstood(RRulePart part, String element) {
    String hint =
        switch (part) {
          case FREQ -> hint(element, names(Frequency.values()));
          case BYDAY, WKST -> hint(element, WEEKDAYS);
          default -> "";
        };
    return RRuleProblem.in(
        part, Quoted.of(element) + " is not understood" + hint + "; allowed: " + part.allowed());
  }

  private static String hint(String word, List<String> candidates) {
    return word.length() > LONGEST_SLIP
        ? ""
        : "; did you mean " + Nearest.to(word.strip(), candidates) + "?";
  }

  private static Until until(String value) {
    try {
      return Until.parse(value);
    } catch (DateTimeException e) {
      throw notUnderstood(RRulePart.UNTIL, value);
    }
  }

  private static RecurrenceRule together(Map<RRulePart, String> parts) {
    try {
      return parse(text(parts, Optional.empty()));
    } catch (InvalidRecurrenceRuleException | RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      throw parts.keySet().stream()
          .filter(part -> part != RRulePart.FREQ && isValid(text(parts, Optional.of(part))))
          .findFirst()
          .map(part -> RRuleProblem.in(part, "does not go with the rest: " + reason))
          .orElseGet(() -> RRuleProblem.of(reason));
    }
  }

  private static String text(Map<RRulePart, String> parts, Optional<RRulePart> without) {
    return parts.entrySet().stream()
        .filter(part -> without.isEmpty() || part.getKey() != without.get())
        .map(part -> part.getKey() + "=" + part.getValue())
        .collect(Collectors.joining(";"));
  }

  private static boolean isValid(String rule) {
    try {
      parse(rule);
      return true;
    } catch (InvalidRecurrenceRuleException | RuntimeException e) {
      return false;
    }
  }

  private static RecurrenceRule parse(String rule) throws InvalidRecurrenceRuleException {
    return new RecurrenceRule(rule, RfcMode.RFC5545_STRICT);
  }

  private static RRuleParts parts(RecurrenceRule rule, Optional<Until> until) {
    Map<RRulePart, List<Integer>> numbers = new EnumMap<>(RRulePart.class);
    for (RRulePart part : NUMBERS) {
      List<Integer> values = rule.getByPart(Part.valueOf(part.name()));
      if (values != null) {
        numbers.put(part, values.stream().map(value -> number(part, value)).distinct().toList());
      }
    }
    List<RecurrenceRule.WeekdayNum> weekdays = rule.getByDayPart();
    return new RRuleParts(
        Frequency.valueOf(rule.getFreq().name()),
        rule.getInterval(),
        rule.getCount() == null ? OptionalInt.empty() : OptionalInt.of(rule.getCount()),
        until,
        numbers,
        weekdays == null
            ? List.of()
            : weekdays.stream()
                .map(day -> new RRuleParts.Weekday(day.pos, WEEKDAYS.indexOf(day.weekday.name())))
                .distinct()
                .toList(),
        WEEKDAYS.indexOf(rule.getWeekStart().name()));
  }

  private static int number(RRulePart part, int value) {
    if (part == RRulePart.BYMONTH) {
      return value + 1; // lib-recur counts months from 0
    }
    boolean leapSecond = part == RRulePart.BYSECOND && value == 60;
    boolean beyondAnyYear = part == RRulePart.BYSETPOS && Math.abs(value) > 366;
    if (leapSecond || beyondAnyYear) {
      throw notUnderstood(part, Integer.toString(value));
    }
    return value;
  }

  private static List<String> names(Enum<?>[] values) {
    return Stream.of(values).map(Enum::name).toList();
  }
}

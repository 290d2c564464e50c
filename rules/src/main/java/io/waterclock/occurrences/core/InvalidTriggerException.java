package io.waterclock.occurrences.core;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An invalid trigger: the field, its problem and a valid example. The only exception that defining
 * a trigger throws.
 */
public final class InvalidTriggerException extends IllegalArgumentException {

  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

  private final String field;
  private final String problem;
  private final String example;
  private final boolean neverOccurs;

  public InvalidTriggerException(String field, String problem, String example) {
    this(field, problem, example, false);
  }

  private InvalidTriggerException(
      String field, String problem, String example, boolean neverOccurs) {
    super(problem + "; e.g. \"" + example + "\"");
    this.field = field;
    this.problem = problem;
    this.neverOccurs = neverOccurs;
    this.example = example;
  }

  /** The same with what it quotes of a text as that text has it, in upper or lower case. */
  public InvalidTriggerException asTyped(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    String quoting =
        QUOTED
            .matcher(problem)
            .replaceAll(
                found -> {
                  String word = found.group(1);
                  int at = upper.length() == text.length() ? upper.indexOf(word) : -1;
                  String typed = at < 0 ? word : text.substring(at, at + word.length());
                  return Matcher.quoteReplacement("\"" + typed + "\"");
                });
    return new InvalidTriggerException(field, quoting, example, neverOccurs);
  }

  /** The same with another example. */
  public InvalidTriggerException withExample(String other) {
    return new InvalidTriggerException(field, problem, other, neverOccurs);
  }

  /** The same with more behind the problem. */
  public InvalidTriggerException and(String hint) {
    return new InvalidTriggerException(field, problem + hint, example, neverOccurs);
  }

  /** The field of a schedule that is wrong: {@code cron}, {@code every}, {@code at}, ... */
  public String field() {
    return field;
  }

  /** A trigger that is well written but names no instant at all, such as the 30th of February. */
  public static InvalidTriggerException neverOccurring(
      String field, String problem, String example) {
    return new InvalidTriggerException(field, problem, example, true);
  }

  /** True when the trigger is well written but names no instant at all. */
  public boolean neverOccurs() {
    return neverOccurs;
  }

  /** The problem, without the example. */
  public String problem() {
    return problem;
  }

  /** A value that the field would accept. */
  public String example() {
    return example;
  }
}

package io.waterclock.client.schedules;

import io.waterclock.schemas.text.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on schedules as text, for example {@code catch_up = replay and not (id ~ 'test/*' or
 * labels.team)}.
 *
 * <p>A comparison is a field, an operator and a value: {@code =}, {@code !=}, {@code <}, {@code
 * <=}, {@code >}, {@code >=}, and {@code ~} and {@code !~} for a text in which {@code *} stands for
 * any characters. A field alone is true if the schedule has it. {@code not} binds closer than
 * {@code and}, and that closer than {@code or}; parentheses group. Values with spaces or operators
 * are quoted. {@link WhereField} lists the fields. Immutable.
 */
public final class WhereExpression implements Predicate<KnownSchedule> {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*+(?:([()]|[!<>]=|!~|[=~<>])|'([^']*)'|\"([^\"]*)\"|([^\\s()=!~<>'\"]+))");
  private static final int MOST_TOKENS = 1_000;
  private static final int MOST_CHARACTERS = 20_000;

  private final String text;
  private final List<WhereField> fields;
  private final Predicate<KnownSchedule> condition;

  private WhereExpression(
      String text, List<WhereField> fields, Predicate<KnownSchedule> condition) {
    this.text = text;
    this.fields = List.copyOf(fields);
    this.condition = condition;
  }

  /**
   * Reads an expression of at most {@value #MOST_CHARACTERS} characters and {@value #MOST_TOKENS}
   * words, operators and parentheses.
   *
   * @throws InvalidValueException with the place of the error, for example an unknown field
   */
  public static WhereExpression parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new InvalidValueException(
          "has more than " + MOST_CHARACTERS + " characters", "owner = acme");
    }
    Parser parser = new Parser(text);
    Predicate<KnownSchedule> condition = parser.any();
    if (parser.at < parser.tokens.size()) {
      throw parser.wrong("expected and, or, or the end");
    }
    return new WhereExpression(text, parser.fields, condition);
  }

  @Override
  public boolean test(KnownSchedule schedule) {
    return condition.test(schedule);
  }

  /**
   * The effort of {@link #test}, at most: about how many characters it reads. Each comparison reads
   * the values of its field once.
   */
  public long steps(KnownSchedule schedule) {
    return fields.stream().mapToLong(field -> field.steps(schedule)).sum();
  }

  /** Whether it names a field. */
  public boolean names(String field) {
    return fields.stream().anyMatch(one -> one.example().startsWith(field + " "));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WhereExpression expression && text.equals(expression.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * A part of the text.
   *
   * @param kind the number of its group in {@link #TOKEN}: 1 operator, 2 and 3 quoted, 4 word
   * @param column from 1
   */
  private record Token(int kind, String text, int column) {
    boolean is(String word) {
      return (kind == 1 || kind == 4) && text.equalsIgnoreCase(word);
    }
  }

  private static final class Parser {
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final List<WhereField> fields = new ArrayList<>();
    private int at;

    Parser(String text) {
      this.text = text;
      Matcher matcher = TOKEN.matcher(text);
      int end = 0;
      // not find: it would look for a token after each blank in turn
      while (tokens.size() <= MOST_TOKENS && matcher.region(end, text.length()).lookingAt()) {
        for (int kind = 1; kind <= matcher.groupCount(); kind++) {
          if (matcher.group(kind) != null) {
            tokens.add(
                new Token(
                    kind, Objects.requireNonNull(matcher.group(kind)), matcher.start(kind) + 1));
          }
        }
        end = matcher.end();
      }
      if (!text.substring(end).isBlank()) {
        throw new InvalidValueException(
            "cannot be read from column " + (end + 1) + " on", "owner = acme");
      }
    }

    Predicate<KnownSchedule> any() {
      Predicate<KnownSchedule> left = every();
      while (accept("or")) {
        left = left.or(every());
      }
      return left;
    }

    private Predicate<KnownSchedule> every() {
      Predicate<KnownSchedule> left = one();
      while (accept("and")) {
        left = left.and(one());
      }
      return left;
    }

    private Predicate<KnownSchedule> one() {
      if (accept("not")) {
        return one().negate();
      }
      if (accept("(")) {
        Predicate<KnownSchedule> inside = any();
        if (!accept(")")) {
          throw wrong("expected )");
        }
        return inside;
      }
      return comparison();
    }

    private Predicate<KnownSchedule> comparison() {
      Token name = next("a field");
      WhereField field = WhereField.of(name.text(), () -> wrong(name, "is no field"));
      fields.add(field);
      if (at < tokens.size() && tokens.get(at).kind() == 1 && !tokens.get(at).is(")")) {
        String operator = tokens.get(at++).text();
        Token value = next("a value");
        try {
          return field.comparison(operator, value.text());
        } catch (InvalidValueException e) {
          throw new InvalidValueException(
              "column " + value.column() + ": " + e.what(), field.example());
        }
      }
      return field::isPresent;
    }

    private Token next(String expected) {
      if (at >= tokens.size() || tokens.get(at).kind() == 1) {
        throw wrong("expected " + expected);
      }
      return tokens.get(at++);
    }

    private boolean accept(String word) {
      boolean isNext = at < tokens.size() && tokens.get(at).is(word);
      at += isNext ? 1 : 0;
      return isNext;
    }

    private InvalidValueException wrong(Token token, String what) {
      return new InvalidValueException(
          "column %d: \"%s\" %s".formatted(token.column(), token.text(), what),
          WhereField.nearest(token.text().toLowerCase(Locale.ROOT)) + " = VALUE");
    }

    InvalidValueException wrong(String what) {
      int column = at < tokens.size() ? tokens.get(at).column() : text.length() + 1;
      return new InvalidValueException(
          "column " + column + ": " + what, "owner = acme and not labels.test");
    }
  }
}

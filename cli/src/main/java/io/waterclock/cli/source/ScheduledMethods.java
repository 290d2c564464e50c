package io.waterclock.cli.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds {@code @Scheduled} methods in a Java or Kotlin file by their text. Attributes may be
 * literals, sums of literals, products of numbers, and constants of classes of the same file.
 */
record ScheduledMethods(String text) {
  private static final Pattern SCHEDULED = Pattern.compile("@(?:[\\w.]+\\.)?Scheduled\\s*\\(");
  private static final Pattern METHOD = Pattern.compile("\\b(\\w+)\\s*\\(");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\s*(\\w+)\\s*=\\s*(.*)", Pattern.DOTALL);

  /** Groups that repeat are possessive: matching them takes no stack, however long the text is. */
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");

  private static final Pattern NUMBERS =
      Pattern.compile("[\\d_]+[lL]?(?:\\s*\\*\\s*[\\d_]+[lL]?)*+");
  private static final Pattern ANNOTATION =
      Pattern.compile(
          "@[\\w.]+(?:\\s*\\((?:[^()\"]|\"(?:[^\"\\\\]|\\\\.)*+\"|\\([^()]*\\))*+\\))?");

  /**
   * A method, once for each of its annotations.
   *
   * @param line of the annotation, from 1
   * @param unread why its attributes cannot be read
   */
  record Found(String method, int line, Map<String, String> attributes, Optional<String> unread) {}

  static List<Found> in(String source) {
    return new ScheduledMethods(withoutComments(source)).find();
  }

  private List<Found> find() {
    List<Found> found = new ArrayList<>();
    Matcher annotation = SCHEDULED.matcher(text);
    while (annotation.find()) {
      int end = closing(annotation.end());
      int line = (int) text.substring(0, annotation.start()).chars().filter(c -> c == '\n').count();
      Map<String, String> attributes = new LinkedHashMap<>();
      Optional<String> unread = Optional.empty();
      for (String part : parts(text.substring(annotation.end(), end))) {
        Matcher attribute = ATTRIBUTE.matcher(part);
        if (!attribute.matches()) {
          continue;
        }
        String name = String.valueOf(attribute.group(1));
        String value = String.valueOf(attribute.group(2)).strip();
        Optional<String> read = value(value, 0);
        read.ifPresent(known -> attributes.put(name, known));
        if (read.isEmpty() && !name.equals("scheduler")) {
          unread = Optional.of("its " + name + " is code, not a literal: " + value);
        }
      }
      found.add(new Found(method(end + 1), line + 1, attributes, unread));
    }
    return found;
  }

  /** The index of the bracket that closes the one before {@code from}. */
  private int closing(int from) {
    int depth = 1;
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '"') {
        i = endOfLiteral(text, i);
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && --depth == 0) {
        return i;
      }
      i++;
    }
    return text.length();
  }

  private static int endOfLiteral(String text, int quote) {
    for (int i = quote + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"' || text.charAt(i) == '\n') {
        return i;
      }
    }
    return text.length();
  }

  private static List<String> parts(String inside) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '"') {
        i = endOfLiteral(inside, i);
      } else if (c == ',') {
        parts.add(inside.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(inside.substring(Math.min(start, inside.length())));
    return parts;
  }

  private Optional<String> value(String written, int depth) {
    if (NUMBERS.matcher(written).matches()) {
      return product(written);
    }
    if (written.startsWith("\"")) {
      StringBuilder all = new StringBuilder();
      Matcher literal = LITERAL.matcher(written);
      while (literal.find()) {
        all.append(String.valueOf(literal.group(1)).replace("\\$", "$").replace("\\\"", "\""));
      }
      String rest = LITERAL.matcher(written).replaceAll("").replace("+", "").strip();
      return rest.isEmpty() ? Optional.of(all.toString()) : Optional.empty();
    }
    if (written.matches("(?:TimeUnit\\.)?[A-Z]+S")) {
      return Optional.of(written);
    }
    if (written.endsWith("CRON_DISABLED")) {
      return Optional.of("-");
    }
    return depth > 0 || !written.matches("[\\w.]+") ? Optional.empty() : constant(written);
  }

  /** Empty if it is beyond a long. */
  private static Optional<String> product(String written) {
    long product = 1;
    try {
      for (String factor : written.split("\\*", -1)) {
        product = Math.multiplyExact(product, Long.parseLong(factor.replaceAll("[_lL\\s]", "")));
      }
    } catch (NumberFormatException | ArithmeticException e) {
      return Optional.empty();
    }
    return Optional.of(Long.toString(product));
  }

  /** Empty if a class of another file is to have it, or if two classes of this file may. */
  private Optional<String> constant(String name) {
    List<String> names = List.of(name.split("\\.", -1));
    String simple = names.get(names.size() - 1);
    if (!names.subList(0, names.size() - 1).stream().allMatch(this::isDeclared)) {
      return Optional.empty();
    }
    List<Optional<String>> read =
        Pattern.compile("\\b" + simple + "\\b(?:\\s*:\\s*\\w+)?\\s*=\\s*([^;\\n]+)")
            .matcher(text)
            .results()
            .map(constant -> value(constant.group(1).strip(), 1))
            .toList();
    long different = read.stream().flatMap(Optional::stream).distinct().count();
    return read.isEmpty() || different > 1 ? Optional.empty() : read.get(0);
  }

  private boolean isDeclared(String type) {
    return Pattern.compile("\\b(?:class|interface|enum|record|object)\\s+" + type + "\\b")
        .matcher(text)
        .find();
  }

  /** The name of the next method, behind further annotations. */
  private String method(int from) {
    int start = Math.min(from, text.length());
    String rest = text.substring(start, Math.min(text.length(), start + 4_000));
    Matcher annotation = ANNOTATION.matcher(rest);
    Matcher method = METHOD.matcher(annotation.replaceAll(" "));
    return method.find() ? String.valueOf(method.group(1)) : "unnamed";
  }

  /** The same text with spaces in place of comments. */
  private static String withoutComments(String source) {
    StringBuilder text = new StringBuilder(source);
    int i = 0;
    while (i < source.length()) {
      char c = source.charAt(i);
      if (c == '"') {
        i = endOfLiteral(source, i) + 1;
      } else if (c == '\'' && i + 2 < source.length()) {
        i += source.charAt(i + 1) == '\\' ? 4 : 3;
      } else if (source.startsWith("//", i)) {
        i = blank(text, i, source.indexOf('\n', i));
      } else if (source.startsWith("/*", i)) {
        int end = source.indexOf("*/", i + 2);
        i = blank(text, i, end < 0 ? -1 : end + 2);
      } else {
        i++;
      }
    }
    return text.toString();
  }

  private static int blank(StringBuilder text, int from, int end) {
    int to = end < 0 ? text.length() : end;
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '\n') {
        text.setCharAt(i, ' ');
      }
    }
    return to;
  }
}

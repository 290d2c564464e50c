package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.SafeText;
import java.io.PrintWriter;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Escapes all text that could move a cursor, colour a line or reverse the order of letters. A
 * {@code println} always writes one line. JSON stays JSON, with escapes.
 *
 * <p>On request, {@code println} colours the words for states, where a column begins with one; text
 * from outside can colour itself only by being such a word.
 *
 * <p>{@code print} and {@code write} keep line ends and tabs, because these are layout.
 */
final class SafeWriter extends PrintWriter {
  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int YELLOW = 33;
  private static final Map<String, Integer> COLORS =
      Map.of(
          "WRONG", RED,
          "FAULTED", RED,
          "REJECTED", RED,
          "(rejected)", RED,
          "MISSED", YELLOW,
          "PAUSED", YELLOW,
          "(pending)", YELLOW,
          "ACTIVE", GREEN,
          "FIRED", GREEN);
  private static final Pattern WORD = Pattern.compile("(?<=^|  )([A-Z]+|\\([a-z]+\\))(?= |$)");

  private final PrintWriter to;
  private final boolean colors;

  SafeWriter(PrintWriter to, boolean colors) {
    super(to);
    this.to = to;
    this.colors = colors;
  }

  /** Writes what it is given, for text that has nothing from outside. */
  PrintWriter trusting() {
    return to;
  }

  @Override
  public void println(@Nullable String line) {
    String safe = SafeText.line(String.valueOf(line));
    if (colors) {
      String colored = WORD.matcher(safe).replaceAll(SafeWriter::colored);
      super.write(colored, 0, colored.length());
    } else {
      super.write(safe, 0, safe.length());
    }
    println();
  }

  private static String colored(MatchResult word) {
    Integer color = COLORS.get(word.group());
    return color == null ? word.group() : "\u001b[" + color + "m" + word.group() + "\u001b[0m";
  }

  @Override
  public void println(@Nullable Object line) {
    println(String.valueOf(line));
  }

  @Override
  public void println(char[] line) {
    println(String.valueOf(line));
  }

  @Override
  public void write(String text, int offset, int length) {
    String safe = SafeText.lines(text.substring(offset, offset + length));
    super.write(safe, 0, safe.length());
  }

  @Override
  public void write(char[] text, int offset, int length) {
    write(String.valueOf(text, offset, length));
  }

  @Override
  public void write(int unit) {
    if (Character.isSurrogate((char) unit)) {
      super.write(unit); // half of a character that two calls write
    } else {
      write(String.valueOf((char) unit));
    }
  }
}

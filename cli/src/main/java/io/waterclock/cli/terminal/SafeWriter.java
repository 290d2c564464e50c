package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.SafeText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * What people see: nothing that is written through it moves a cursor, colours a line or turns the
 * order of letters around, and a {@code println} is one line. JSON stays JSON, with escapes.
 *
 * <p>Line ends and tabs of {@code print} and {@code write} are layout and stay.
 */
final class SafeWriter extends PrintWriter {
  SafeWriter(PrintWriter to) {
    super(to);
  }

  @Override
  public void println(@Nullable String line) {
    write(SafeText.line(String.valueOf(line)));
    println();
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
      super.write(unit); // half of what comes in two calls
    } else {
      write(String.valueOf((char) unit));
    }
  }
}

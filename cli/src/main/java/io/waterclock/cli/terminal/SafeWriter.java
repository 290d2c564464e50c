package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.SafeText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Escapes all text that could move a cursor, colour a line or reverse the order of letters. A
 * {@code println} always writes one line. JSON stays JSON, with escapes.
 *
 * <p>{@code print} and {@code write} keep line ends and tabs, because these are layout.
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
      super.write(unit); // half of a character that two calls write
    } else {
      write(String.valueOf((char) unit));
    }
  }
}

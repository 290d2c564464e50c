package io.waterclock.cli.terminal;

import io.waterclock.schemas.brokers.RootCause;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/**
 * The input, the output and the clock of a command.
 *
 * @param out buffered, so that 100,000 lines are cheap; a command flushes it before it waits
 * @param err for people
 * @param screen whether the output goes to a terminal, not to a program or a file
 * @param colors whether it may be coloured
 */
public record Terminal(
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    InstantSource clock,
    boolean screen,
    boolean colors) {
  /** The launcher sets it, because Java cannot test standard output alone. */
  private static final String ON_SCREEN = "waterclock.screen";

  private static final int LINES_BETWEEN_CHECKS = 512;

  /** Makes all text that is written to {@code out} and {@code err} safe to show. */
  public Terminal {
    out = new SafeWriter(out, colors);
    err = new SafeWriter(err, false);
  }

  /**
   * Standard input, output and error in UTF-8, and the system's clock. Colours only a terminal, and
   * none where {@code NO_COLOR} is set (https://no-color.org) or {@code TERM} is {@code dumb}.
   */
  public static Terminal system() {
    boolean screen = Boolean.getBoolean(ON_SCREEN);
    String noColor = System.getenv("NO_COLOR");
    return new Terminal(
        System.in,
        writer(FileDescriptor.out),
        writer(FileDescriptor.err),
        InstantSource.system(),
        screen,
        screen && (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM")));
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
  }

  /** Opens a file, or standard input for {@code -}. */
  public InputStream open(String fileOrDash) {
    if (fileOrDash.equals("-")) {
      return in;
    }
    try {
      return new BufferedInputStream(Files.newInputStream(Path.of(fileOrDash)));
    } catch (IOException e) {
      throw Failure.unreadable(fileOrDash, e);
    }
  }

  /** All of a file, or of standard input for {@code -}. */
  public byte[] read(String fileOrDash) {
    try (InputStream content = open(fileOrDash)) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new Failure(
          "%s cannot be read: %s."
              .formatted(
                  fileOrDash.equals("-") ? "Standard input" : "The file " + fileOrDash,
                  e.getMessage()),
          e);
    }
  }

  /**
   * Whether the reader of the output has closed it, as {@code head} does. Checks only once in
   * {@value #LINES_BETWEEN_CHECKS} lines, because a check flushes the buffer.
   *
   * @param lines the number of lines written so far
   */
  public boolean abandoned(long lines) {
    return lines % LINES_BETWEEN_CHECKS == 0 && out.checkError();
  }

  /** To be called after output that its reader keeps, and may take for whole although it is not. */
  public void requireWhole() {
    if (out.checkError()) {
      throw new Failure(
          "Standard output was not written whole: is the disk full, or did its reader end early?");
    }
  }

  /** The output, for text of the program alone: it keeps escape sequences. */
  public PrintWriter trusting() {
    return ((SafeWriter) out).trusting();
  }

  public void println(Object line) {
    out.println(line);
  }

  /** Prints a sentence for people on standard error. */
  public void note(String sentence) {
    err.println("waterclock: " + sentence);
  }

  /** Asks a question that only {@code y} or {@code yes} confirms. */
  public boolean confirm(String question) {
    err.print("waterclock: " + question + " [y/N] ");
    flush();
    StringBuilder answer = new StringBuilder();
    try {
      for (int unit = in.read(); unit >= 0 && unit != '\n'; unit = in.read()) {
        answer.append((char) unit);
      }
    } catch (IOException e) {
      throw new Failure("Standard input cannot be read: " + RootCause.of(e) + ".", e);
    }
    if (answer.isEmpty()) {
      err.println();
    }
    return answer.toString().strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /** Prints several lines, with their layout. */
  public void print(String lines) {
    lines.lines().forEach(out::println);
  }

  public void flush() {
    out.flush();
    err.flush();
  }
}

package io.waterclock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** The result of one execution of the command, at a fixed time. */
public record CliRun(int exitCode, String out, String err) {
  /** The current time of every execution. */
  public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  public static CliRun of(String... args) {
    return withInput("", args);
  }

  public static CliRun withInput(String input, String... args) {
    return run(input, false, InstantSource.fixed(NOW), args);
  }

  /** At the real time. */
  public static CliRun today(String... args) {
    return run("", false, InstantSource.system(), args);
  }

  /** With the output of a terminal. */
  public static CliRun onScreen(String... args) {
    return run("", true, InstantSource.fixed(NOW), args);
  }

  /** With an output that cannot be written, as on a full disk. */
  public static CliRun onFullDisk(String input, String... args) {
    return run(input, new FullDisk(), false, InstantSource.fixed(NOW), args);
  }

  private static CliRun run(String input, boolean screen, InstantSource clock, String... args) {
    return run(input, new StringWriter(), screen, clock, args);
  }

  private static CliRun run(
      String input, Writer out, boolean screen, InstantSource clock, String... args) {
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(input.getBytes(UTF_8)),
            new PrintWriter(out),
            new PrintWriter(err),
            clock,
            screen,
            screen);
    int exitCode = CommandTree.on(terminal).execute(args);
    terminal.flush();
    return new CliRun(exitCode, out.toString(), err.toString());
  }

  public List<String> lines() {
    return out.lines().toList();
  }

  private static final class FullDisk extends Writer {
    @Override
    public void write(char[] text, int offset, int length) throws IOException {
      throw new IOException("No space left on device");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "";
    }
  }
}

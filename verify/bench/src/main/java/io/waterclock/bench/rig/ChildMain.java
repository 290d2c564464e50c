package io.waterclock.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The other end of {@link Child}: reads questions from standard input, answers on the output. */
public final class ChildProtocol {
  static final String DONE = "OK ";
  private static final String FAILED = "FAILED ";

  /** Answers one question, given as its words. */
  @FunctionalInterface
  public interface Handler {
    String answer(List<String> words) throws Exception;
  }

  private static final PrintStream ANSWERS = System.out;

  private ChildProtocol() {}

  /**
   * Keeps the standard output for answers, for a child with a library that prints: from now on that
   * goes to standard error, the log. Call it before the library is used.
   */
  public static void keepOutput() {
    System.setOut(System.err);
  }

  /** A file as one word, to be given in a question. */
  public static String word(Path file) {
    return file.toUri().toASCIIString();
  }

  public static Path file(String word) {
    return Path.of(URI.create(word));
  }

  /** Settings as arguments {@code KEY=VALUE} of a process. */
  public static List<String> arguments(Map<String, String> settings) {
    return settings.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
  }

  /** Reads what {@link #arguments} has written. */
  public static Map<String, String> settings(List<String> arguments) {
    return arguments.stream()
        .map(argument -> argument.split("=", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  /** Serves until the input ends. */
  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is the child's log
  public static void serve(Handler handler) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String reply;
      try {
        reply = DONE + handler.answer(List.of(line.split(" ")));
      } catch (Exception e) {
        e.printStackTrace();
        reply = FAILED + e;
      }
      ANSWERS.println(reply);
      ANSWERS.flush();
    }
  }
}

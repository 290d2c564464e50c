package io.waterclock.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The other end of {@link Child}: reads questions from standard input, answers on the output. */
public final class ChildProtocol {
  static final String DONE = "OK ";
  private static final String FAILED = "FAILED ";

  /** Answers one question, given as its words. */
  @FunctionalInterface
  public interface Handler {
    String answer(List<String> words) throws Exception;
  }

  private ChildProtocol() {}

  /** A file as one word, to be given in a question. */
  public static String word(Path file) {
    return file.toUri().toASCIIString();
  }

  /** The file of a word. */
  public static Path file(String word) {
    return Path.of(URI.create(word));
  }

  /** Serves until the input ends. */
  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is the child's log
  public static void serve(Handler handler) throws IOException {
    PrintStream out = System.out;
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
      out.println(reply);
      out.flush();
    }
  }
}

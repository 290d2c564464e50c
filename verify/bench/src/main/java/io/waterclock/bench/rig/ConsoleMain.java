package io.waterclock.bench.rig;

import io.waterclock.console.Console;
import java.io.IOException;
import java.util.List;

/**
 * A console in a process of its own: {@code ConsoleMain BOOTSTRAP-SERVERS FIRES}. Answers {@code
 * port}, {@code complete} and {@code heap}.
 */
final class ConsoleMain {
  /** As the command {@code console} has it. */
  private static final int PARTS = 2;

  private ConsoleMain() {}

  public static void main(String[] args) throws IOException {
    try (Console console = MeasuredConsole.start(args[0], Integer.parseInt(args[1]), PARTS)) {
      ChildProtocol.serve(words -> answer(console, words));
    }
    System.exit(0);
  }

  private static String answer(Console console, List<String> words) {
    return switch (words.get(0)) {
      case "port" -> Integer.toString(console.port());
      case "complete" -> Boolean.toString(console.isComplete());
      case "heap" -> Long.toString(MeasuredSchedulerMain.heapAfterCollection());
      default -> throw new IllegalArgumentException(words.get(0));
    };
  }
}

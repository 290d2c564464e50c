package io.waterclock.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A broker as a process: {@code EmbeddedKafkaMain DIRECTORY PORT [SETTING=VALUE ...]}.
 *
 * <p>Prints one line, {@code READY host:port}, when clients may connect. Stops cleanly on SIGTERM
 * and when its standard input ends, which is what happens when the process that started it dies.
 * Exits with 1 and one sentence on standard error when the broker does not start, with 2 when the
 * arguments are wrong. {@link KafkaProcess} starts and stops it.
 */
public final class EmbeddedKafkaMain {
  static final String READY = "READY ";

  private EmbeddedKafkaMain() {}

  public static void main(String[] args) throws IOException {
    if (args.length < 2 || !args[1].matches("\\d{1,5}")) {
      System.err.println("usage: EmbeddedKafkaMain DIRECTORY PORT [SETTING=VALUE ...]");
      System.exit(2);
    }
    PrintStream out = System.out;
    System.setOut(System.err); // a log that nothing reads would fill the pipe and stop the broker
    try {
      EmbeddedKafka kafka =
          EmbeddedKafka.start(
              Path.of(args[0]),
              Integer.parseInt(args[1]),
              settings(List.of(args).subList(2, args.length)));
      Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "broker-shutdown"));
      out.println(READY + kafka.bootstrapServers());
    } catch (EmbeddedKafkaException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static Map<String, String> settings(List<String> arguments) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts.length != 2) {
        throw new EmbeddedKafkaException("Not of the form SETTING=VALUE: " + argument);
      }
      settings.put(parts[0], parts[1]);
    }
    return settings;
  }
}

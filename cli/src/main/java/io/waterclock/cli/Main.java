package io.waterclock.cli;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Logs;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.occurrences.tzdb.InvalidZoneDataException;
import io.waterclock.occurrences.tzdb.ZoneDataPin;
import io.waterclock.runtime.config.ConfigSources;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ExitCode;

/** The entry point. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // output is the same on every machine; and Kafka Streams formats a text for each record and
    // empty input, in which any other locale costs a look-up of its digits
    Locale.setDefault(Locale.Category.FORMAT, Locale.US);
    Optional<String> wrongZoneData = pinZoneData();
    Terminal terminal = Terminal.system();
    if (wrongZoneData.isPresent()) {
      terminal.note(ConfigSources.ZONE_DATA + ": " + wrongZoneData.get());
      terminal.flush();
      System.exit(ExitCode.USAGE);
    }
    int exitCode = execute(terminal, args);
    terminal.flush();
    System.exit(exitCode);
  }

  /** Runs first: the JVM reads its own data with its first use of a zone. */
  private static Optional<String> pinZoneData() {
    try {
      Optional.ofNullable(System.getenv(ConfigSources.ZONE_DATA))
          .filter(pin -> !pin.isBlank())
          .ifPresent(ZoneDataPin::pin);
      return Optional.empty();
    } catch (InvalidZoneDataException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private static int execute(Terminal terminal, String[] args) {
    try {
      Logs.configure(ConfigSources.gather(Optional.empty(), System.getenv(), Map.of()));
    } catch (Failure e) {
      terminal.note(e.lines().get(0));
      return ExitCode.USAGE;
    }
    return CommandTree.on(terminal).execute(args);
  }
}

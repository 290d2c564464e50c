package io.waterclock.cli;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Logs;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.runtime.config.ConfigSources;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ExitCode;

/** The entry point. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Terminal terminal = Terminal.system();
    int exitCode = execute(terminal, args);
    terminal.flush();
    System.exit(exitCode);
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

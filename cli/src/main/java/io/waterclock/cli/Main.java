package io.waterclock.cli;

import io.waterclock.cli.terminal.Terminal;

/** The entry point. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Terminal terminal = Terminal.system();
    int exitCode = CommandTree.on(terminal).execute(args);
    terminal.flush();
    System.exit(exitCode);
  }
}

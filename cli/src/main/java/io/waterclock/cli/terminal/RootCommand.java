package io.waterclock.cli.terminal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root command; it needs a subcommand. */
@Command(
    name = "waterclock",
    description = "An event-driven scheduler that lives inside Kafka.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    footer = {
      "",
      "Exit codes: 0 done, 1 refused or failed, 2 wrong usage. In apply, diff and import-from, 1"
          + " also stands for wrong usage, and 2 for a difference or what is left behind; 3 of"
          + " audit: not everything is proved."
    })
public final class RootCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the versions of Waterclock, time-zone data, Kafka and Java and exit.")
  boolean version;

  private final Terminal terminal;

  public RootCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  Terminal terminal() {
    return terminal;
  }

  @Override
  public void run() {
    throw new WrongUsage("A command is missing.");
  }
}

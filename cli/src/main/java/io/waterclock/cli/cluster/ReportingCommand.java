package io.waterclock.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command that prints its result as text, or as JSON. */
@Command
public abstract class ReportingCommand extends ClusterCommand {
  @Option(names = "--json", description = "Print JSON, each object on one line.")
  protected boolean json;
}

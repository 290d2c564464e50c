package io.waterclock.cli.apply;

import io.waterclock.cli.files.EditorSchema;
import io.waterclock.cli.terminal.TerminalCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

@Command(
    name = "schema",
    description = {
      "Print a JSON Schema of the files that apply reads.",
      "",
      "With it, editors complete and check schedules as code."
    })
public final class SchemaCommand extends TerminalCommand {
  @Override
  public Integer call() {
    terminal().print(EditorSchema.text());
    terminal().requireWhole();
    return ExitCode.OK;
  }
}

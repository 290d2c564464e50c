package io.waterclock.cli;

import io.waterclock.cli.audit.AuditCommand;
import io.waterclock.cli.calendar.CalendarCommand;
import io.waterclock.cli.calendar.CalendarDeleteCommand;
import io.waterclock.cli.calendar.CalendarGetCommand;
import io.waterclock.cli.calendar.CalendarListCommand;
import io.waterclock.cli.calendar.CalendarPutCommand;
import io.waterclock.cli.change.BackfillCommand;
import io.waterclock.cli.change.DeleteCommand;
import io.waterclock.cli.change.PauseCommand;
import io.waterclock.cli.change.PutCommand;
import io.waterclock.cli.change.ResumeCommand;
import io.waterclock.cli.change.SetAsideCommand;
import io.waterclock.cli.change.SkipCommand;
import io.waterclock.cli.change.TriggerCommand;
import io.waterclock.cli.change.UnskipCommand;
import io.waterclock.cli.cluster.ContextCommand;
import io.waterclock.cli.cluster.Contexts;
import io.waterclock.cli.doctor.DoctorCommand;
import io.waterclock.cli.preview.NextCommand;
import io.waterclock.cli.read.ExplainCommand;
import io.waterclock.cli.read.FiresCommand;
import io.waterclock.cli.read.GetCommand;
import io.waterclock.cli.read.HistoryCommand;
import io.waterclock.cli.read.ListCommand;
import io.waterclock.cli.serve.DevCommand;
import io.waterclock.cli.serve.RunCommand;
import io.waterclock.cli.terminal.CompletionCommand;
import io.waterclock.cli.terminal.ErrorMessages;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.transfer.ExportCommand;
import io.waterclock.cli.transfer.ImportCommand;
import io.waterclock.cli.transfer.ResetCommand;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.TypeConversionException;

/** The root command with all its subcommands. */
public final class CommandTree {
  private CommandTree() {}

  /** The tree, ready to execute against {@code terminal}. */
  public static CommandLine on(Terminal terminal) {
    CommandLine root = new CommandLine(new RootCommand());
    Stream.of(
            new DevCommand(terminal, CommandTree::on),
            new RunCommand(terminal),
            new PutCommand(terminal),
            new DeleteCommand(terminal),
            new PauseCommand(terminal),
            new ResumeCommand(terminal),
            new SkipCommand(terminal),
            new UnskipCommand(terminal),
            new TriggerCommand(terminal),
            new BackfillCommand(terminal),
            new GetCommand(terminal),
            new ListCommand(terminal),
            new FiresCommand(terminal),
            new NextCommand(terminal),
            new ExplainCommand(terminal),
            new HistoryCommand(terminal),
            new AuditCommand(terminal),
            new DoctorCommand(terminal),
            new ExportCommand(terminal),
            new ImportCommand(terminal),
            new ResetCommand(terminal),
            new SetAsideCommand(terminal),
            new ContextCommand(terminal, Contexts.ofUser()),
            new CompletionCommand(terminal))
        .forEach(root::addSubcommand);
    root.addSubcommand(
        new CommandLine(new CalendarCommand())
            .addSubcommand(new CalendarPutCommand(terminal))
            .addSubcommand(new CalendarListCommand(terminal))
            .addSubcommand(new CalendarGetCommand(terminal))
            .addSubcommand(new CalendarDeleteCommand(terminal)));
    return root.registerConverter(Duration.class, CommandTree::duration)
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF)) // no escape sequence passes Terminal
        .setExecutionExceptionHandler(ErrorMessages::ofExecution)
        .setParameterExceptionHandler(ErrorMessages::ofUsage);
  }

  private static Duration duration(String text) {
    try {
      return Durations.parse(text);
    } catch (InvalidValueException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}

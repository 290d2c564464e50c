package io.waterclock.cli;

import io.waterclock.cli.apply.ApplyCommand;
import io.waterclock.cli.apply.SchemaCommand;
import io.waterclock.cli.audit.AuditCommand;
import io.waterclock.cli.calendar.CalendarCommand;
import io.waterclock.cli.change.BackfillCommand;
import io.waterclock.cli.change.DeleteCommand;
import io.waterclock.cli.change.PauseCommand;
import io.waterclock.cli.change.PutCommand;
import io.waterclock.cli.change.RerunCommand;
import io.waterclock.cli.change.ResumeCommand;
import io.waterclock.cli.change.RevertCommand;
import io.waterclock.cli.change.SetAsideCommand;
import io.waterclock.cli.change.SkipCommand;
import io.waterclock.cli.change.TriggerCommand;
import io.waterclock.cli.change.UnskipCommand;
import io.waterclock.cli.cluster.ContextCommand;
import io.waterclock.cli.cluster.Contexts;
import io.waterclock.cli.create.NewCommand;
import io.waterclock.cli.diff.DiffCommand;
import io.waterclock.cli.dlq.DlqCommand;
import io.waterclock.cli.doctor.DoctorCommand;
import io.waterclock.cli.doctor.LintCommand;
import io.waterclock.cli.limit.LimitsCommand;
import io.waterclock.cli.moving.ImportFromCommand;
import io.waterclock.cli.preview.NextCommand;
import io.waterclock.cli.read.ExplainCommand;
import io.waterclock.cli.read.FiresCommand;
import io.waterclock.cli.read.GetCommand;
import io.waterclock.cli.read.HistoryCommand;
import io.waterclock.cli.read.ListCommand;
import io.waterclock.cli.read.RunsCommand;
import io.waterclock.cli.serve.ConsoleCommand;
import io.waterclock.cli.serve.DevCommand;
import io.waterclock.cli.serve.RunCommand;
import io.waterclock.cli.serve.TopicsCommand;
import io.waterclock.cli.terminal.CompletionCommand;
import io.waterclock.cli.terminal.ErrorMessages;
import io.waterclock.cli.terminal.RootCommand;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.transfer.ExportCommand;
import io.waterclock.cli.transfer.ImportCommand;
import io.waterclock.cli.transfer.ResetCommand;
import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

/** The root command with all its subcommands. */
public final class CommandTree {
  /**
   * A command in the list of the help.
   *
   * @param example its arguments; empty for a command that shows examples of its own
   */
  private record Listed(CommandLine command, String example) {
    static Listed of(Object command, String example) {
      return new Listed(new CommandLine(command), example);
    }
  }

  private CommandTree() {}

  /** The tree, ready to execute against {@code terminal}. */
  public static CommandLine on(Terminal terminal) {
    CommandLine root = new CommandLine(new RootCommand(terminal));
    Map<String, List<Listed>> groups = groups();
    for (Listed listed : groups.values().stream().flatMap(List::stream).toList()) {
      CommandSpec command = listed.command().getCommandSpec();
      joinLines(command);
      command
          .subcommands()
          .values()
          .forEach(sub -> sub.getCommandSpec().usageMessage().abbreviateSynopsis(true));
      if (!listed.example().isEmpty()) {
        command
            .usageMessage()
            .abbreviateSynopsis(true)
            .footer("", "Example:", "  waterclock " + listed.example());
      }
      root.addSubcommand(listed.command());
    }
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> text(groups));
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    UnbrokenHelp.giveTo(root);
    return root.registerConverter(Duration.class, text -> read(text, Durations::parse))
        .registerConverter(WhereExpression.class, text -> read(text, WhereExpression::parse))
        .setOut(terminal.trusting())
        .setErr(terminal.err())
        .setExpandAtFiles(false) // --payload @FILE is the value of an option
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setColorScheme(Help.defaultColorScheme(terminal.colors() ? Ansi.ON : Ansi.OFF))
        .setExecutionExceptionHandler(ErrorMessages::ofExecution)
        .setParameterExceptionHandler(ErrorMessages::ofUsage);
  }

  /** The commands by what a person does. */
  private static Map<String, List<Listed>> groups() {
    Map<String, List<Listed>> groups = new LinkedHashMap<>();
    groups.put(
        "Run a scheduler",
        List.of(
            Listed.of(new DevCommand(CommandTree::on), "dev --data ./waterclock-data"),
            Listed.of(
                new RunCommand(), "run --config waterclock.properties --set num.stream.threads=2"),
            Listed.of(new ConsoleCommand(), "console --tokens tokens.txt --access access.txt"),
            Listed.of(new TopicsCommand(), "topics --partitions 24 --replication-factor 3")));
    groups.put(
        "Define and look",
        List.of(
            Listed.of(
                new PutCommand(), "put reports/daily --cron '0 9 * * 1-5' --zone Europe/Berlin"),
            Listed.of(new ApplyCommand(), "apply schedules/ --set billing --prune --dry-run"),
            Listed.of(new DeleteCommand(), "delete reports/daily"),
            Listed.of(new RevertCommand(), "revert reports/daily --to waterclock.schedules-3@17"),
            Listed.of(new ListCommand(), "list --state PAUSED,FAULTED --owner acme"),
            Listed.of(new GetCommand(), "get reports/daily --next 20"),
            Listed.of(new FiresCommand(), "fires --follow --from 1h --schedule reports/daily"),
            Listed.of(new RunsCommand(), "runs --failed --owner acme"),
            Listed.of(new HistoryCommand(), "history reports/daily --from 2026-11-01")));
    groups.put(
        "Steer",
        List.of(
            Listed.of(
                new PauseCommand(), "pause reports/daily --note 'deploying 4.2' --author ann"),
            Listed.of(new ResumeCommand(), "resume reports/daily"),
            Listed.of(new SkipCommand(), "skip reports/daily 2026-12-24T08:00:00Z"),
            Listed.of(new UnskipCommand(), "unskip reports/daily 2026-12-24T08:00:00Z"),
            Listed.of(
                new TriggerCommand(), "trigger reports/daily --payload '{\"kind\":\"by hand\"}'"),
            Listed.of(new RerunCommand(), "rerun --failed --owner acme --from 2h --dry-run"),
            Listed.of(new BackfillCommand(), "backfill reports/daily --from 2026-11-01 --to now"),
            Listed.of(new CalendarCommand(), ""),
            Listed.of(new LimitsCommand(), "limits put etl --max-running 4")));
    groups.put(
        "Preview",
        List.of(
            Listed.of(
                new NextCommand(),
                "next --cron '30 2 * * *' --zone Europe/Berlin --from 2026-03-28"),
            Listed.of(
                new ExplainCommand(), "explain --cron '0 9 * * FRI#2' --zone America/New_York"),
            Listed.of(new DiffCommand(), "diff schedules/ --days 14")));
    groups.put(
        "Find faults",
        List.of(
            Listed.of(new DoctorCommand(), "doctor reports/daily"),
            Listed.of(new LintCommand(), "lint --owner acme"),
            Listed.of(new AuditCommand(), "audit --from 24h")));
    groups.put(
        "Move and repair",
        List.of(
            Listed.of(
                new ImportFromCommand(),
                "import-from crontab /etc/crontab --users --output cron.yaml"),
            Listed.of(new ExportCommand(), "export --output schedules.jsonl"),
            Listed.of(new ImportCommand(), "import schedules.jsonl --dry-run"),
            Listed.of(new DlqCommand(), "dlq redrive --reason 'no topic' --from 2h --dry-run"),
            Listed.of(new ResetCommand(), "reset --yes"),
            Listed.of(new SetAsideCommand(), "set-aside")));
    groups.put(
        "Your project and terminal",
        List.of(
            Listed.of(new ContextCommand(Contexts.ofUser()), ""),
            Listed.of(new CompletionCommand(), ""),
            Listed.of(new SchemaCommand(), "schema"),
            Listed.of(new NewCommand(), "new java ./reports")));
    return groups;
  }

  /**
   * Makes each paragraph of a description one line, which the help wraps at the terminal's width.
   */
  private static void joinLines(CommandSpec command) {
    String text = String.join("\n", command.usageMessage().description());
    command.usageMessage().description(text.replaceAll("(?<=\\S)\n(?=\\S)", " ").split("\n"));
    command.subcommands().values().forEach(sub -> joinLines(sub.getCommandSpec()));
  }

  /** The groups, each command with the first sentence of its description. */
  private static String text(Map<String, List<Listed>> groups) {
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (heading, commands) -> {
          text.append(String.format("%n%s:%n", heading));
          for (Listed listed : commands) {
            CommandSpec command = listed.command().getCommandSpec();
            String description = String.join(" ", command.usageMessage().description());
            String sentence = description.replaceFirst("(?s)[.;:] .*", "").replaceFirst("\\.$", "");
            text.append(String.format("  %-11s %s%n", command.name(), sentence));
          }
        });
    return text.toString();
  }

  private static <T> T read(String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (InvalidValueException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}

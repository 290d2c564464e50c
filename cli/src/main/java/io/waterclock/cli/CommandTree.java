package io.waterclock.cli;

import io.waterclock.cli.apply.ApplyCommand;
import io.waterclock.cli.apply.SchemaCommand;
import io.waterclock.cli.audit.AuditCommand;
import io.waterclock.cli.calendar.CalendarCommand;
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
import io.waterclock.cli.diff.DiffCommand;
import io.waterclock.cli.doctor.DoctorCommand;
import io.waterclock.cli.moving.ImportFromCommand;
import io.waterclock.cli.preview.NextCommand;
import io.waterclock.cli.read.ExplainCommand;
import io.waterclock.cli.read.FiresCommand;
import io.waterclock.cli.read.GetCommand;
import io.waterclock.cli.read.HistoryCommand;
import io.waterclock.cli.read.ListCommand;
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
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

/** The root command with all its subcommands. */
public final class CommandTree {
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("Run a scheduler", List.of("dev", "run", "console", "topics"));
    GROUPS.put(
        "Define and look", List.of("put", "apply", "delete", "list", "get", "fires", "history"));
    GROUPS.put(
        "Steer", List.of("pause", "resume", "skip", "unskip", "trigger", "backfill", "calendar"));
    GROUPS.put("Preview", List.of("next", "explain", "diff"));
    GROUPS.put("Find faults", List.of("doctor", "audit"));
    GROUPS.put("Move and repair", List.of("import-from", "export", "import", "reset", "set-aside"));
    GROUPS.put("Your terminal", List.of("context", "completion", "schema"));
  }

  private static final Map<String, String> EXAMPLES =
      Map.ofEntries(
          Map.entry("dev", "dev --data ./waterclock-data"),
          Map.entry("run", "run --config waterclock.properties --set num.stream.threads=2"),
          Map.entry("console", "console --tokens tokens.txt --access access.txt"),
          Map.entry("topics", "topics --partitions 24 --replication-factor 3"),
          Map.entry("put", "put reports/daily --cron '0 9 * * 1-5' --zone Europe/Berlin"),
          Map.entry("apply", "apply schedules/ --set billing --prune --dry-run"),
          Map.entry("schema", "schema"),
          Map.entry("delete", "delete reports/daily"),
          Map.entry("list", "list --state PAUSED,FAULTED --owner acme"),
          Map.entry("get", "get reports/daily --next 20"),
          Map.entry("fires", "fires --follow --from 1h --schedule reports/daily"),
          Map.entry("history", "history reports/daily --from 2026-11-01"),
          Map.entry("pause", "pause reports/daily --note 'deploying 4.2' --author ann"),
          Map.entry("resume", "resume reports/daily"),
          Map.entry("skip", "skip reports/daily 2026-12-24T08:00:00Z"),
          Map.entry("unskip", "unskip reports/daily 2026-12-24T08:00:00Z"),
          Map.entry("trigger", "trigger reports/daily --payload '{\"kind\":\"by hand\"}'"),
          Map.entry("backfill", "backfill reports/daily --from 2026-11-01 --to now"),
          Map.entry("next", "next --cron '30 2 * * *' --zone Europe/Berlin --from 2026-03-28"),
          Map.entry("explain", "explain --cron '0 9 * * FRI#2' --zone America/New_York"),
          Map.entry("diff", "diff schedules/ --days 14"),
          Map.entry("doctor", "doctor reports/daily"),
          Map.entry("audit", "audit --from 24h"),
          Map.entry("export", "export --output schedules.jsonl"),
          Map.entry("import", "import schedules.jsonl --dry-run"),
          Map.entry("import-from", "import-from crontab /etc/crontab --users --output cron.yaml"),
          Map.entry("reset", "reset --yes"),
          Map.entry("set-aside", "set-aside"));

  private CommandTree() {}

  /** The tree, ready to execute against {@code terminal}. */
  public static CommandLine on(Terminal terminal) {
    CommandLine root = new CommandLine(new RootCommand(terminal));
    Stream.of(
            new DevCommand(CommandTree::on),
            new RunCommand(),
            new ConsoleCommand(),
            new TopicsCommand(),
            new PutCommand(),
            new ApplyCommand(),
            new DeleteCommand(),
            new PauseCommand(),
            new ResumeCommand(),
            new SkipCommand(),
            new UnskipCommand(),
            new TriggerCommand(),
            new BackfillCommand(),
            new GetCommand(),
            new ListCommand(),
            new FiresCommand(),
            new NextCommand(),
            new ExplainCommand(),
            new DiffCommand(),
            new HistoryCommand(),
            new AuditCommand(),
            new DoctorCommand(),
            new ExportCommand(),
            new ImportCommand(),
            new ImportFromCommand(),
            new ResetCommand(),
            new SetAsideCommand(),
            new CalendarCommand(),
            new ContextCommand(Contexts.ofUser()),
            new CompletionCommand(),
            new SchemaCommand())
        .forEach(root::addSubcommand);
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandTree::groups);
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    root.getSubcommands().values().forEach(command -> joinLines(command.getCommandSpec()));
    EXAMPLES.forEach(
        (name, example) ->
            usage(root.getSubcommands(), name)
                .abbreviateSynopsis(true)
                .footer("", "Example:", "  waterclock " + example));
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

  /**
   * Makes each paragraph of a description one line, which the help wraps at the terminal's width.
   */
  private static void joinLines(CommandSpec command) {
    String text = String.join("\n", command.usageMessage().description());
    command.usageMessage().description(text.replaceAll("(?<=\\S)\n(?=\\S)", " ").split("\n"));
    command.subcommands().values().forEach(sub -> joinLines(sub.getCommandSpec()));
  }

  /** The commands by what a person does, each with the first sentence of its description. */
  private static String groups(Help help) {
    StringBuilder text = new StringBuilder();
    GROUPS.forEach(
        (heading, names) -> {
          text.append(String.format("%n%s:%n", heading));
          for (String name : names) {
            String description =
                String.join(" ", usage(help.commandSpec().subcommands(), name).description());
            String sentence = description.replaceFirst("(?s)[.;:] .*", "").replaceFirst("\\.$", "");
            text.append(String.format("  %-11s %s%n", name, sentence));
          }
        });
    return text.toString();
  }

  private static UsageMessageSpec usage(Map<String, CommandLine> commands, String name) {
    return Objects.requireNonNull(commands.get(name), name).getCommandSpec().usageMessage();
  }

  private static <T> T read(String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (InvalidValueException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}

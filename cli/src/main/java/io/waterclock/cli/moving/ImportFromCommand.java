package io.waterclock.cli.moving;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.files.DefinitionWriter;
import io.waterclock.cli.source.BrokenSourceException;
import io.waterclock.cli.source.CronJobs;
import io.waterclock.cli.source.Crontab;
import io.waterclock.cli.source.DbSchedulerTable;
import io.waterclock.cli.source.EventBridgeSchedules;
import io.waterclock.cli.source.JobRunrJobs;
import io.waterclock.cli.source.Moving;
import io.waterclock.cli.source.MovingSettings;
import io.waterclock.cli.source.QuartzTables;
import io.waterclock.cli.source.QuartzXml;
import io.waterclock.cli.source.SpringSchedules;
import io.waterclock.cli.source.TemporalSchedules;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Reads the schedules of another scheduler. */
@Command(
    name = "import-from",
    exitCodeOnInvalidInput = ExitCode.SOFTWARE,
    description = {
      "Read the schedules of another scheduler, and write them as YAML; needs no Kafka.",
      "",
      "A report names what has no equal, and what another scheduler does that these definitions do",
      "not. With --prove the occurrences of both schedulers are compared.",
      "Exit codes: 0 all is moved, 1 failure or wrong usage, 2 something is left behind or differs."
    })
public final class ImportFromCommand extends TerminalCommand {
  /** The schedulers that import-from reads. */
  enum SourceSystem {
    CRONTAB,
    QUARTZ,
    SPRING,
    EVENTBRIDGE,
    KUBERNETES,
    DB_SCHEDULER,
    TEMPORAL,
    JOBRUNR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static SourceSystem of(String text) {
      return Stream.of(values())
          .filter(system -> system.toString().equalsIgnoreCase(text.replace('_', '-')))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "\"%s\" is none of %s"
                          .formatted(
                              text,
                              Stream.of(values())
                                  .map(SourceSystem::toString)
                                  .collect(Collectors.joining(", ")))));
    }

    /** Names them as the help does. */
    private static final class Converter implements ITypeConverter<SourceSystem> {
      @Override
      public SourceSystem convert(String text) {
        return of(text);
      }
    }
  }

  private static final int INCOMPLETE = 2;

  @Parameters(
      index = "0",
      paramLabel = "SYSTEM",
      converter = SourceSystem.Converter.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  SourceSystem system = SourceSystem.CRONTAB;

  @Parameters(
      index = "1",
      paramLabel = "SOURCE",
      description =
          "A file, - for standard input, a folder (spring), or a JDBC URL (quartz, db-scheduler,"
              + " jobrunr).")
  String source = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "A new file for the schedules (default: standard output).")
  Optional<String> output = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of the other scheduler, where it names none (default: UTC).")
  String zone = "UTC";

  @Option(names = "--prefix", paramLabel = "TEXT", description = "The beginning of all ids.")
  String prefix = "";

  @Option(names = "--owner", paramLabel = "NAME", description = "The owner of all schedules.")
  Optional<String> owner = Optional.empty();

  @Option(
      names = "--users",
      description = "With crontab: a column names a user, as in /etc/crontab.")
  boolean users;

  @Option(
      names = "--value",
      paramLabel = "NAME=VALUE",
      description =
          "With spring: a placeholder's value. With db-scheduler: the schedule of a task. May be"
              + " repeated.")
  Map<String, String> values = new LinkedHashMap<>();

  @Option(
      names = "--tables",
      paramLabel = "NAME",
      description =
          "With a JDBC URL: the prefix of the tables (quartz: QRTZ_, jobrunr: none), or the table"
              + " (db-scheduler: scheduled_tasks).")
  Optional<String> tables = Optional.empty();

  @Option(names = "--user", paramLabel = "NAME", description = "The user of the database.")
  Optional<String> user = Optional.empty();

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file with the password of the database.")
  Optional<String> passwordFile = Optional.empty();

  @Option(
      names = "--prove",
      arity = "0..1",
      paramLabel = "N",
      fallbackValue = "10000",
      description =
          "Compare the next N occurrences with those of the other scheduler's library (default:"
              + " 10000).")
  Optional<Integer> prove = Optional.empty();

  @Option(
      names = "--jars",
      paramLabel = "PATH",
      description = "Jars of that library, and of database drivers.")
  Optional<String> jars = Optional.empty();

  @Override
  public Integer call() {
    if (prove.isPresent() && (prove.get() < 1 || prove.get() > 1_000_000)) {
      throw new WrongUsage("--prove must be from 1 to 1000000.");
    }
    if (users && system != SourceSystem.CRONTAB) {
      throw new WrongUsage("--users goes with crontab.");
    }
    SourceJars libraries = SourceJars.of(jars);
    Instant now = now();
    Moving moving;
    try {
      moving = read(new MovingSettings(zone(), prefix, now, values, owner), libraries);
    } catch (BrokenSourceException e) {
      throw new Failure(source + ": " + e.getMessage(), e);
    }
    String yaml = yaml(moving);
    output.ifPresentOrElse(file -> write(file, yaml), () -> print(yaml));
    MovingReport report = MovingReport.of(moving, prove, now, libraries.loader());
    report.lines().forEach(terminal().err()::println);
    return report.complete() ? ExitCode.OK : INCOMPLETE;
  }

  private ZoneId zone() {
    try {
      return Instants.zone(zone);
    } catch (InvalidValueException e) {
      throw new Failure("--zone: " + e.getMessage(), e);
    }
  }

  private static String yaml(Moving moving) {
    StringBuilder text = new StringBuilder();
    DefinitionWriter writer = new DefinitionWriter(text);
    moving.schedules().forEach(moved -> writer.schedule(moved.id(), moved.form(), moved.notes()));
    return text.toString();
  }

  /** YAML that ends between two schedules is valid, so apply would take it for all of them. */
  private void print(String yaml) {
    terminal().print(yaml);
    terminal().requireWhole();
  }

  private static void write(String file, String yaml) {
    try {
      Files.writeString(Path.of(file), yaml, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new Failure("The file " + file + " exists already; choose another name.", e);
    } catch (IOException e) {
      throw new Failure("The file " + file + " cannot be written: " + RootCause.of(e) + ".", e);
    }
  }

  private Moving read(MovingSettings settings, SourceJars libraries) {
    boolean isDatabase = source.startsWith("jdbc:");
    if (isDatabase) {
      return database(settings, libraries);
    }
    return switch (system) {
      case CRONTAB -> Crontab.read(text(), users, settings);
      case QUARTZ -> QuartzXml.read(text(), settings);
      case SPRING -> SpringSchedules.read(Path.of(source), settings);
      case EVENTBRIDGE -> EventBridgeSchedules.read(text(), settings);
      case KUBERNETES -> CronJobs.read(text(), settings);
      case TEMPORAL -> TemporalSchedules.read(text(), settings);
      case JOBRUNR -> JobRunrJobs.read(text(), settings);
      case DB_SCHEDULER ->
          throw new WrongUsage("db-scheduler keeps its tasks in a table: give a JDBC URL.");
    };
  }

  private String text() {
    return new String(terminal().read(source), UTF_8);
  }

  private Moving database(MovingSettings settings, SourceJars libraries) {
    try (Connection database = libraries.connect(source, user, password())) {
      return switch (system) {
        case QUARTZ -> QuartzTables.read(database, tables.orElse("QRTZ_"), settings);
        case DB_SCHEDULER ->
            DbSchedulerTable.read(database, tables.orElse("scheduled_tasks"), settings);
        case JOBRUNR -> JobRunrJobs.read(database, tables.orElse(""), settings);
        default -> throw new WrongUsage(system + " is read from a file, not from a database.");
      };
    } catch (SQLException e) {
      throw new Failure("The database cannot be closed: " + e.getMessage(), e);
    }
  }

  private Optional<String> password() {
    return passwordFile.map(file -> new String(terminal().read(file), UTF_8).strip());
  }
}

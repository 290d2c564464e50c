package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands what was exported to a scheduler. */
@Command(
    name = "import",
    description = {
      "Hand the schedules and calendars of an export to a scheduler: it goes on with each where the"
          + " other one was. What was decided there does not fire again, what was missed since is"
          + " caught up.",
      "",
      "The whole file is checked before anything is written. Exit code 1 when it is refused, or the"
          + " scheduler refuses a schedule."
    })
public final class ImportCommand implements Callable<Integer> {
  /** So many schedules are under way at once. */
  private static final int BATCH = 1_000;

  /** What becomes of a schedule or a calendar that is there already. */
  enum OnExisting {
    /** Nothing is imported. */
    FAIL,
    /** It stays as it is. */
    SKIP,
    /** It is deleted first. */
    REPLACE
  }

  private final Terminal terminal;
  private int exitCode = ExitCode.OK;

  @Parameters(paramLabel = "FILE", description = "The export, or - for standard input.")
  String file = "";

  @Option(
      names = "--on-existing",
      paramLabel = "fail|skip|replace",
      defaultValue = "fail",
      description =
          "What becomes of schedules and calendars that are there already and differ: nothing is"
              + " imported (fail, the default), they stay (skip), or they are deleted first"
              + " (replace).")
  OnExisting onExisting = OnExisting.FAIL;

  @Option(
      names = "--decided-through",
      paramLabel = "INSTANT",
      description =
          "Count every schedule as decided up to this instant, for an export that was taken while"
              + " the scheduler went on.")
  Optional<Instant> decidedThrough = Optional.empty();

  @Option(names = "--dry-run", description = "Only check the file, and say what would be done.")
  boolean dryRun;

  @Option(names = "--json", description = "Print the summary as JSON.")
  boolean json;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "30s",
      description = "How long to wait for each answer of a scheduler (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  @Mixin SchedulerOptions scheduler = new SchedulerOptions();
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  /** A command that writes to {@code terminal}. */
  public ImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (!file.equals("-")) {
      run(Path.of(file));
      return exitCode;
    }
    try {
      Path spooled = Files.createTempFile("waterclock-import", ".jsonl");
      try (InputStream in = terminal.open(file)) {
        Files.copy(in, spooled, StandardCopyOption.REPLACE_EXISTING);
        run(spooled);
      } finally {
        Files.delete(spooled);
      }
    } catch (IOException e) {
      throw new Failure("Standard input cannot be kept: " + e.getMessage() + ".", e);
    }
    return exitCode;
  }

  private void run(Path path) {
    Cluster cluster = Cluster.of(connection);
    SchedulerGroup group = scheduler.on(cluster);
    CalendarTopic calendars = new CalendarTopic(cluster);
    Map<String, Calendar> there = calendars.all();
    ExportFile export = ExportFile.check(path, there.keySet());
    Set<String> existing = existing(cluster, export.ids());
    Map<String, Calendar> changes = new TreeMap<>(export.calendars());
    changes.entrySet().removeIf(entry -> entry.getValue().equals(there.get(entry.getKey())));
    refuse(existing, changes, there);
    if (onExisting == OnExisting.SKIP) {
      changes.keySet().removeAll(there.keySet());
    }
    if (export.header().running() && decidedThrough.isEmpty()) {
      terminal.note(
          "the scheduler was running when this was exported, at "
              + export.header().exportedAt()
              + ": what it decided afterwards is decided again; --decided-through prevents it");
    }
    if (!dryRun) {
      changes.forEach(
          (name, calendar) ->
              calendars.write(
                  CalendarName.parse(name.getBytes(UTF_8)),
                  Optional.of(RecordCodecs.calendar().encode(calendar, WireFormat.JSON))));
      write(export, existing, cluster, group);
    }
    report(export, existing, changes.size());
  }

  private void refuse(
      Set<String> existing, Map<String, Calendar> changes, Map<String, Calendar> there) {
    List<String> known = new ArrayList<>(existing);
    changes.keySet().stream()
        .filter(there::containsKey)
        .forEach(name -> known.add("the calendar " + name));
    if (onExisting == OnExisting.FAIL && !known.isEmpty()) {
      int more = known.size() - 10;
      throw new Failure(
          "Nothing is imported, as there are already "
              + String.join(", ", known.subList(0, Math.min(10, known.size())))
              + (more > 0 ? " and " + more + " more" : "")
              + ": --on-existing skip leaves them as they are, --on-existing replace deletes them"
              + " first.");
    }
  }

  /** Those of the ids that are defined there. */
  private static Set<String> existing(Cluster cluster, Set<String> ids) {
    Set<String> existing = new TreeSet<>();
    String topic = cluster.topics().schedules();
    var partitions = cluster.partitions(topic);
    cluster
        .reader()
        .toEnd(
            partitions,
            record -> {
              String id = record.key() == null ? "" : new String(record.key(), UTF_8);
              if (ids.contains(id)
                  && Partitions.home(id, partitions).partition() == record.partition()) {
                if (record.value() == null) {
                  existing.remove(id);
                } else {
                  existing.add(id);
                }
              }
              return true;
            });
    return existing;
  }

  private void write(
      ExportFile export, Set<String> existing, Cluster cluster, SchedulerGroup group) {
    String topic = cluster.topics().schedules();
    boolean atHome = export.header().isOf(cluster.topics().prefix(), group.clusterId());
    boolean isAnswered = !group.members().isEmpty();
    try (Batches batches = new Batches(cluster, isAnswered)) {
      export.forEach(
          schedule -> {
            boolean isThere = existing.contains(schedule.id().value());
            if (isThere && onExisting == OnExisting.SKIP) {
              return;
            }
            if (isThere) {
              batches.add(new ProducerRecord<>(topic, schedule.id().utf8(), null));
            }
            ExportedSchedule raised = decidedThrough.map(schedule::decidedThrough).orElse(schedule);
            batches.add(
                (atHome ? raised : raised.elsewhere(export.header().clusterId())).record(topic));
          });
      batches.flush();
    }
    if (!isAnswered) {
      terminal.note(
          "no scheduler runs now; it takes them over when it starts, if its import.allow has their"
              + " ids, as * has all, and else rejects them");
    }
  }

  /** Records on their way to a scheduler, which answers if it runs. */
  private final class Batches implements AutoCloseable {
    private final Requests requests;
    private final BulkWriter writer;
    private final boolean isAnswered;
    private final List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();

    Batches(Cluster cluster, boolean isAnswered) {
      this.requests = new Requests(cluster);
      this.writer = new BulkWriter(cluster);
      this.isAnswered = isAnswered;
    }

    void add(ProducerRecord<byte[], byte[]> record) {
      if (!isAnswered) {
        writer.write(record);
        return;
      }
      batch.add(record);
      if (batch.size() >= BATCH) {
        flush();
      }
    }

    void flush() {
      writer.flush();
      if (!batch.isEmpty()) {
        requests.importAll(List.copyOf(batch), timeout, ImportCommand.this::take);
        batch.clear();
      }
    }

    @Override
    public void close() {
      writer.close();
    }
  }

  private void take(Answer answer) {
    if (answer.getVerdict() == Verdict.REJECTED || answer.getVerdict() == Verdict.CONFLICT) {
      exitCode = AnswerText.print(answer, terminal);
    }
  }

  private void report(ExportFile export, Set<String> existing, int calendars) {
    int skipped = onExisting == OnExisting.SKIP ? existing.size() : 0;
    int replaced = onExisting == OnExisting.REPLACE ? existing.size() : 0;
    int imported = export.ids().size() - skipped;
    if (json) {
      terminal.println(
          new ObjectMapper()
              .createObjectNode()
              .put("dry_run", dryRun)
              .put("schedules", imported)
              .put("replaced", replaced)
              .put("skipped", skipped)
              .put("calendars", calendars)
              .toString());
      return;
    }
    terminal.println(
        (dryRun ? "would import " : "imported ")
            + imported
            + " schedules ("
            + replaced
            + " replaced, "
            + skipped
            + " skipped) and "
            + calendars
            + " calendars");
  }
}

package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.BulkRun;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = {
      "Import the schedules and calendars of an export into a scheduler, which continues each at"
          + " its position. Decided occurrences do not fire again, occurrences since then are"
          + " caught up.",
      "",
      "The command checks the whole file before it writes anything. Exit code 1 if the file is"
          + " invalid, or if the scheduler rejects a schedule."
    })
public final class ImportCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The number of schedules that wait for answers at a time. */
  private static final int BATCH = 1_000;

  /** What happens to an existing schedule or calendar. */
  enum OnExisting {
    /** Nothing is imported. */
    FAIL,
    /** It stays unchanged. */
    SKIP,
    /** It is deleted first. */
    REPLACE
  }

  private int exitCode = ExitCode.OK;
  private final SortedSet<String> refused = new TreeSet<>();

  @Parameters(paramLabel = "FILE", description = "The export, or - for standard input.")
  String file = "";

  @Option(
      names = "--on-existing",
      paramLabel = "fail|skip|replace",
      defaultValue = "fail",
      description =
          "What happens to existing schedules and calendars that differ: the import fails (fail,"
              + " the default), they stay (skip), or they are deleted first (replace). Schedules are"
              + " only replaced while the scheduler runs.")
  OnExisting onExisting = OnExisting.FAIL;

  @Option(
      names = "--decided-through",
      paramLabel = "INSTANT",
      description =
          "Count every schedule as decided up to this instant, for an export of a running"
              + " scheduler.")
  Optional<Instant> decidedThrough = Optional.empty();

  @Option(
      names = "--dry-run",
      description = "Only check the file, and print what the import would do.")
  boolean dryRun;

  @Mixin SchedulerOptions scheduler = new SchedulerOptions();

  @Override
  public Integer call() {
    if (!file.equals("-")) {
      run(Path.of(file));
      return exitCode;
    }
    try {
      Path spooled = Files.createTempFile("waterclock-import", ".jsonl");
      try (InputStream in = terminal().open(file)) {
        Files.copy(in, spooled, StandardCopyOption.REPLACE_EXISTING);
        run(spooled);
      } finally {
        Files.delete(spooled);
      }
    } catch (IOException e) {
      throw new Failure("Standard input cannot be stored: " + RootCause.of(e) + ".", e);
    }
    return exitCode;
  }

  private void run(Path path) {
    Cluster cluster = cluster();
    SchedulerGroup group = scheduler.on(cluster);
    CalendarTopic calendars = new CalendarTopic(cluster);
    Map<String, Calendar> there = calendars.all();
    ExportFile export = ExportFile.check(path, there.keySet());
    ExistingSchedules found = ExistingSchedules.read(cluster, export.ids());
    Set<String> existing = found.ids();
    Map<String, Calendar> changes = new TreeMap<>(export.calendars());
    changes.entrySet().removeIf(entry -> entry.getValue().equals(there.get(entry.getKey())));
    refuse(existing, changes, there);
    Set<String> inForce = onExisting == OnExisting.REPLACE ? found.inForce() : Set.of();
    if (onExisting == OnExisting.SKIP) {
      changes.keySet().removeAll(there.keySet());
    }
    if (export.header().running() && decidedThrough.isEmpty()) {
      note(
          "the scheduler ran during the export at "
              + export.header().exportedAt()
              + ": its later decisions are made again here, which --decided-through prevents");
    }
    if (!dryRun) {
      boolean isAnswered = !group.members().isEmpty();
      if (!isAnswered) {
        requireNoReplacement(inForce);
      }
      changes.forEach(
          (name, calendar) ->
              calendars.write(
                  CalendarName.parse(name.getBytes(UTF_8)),
                  Optional.of(RecordCodecs.calendar().encode(calendar, WireFormat.JSON))));
      try (Batches batches = new Batches(cluster, isAnswered, inForce)) {
        write(export, existing, cluster, group, batches);
      }
      if (!isAnswered) {
        note(
            "no scheduler runs now; when it starts, it imports the schedules whose ids its"
                + " import.allow contains (* contains all), and rejects the others");
      }
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
          ("Nothing was imported, because these exist: %s%s. --on-existing skip leaves"
                  + " them unchanged, --on-existing replace deletes them first.")
              .formatted(
                  String.join(", ", known.subList(0, Math.min(10, known.size()))),
                  more > 0 ? " and " + more + " more" : ""));
    }
  }

  /** A scheduler that starts later accepts each delete, and may then reject each import. */
  private static void requireNoReplacement(Set<String> inForce) {
    if (!inForce.isEmpty()) {
      throw new Failure(
          ("Nothing was imported, because no scheduler runs that could say, before schedules are"
                  + " deleted for the import, whether it accepts that (import.allow): %s. Start it,"
                  + " or leave them unchanged with --on-existing skip.")
              .formatted(
                  String.join(", ", SourceOptions.firstOf(inForce.stream().sorted().toList()))));
    }
  }

  private void write(
      ExportFile export,
      Set<String> existing,
      Cluster cluster,
      SchedulerGroup group,
      Batches batches) {
    String topic = cluster.topics().schedules();
    boolean atHome = export.header().isOf(cluster.topics().prefix(), group.clusterId());
    export.forEach(
        schedule -> {
          String id = schedule.id().value();
          if (onExisting == OnExisting.SKIP && existing.contains(id)) {
            return;
          }
          ExportedSchedule raised = decidedThrough.map(schedule::decidedThrough).orElse(schedule);
          ProducerRecord<byte[], byte[]> imported =
              (atHome ? raised : raised.elsewhere(export.header().clusterId())).record(topic);
          if (batches.inForce.contains(id)) {
            batches.replace(new ProducerRecord<>(topic, schedule.id().utf8(), null), imported);
          } else {
            batches.add(imported);
          }
        });
    batches.flush();
  }

  /**
   * Writes records in batches, and waits for the answers if a scheduler runs. A schedule that is
   * deleted for its import and then refused is gone, so the first is written alone, and nothing is
   * written after one that was refused.
   */
  private final class Batches implements AutoCloseable {
    private final Requests requests;
    private final RecordWriter writer;
    private final boolean isAnswered;
    private final Set<String> inForce;
    private final List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();

    /** Of the batch, what exists no longer. */
    private final Set<String> deleted = new HashSet<>();

    private boolean hasReplaced;

    Batches(Cluster cluster, boolean isAnswered, Set<String> inForce) {
      this.requests = new Requests(cluster);
      this.writer = new RecordWriter(cluster, Export.WRITING);
      this.isAnswered = isAnswered;
      this.inForce = inForce;
    }

    void replace(ProducerRecord<byte[], byte[]> delete, ProducerRecord<byte[], byte[]> imported) {
      if (hasReplaced) {
        if (batch.size() + 2 > BATCH) { // a delete is never written without its import
          flush();
        }
        add(delete);
        add(imported);
        return;
      }
      hasReplaced = true;
      flush();
      add(delete);
      add(imported);
      flush();
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
        requests.all(List.copyOf(batch), BulkRun.unlimited(timeout(TIMEOUT)), this::answered);
        batch.clear();
        requireReplaced();
        deleted.clear();
      }
    }

    private void answered(Answer answer) {
      printRejection(answer);
      if (answer.getVerdict() == Verdict.DELETED || answer.getVerdict() == Verdict.NOT_FOUND) {
        deleted.add(answer.getScheduleId());
      }
    }

    private void requireReplaced() {
      List<String> wanted = refused.stream().filter(inForce::contains).toList();
      List<String> gone = wanted.stream().filter(deleted::contains).toList();
      if (!wanted.isEmpty()) {
        throw new Failure(
            ("The import has stopped, because the scheduler refused to replace %s. %s Nothing more"
                    + " was written. Repeat the import when the reason is removed.")
                .formatted(
                    named(wanted),
                    gone.isEmpty()
                        ? "None of them is deleted."
                        : "These are deleted, and so gone: " + named(gone) + "."));
      }
    }

    private static String named(List<String> ids) {
      return String.join(", ", SourceOptions.firstOf(ids));
    }

    @Override
    public void close() {
      writer.close();
    }
  }

  private void printRejection(Answer answer) {
    if (answer.getVerdict() == Verdict.REJECTED || answer.getVerdict() == Verdict.CONFLICT) {
      exitCode = AnswerText.print(answer, terminal());
      refused.add(answer.getScheduleId());
    }
  }

  private void report(ExportFile export, Set<String> existing, int calendars) {
    int skipped = onExisting == OnExisting.SKIP ? existing.size() : 0;
    long replaced =
        onExisting == OnExisting.REPLACE
            ? existing.stream().filter(id -> !refused.contains(id)).count()
            : 0;
    int imported = export.ids().size() - skipped - refused.size();
    if (json) {
      println(
          new ObjectMapper()
              .createObjectNode()
              .put("dry_run", dryRun)
              .put("schedules", imported)
              .put("replaced", replaced)
              .put("skipped", skipped)
              .put("refused", refused.size())
              .put("calendars", calendars)
              .toString());
      return;
    }
    println(
        "%s %s schedules (%s replaced, %s skipped%s) and %s calendars"
            .formatted(
                dryRun ? "would import" : "imported",
                imported,
                replaced,
                skipped,
                refused.isEmpty() ? "" : ", " + refused.size() + " refused",
                calendars));
  }
}

package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.read.FilterOptions;
import io.waterclock.cli.read.WindowOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.retry.Rerun;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.client.topics.Partitions;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "rerun",
    description = {
      "Have workers run fires again: the fire of an occurrence, or those that failed.",
      "",
      "The same fire, with the same id, goes to the group of workers that reported on it, and to no"
          + " other; its attempts count on. Deduplication drops a fire that has succeeded: trigger"
          + " its schedule instead. With --failed: the fires whose last report is a failure for"
          + " good. Needs a scheduler with retries."
    })
public final class RerunCommand extends ReportingCommand {
  @Parameters(arity = "0..1", index = "0", paramLabel = "ID", description = "The schedule's id.")
  Optional<String> id = Optional.empty();

  @Parameters(
      arity = "0..1",
      index = "1",
      paramLabel = "OCCURRENCE",
      description = "The occurrence of the fire, such as 2026-11-21T08:00:00Z.")
  Optional<String> occurrence = Optional.empty();

  @Option(names = "--failed", description = "Fires that failed, instead of ID and OCCURRENCE.")
  boolean failed;

  @ArgGroup(validate = false, order = 90, heading = "%nFires of all schedules that match:%n")
  FilterOptions filter = new FilterOptions();

  @ArgGroup(validate = false, order = 91, heading = "%nBy the time of their occurrence:%n")
  WindowOptions window = new WindowOptions();

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description =
          "The group of workers that runs them (default: the one that reported on the fire).")
  Optional<String> group = Optional.empty();

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most the newest N fires, up to 10000 (default: ${DEFAULT-VALUE}).")
  int max = 1_000;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "The number of newest records of each partition to search (default: ${DEFAULT-VALUE}).")
  long depth = 100_000;

  @Option(names = "--dry-run", description = "Only say how many fires would run again.")
  boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  @Mixin ChangeNote said = new ChangeNote();

  private static final int MOST = 10_000;

  @Override
  public Integer call() {
    if (failed == occurrence.isPresent() || failed == id.isPresent()) {
      throw new WrongUsage("Give either ID and OCCURRENCE, or --failed with a filter.");
    }
    if (max < 1 || max > MOST || depth < 1) {
      throw new WrongUsage("--max must be from 1 to " + MOST + ", and --depth at least 1.");
    }
    Cluster cluster = cluster();
    Map<String, FireRun> runs =
        (failed ? ofFailed(cluster) : ofOne(cluster))
            .stream()
                .collect(
                    Collectors.toMap(
                        run -> run.fire().text(), Function.identity(), (newest, older) -> newest));
    List<String> strangers =
        runs.values().stream()
            .filter(run -> group.isEmpty() && Rerun.group(run).isEmpty())
            .map(run -> run.fire().text())
            .limit(3)
            .toList();
    if (!strangers.isEmpty()) {
      throw new Failure(
          "No worker has named its group in a report on "
              + String.join(", ", strangers)
              + ": name it with --group.");
    }
    if (dryRun || runs.isEmpty()) {
      say(runs.size(), "would run again");
      return ExitCode.OK;
    }
    if (failed
        && !yes
        && !terminal().confirm("run " + Words.number(runs.size(), "fire") + " again?")) {
      throw new Failure("Nothing was done.");
    }
    int sent = send(cluster, runs);
    say(sent, "sent to run again");
    if (sent < runs.size()) {
      note(
          Words.number(runs.size() - sent, "fire")
              + " not found among the newest records of "
              + cluster.topics().fires()
              + "; --depth reads more");
    }
    return sent == runs.size() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<FireRun> ofOne(Cluster cluster) {
    String schedule = ScheduleId.parse(id.orElseThrow()).value();
    Instant at = instant(occurrence.orElseThrow());
    List<FireRun> found =
        cluster.runs(depth).of(schedule, Integer.MAX_VALUE).stream()
            .filter(run -> run.fire().occurrence().equals(at))
            .toList();
    if (found.isEmpty()) {
      throw new Failure("The newest records contain no fire of %s for %s.".formatted(schedule, at));
    }
    return found;
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new WrongUsage(
          "OCCURRENCE must be an instant such as 2026-11-21T08:00:00Z, not " + text + ".");
    }
  }

  private List<FireRun> ofFailed(Cluster cluster) {
    Instant from = window.from(now());
    Instant to = window.to(now());
    return cluster
        .runs(depth)
        .reported(
            filter.ids(cluster),
            run ->
                run.hasFailed()
                    && run.hasEnded()
                    && !run.fire().occurrence().isBefore(from)
                    && run.fire().occurrence().isBefore(to),
            max);
  }

  /** Fires are read once more, and sent as they are found, so that none stays in memory. */
  private int send(Cluster cluster, Map<String, FireRun> runs) {
    Map<String, FireRun> left = new TreeMap<>(runs);
    RunReader reader = cluster.runs(depth);
    int partitions = cluster.partitions(cluster.topics().retries()).size();
    try (RecordWriter writer = new RecordWriter(cluster, cluster.timeout())) {
      cluster
          .reader()
          .newest(
              cluster.partitions(cluster.topics().fires()),
              depth,
              record -> {
                String key = Partitions.key(record);
                FireRun run = left.get(key);
                if (run != null && run.backfill().equals(reader.backfill(record))) {
                  left.remove(key);
                  writer.write(Partitions.within(partitions, again(cluster, record, run)));
                }
                return !left.isEmpty();
              });
      writer.flush();
    }
    return runs.size() - left.size();
  }

  private ProducerRecord<byte[], byte[]> again(
      Cluster cluster, ConsumerRecord<byte[], byte[]> record, FireRun run) {
    String to = group.or(() -> Rerun.group(run)).orElseThrow();
    String author = said.headers().getOrDefault(HeaderNames.AUTHOR, "somebody");
    ProducerRecord<byte[], byte[]> again =
        Rerun.record(
            record,
            cluster.topics(),
            to,
            run.attempts(),
            "run again by " + author + said.text().map(note -> ": " + note).orElse(""));
    again.headers().add(HeaderNames.RERUN, now().toString().getBytes(UTF_8));
    return again;
  }

  private void say(int fires, String what) {
    if (json) {
      println(JsonNodeFactory.instance.objectNode().put("fires", fires).put("done", !dryRun));
    } else {
      println(Words.number(fires, "fire") + " " + what);
    }
  }
}

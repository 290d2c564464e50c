package io.waterclock.cli.read;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.FireLine;
import io.waterclock.cli.terminal.TimeText;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
    name = "fires",
    description = {
      "Show the fires in the topic, then end; with --follow, show new fires.",
      "",
      "Each line: time of the fire, schedule, occurrence, cause, lateness, payload."
    })
public final class FiresCommand extends ReportingCommand {
  private long printed;

  @Option(names = "--follow", description = "Show new fires until interrupted.")
  boolean follow;

  @Option(
      names = "--from-beginning",
      description =
          "With --follow: first show the fires in the topic (always done without --follow).")
  boolean fromBeginning;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only fires from this time on: an instant such as 2026-03-29T00:00:00Z, a date (in UTC), or"
              + " a duration, such as 2h for the last two hours.")
  Optional<String> from = Optional.empty();

  @Option(names = "--schedule", paramLabel = "ID", description = "Only fires of this schedule.")
  Optional<String> schedule = Optional.empty();

  @Option(names = "--max", paramLabel = "N", description = "End after N fires.")
  Optional<Long> max = Optional.empty();

  @Override
  public Integer call() {
    max.ifPresent(number -> requireLeast("--max", number, 1));
    Cluster cluster = cluster();
    List<TopicPartition> partitions = wanted(cluster.partitions(cluster.topics().fires()), cluster);
    TopicReader reader = cluster.reader();
    Predicate<ConsumerRecord<byte[], byte[]>> show = record -> show(record, cluster.schemas());
    Map<TopicPartition, Long> offsets =
        from.isPresent()
            ? reader.offsetsAt(partitions, from(from.get()))
            : follow && !fromBeginning ? reader.ends(partitions) : reader.beginnings(partitions);
    if (follow) {
      reader.follow(offsets, all -> wanted(all, cluster), show, terminal()::flush);
    } else {
      reader.from(offsets, show);
    }
    if (printed == 0 && !follow && schedule.isPresent()) {
      explainNone(cluster, schedule.get());
    }
    return ExitCode.OK;
  }

  private List<TopicPartition> wanted(List<TopicPartition> all, Cluster cluster) {
    return schedule.map(id -> List.of(cluster.ofFires(id, all))).orElse(all);
  }

  private Instant from(String text) {
    return TimeText.AGO.parse("--from", text, ZoneOffset.UTC, terminal().clock().instant());
  }

  private void explainNone(Cluster cluster, String id) {
    existing(id, cluster);
    note("the topic contains no fire of " + id + (from.isPresent() ? " in that time." : "."));
  }

  private boolean show(ConsumerRecord<byte[], byte[]> record, SchemaSource schemas) {
    try {
      byte[] value = record.value() == null ? new byte[0] : record.value();
      Fire fire = RecordCodecs.fire().decode(value, schemas);
      if (schedule.isEmpty() || schedule.get().equals(fire.getScheduleId())) {
        println(json ? RecordCodecs.fire().toJson(fire).toString() : FireLine.of(fire));
        printed++;
      }
    } catch (UndecodableException e) {
      note("skipped " + Partitions.position(record) + ": " + e.getMessage());
    }
    return max.filter(n -> printed >= n).isEmpty() && !terminal().abandoned(printed);
  }
}

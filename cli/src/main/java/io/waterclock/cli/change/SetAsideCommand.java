package io.waterclock.cli.change;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ClusterCommand;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.topics.Partitions;
import io.waterclock.runtime.brokers.NotedDeaths;
import io.waterclock.schemas.Topics;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "set-aside",
    description = {
      "Make the scheduler set one record aside: it writes the record to the dead-letter topic"
          + " without decoding it. The scheduler itself sets a record aside after it has killed a"
          + " thread three times; this command is for a record that cannot wait for that, that blocks"
          + " a thread, or that the state holds.",
      "",
      "Without RECORD: list the records that killed threads, and those set aside by hand."
    })
public final class SetAsideCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RECORD",
      description =
          "TOPIC-PARTITION@OFFSET, as in the log, for example waterclock.schedules-3@1234.")
  Optional<String> record = Optional.empty();

  @Option(
      names = "--unfetched",
      description =
          "For a record that no consumer can fetch: move the scheduler's offset behind it. The record"
              + " does not go to the dead-letter topic. No instance may run meanwhile.")
  boolean unfetched;

  @Mixin SchedulerOptions scheduler = new SchedulerOptions();

  @Override
  public Integer call() {
    Cluster cluster = cluster();
    SchedulerGroup group = scheduler.on(cluster);
    if (record.isEmpty()) {
      list(group);
      return ExitCode.OK;
    }
    Partitions.Place named =
        Partitions.place(record.get())
            .orElseThrow(
                () ->
                    new WrongUsage(
                        "\"%s\" names no record; write TOPIC-PARTITION@OFFSET, for example %s-3@1234."
                            .formatted(record.get(), cluster.topics().schedules())));
    check(cluster, named.partition());
    if (unfetched) {
      moveBehind(group, named.partition(), named.offset());
    } else {
      setAside(cluster, group, named.partition(), named.offset());
    }
    return ExitCode.OK;
  }

  private static void check(Cluster cluster, TopicPartition partition) {
    Topics topics = cluster.topics();
    List<String> inputs =
        List.of(topics.schedules(), topics.commands(), topics.outcomes(), topics.strays());
    if (!inputs.contains(partition.topic())) {
      throw new WrongUsage(
          "The scheduler does not read %s; its inputs are %s."
              .formatted(partition.topic(), String.join(", ", inputs)));
    }
    if (!cluster.partitions(partition.topic()).contains(partition)) {
      throw new Failure("There is no partition " + partition + ".");
    }
  }

  private void setAside(
      Cluster cluster, SchedulerGroup group, TopicPartition partition, long offset) {
    group.setAside(partition, offset);
    boolean isRead = group.committed().getOrDefault(partition, 0L) > offset;
    println(
        isRead
            ? ("%s was read before: if the state still holds it, it goes to %s within 10"
                    + " s; if it was processed, nothing changes.")
                .formatted(record.orElseThrow(), cluster.topics().dlq())
            : "%s goes to %s undecoded when the scheduler reaches it."
                .formatted(record.orElseThrow(), cluster.topics().dlq()));
  }

  private void moveBehind(SchedulerGroup group, TopicPartition partition, long offset) {
    List<String> members = group.members();
    if (!members.isEmpty()) {
      throw new Failure(
          "Nothing was moved, because instances run: %s. Stop all instances first."
              .formatted(String.join(", ", members)));
    }
    long at = group.committed().getOrDefault(partition, 0L);
    if (at != offset) {
      throw new Failure(
          ("Nothing was moved: the next record that the scheduler reads is %s@%s," + " not %s.")
              .formatted(partition, at, record.orElseThrow()));
    }
    group.commit(Map.of(partition, offset + 1));
    println("The scheduler continues behind " + record.orElseThrow() + ". Start it again.");
  }

  private void list(SchedulerGroup group) {
    Map<TopicPartition, NotedDeaths> deaths = group.deaths();
    if (deaths.isEmpty()) {
      println("No record has killed a thread, and none was set aside by hand.");
    }
    deaths.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
        .forEach(entry -> entry.getValue().notes().forEach(note -> print(entry.getKey(), note)));
  }

  private void print(TopicPartition partition, NotedDeaths.Note note) {
    String what =
        note.verdict()
            .map(why -> "set aside: " + why)
            .orElseGet(() -> note.deaths() + " deaths, the last one by: " + note.cause());
    println(partition + "@" + note.offset() + "  " + what);
  }
}

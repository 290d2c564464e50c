package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * The state of a scheduler, read from the changelogs of its stores: everything that it has
 * committed. Keeps one partition at a time in memory.
 */
final class ChangelogSource implements ExportSource {
  private final SchedulerGroup group;
  private final TopicReader reader;

  ChangelogSource(Cluster cluster, SchedulerGroup group, ReadProgress progress) {
    this.group = group;
    this.reader = cluster.reader(progress);
  }

  @Override
  public void forEach(Consumer<ExportedSchedule> each) {
    String definitions = StateCopy.definitions(group.applicationId());
    String progress = StateCopy.progress(group.applicationId());
    Map<String, Integer> sizes = group.changelogs();
    Integer partitions = sizes.get(definitions);
    if (partitions == null || !partitions.equals(sizes.get(progress))) {
      throw new Failure(
          ("Kafka contains no state of %s (topics %s and %s): --from-topics derives the"
                  + " state from the scheduler's other topics.")
              .formatted(group.applicationId(), definitions, progress));
    }
    if (group.members().isEmpty()) {
      group.awaitNoTransaction(
          Stream.of(definitions, progress)
              .flatMap(
                  topic ->
                      IntStream.range(0, partitions)
                          .mapToObj(number -> new TopicPartition(topic, number)))
              .toList());
    }
    for (int partition = 0; partition < partitions; partition++) {
      StateCopy copy = new StateCopy();
      reader.each(
          List.of(
              new TopicPartition(definitions, partition), new TopicPartition(progress, partition)),
          record -> {
            if (record.topic().equals(definitions)) {
              copy.takeDefinition(record.key(), record.value());
            } else {
              copy.takeProgress(record.key(), record.value());
            }
          });
      mustLoseNone(
          copy.heldRecords(),
          partition,
          "for the schema registry",
          "until waterclock_held_records is 0");
      mustLoseNone(
          copy.unreadRecords(),
          partition,
          "until the scheduler has read its inputs",
          "until /ready says 200");
      copy.forEach(state -> each.accept(ExportedSchedule.of(state)));
    }
  }

  private static void mustLoseNone(int records, int partition, String waiting, String until) {
    if (records > 0) {
      throw new Failure(
          ("%s records of partition %s wait %s, and would be lost: let the scheduler run %s."
                  + " --from-topics continues without them.")
              .formatted(records, partition, waiting, until));
    }
  }
}

package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * The schedules of an export that the topics contain already.
 *
 * <p>A delete before the import also ends an earlier life of the id, and an import continues after
 * that end. So only a schedule with a revision in force may be deleted: otherwise the occurrences
 * since the export would be lost.
 *
 * @param newest the position of the newest record, by id
 */
record ExistingSchedules(Cluster cluster, Map<String, String> newest) {
  /** Reads which of the ids have a record that is not deleted. */
  static ExistingSchedules read(Cluster cluster, Set<String> ids) {
    Map<String, String> newest = new TreeMap<>();
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    cluster
        .reader()
        .each(
            partitions,
            record -> {
              String id = Partitions.key(record);
              if (ids.contains(id)
                  && Partitions.home(id, partitions).partition() == record.partition()) {
                if (record.value() == null) {
                  newest.remove(id);
                } else {
                  newest.put(id, Partitions.position(record));
                }
              }
            });
    return new ExistingSchedules(cluster, newest);
  }

  /** In ascending order. */
  Set<String> ids() {
    return newest.keySet();
  }

  /**
   * Reads which of them have a revision in force. Of the others, the newest record was rejected.
   *
   * @throws Failure if that is not known of one of them
   */
  Set<String> inForce() {
    if (newest.isEmpty()) {
      return Set.of();
    }
    Map<String, Standing> standings = new TreeMap<>();
    newest.keySet().forEach(id -> standings.put(id, Standing.UNKNOWN));
    cluster
        .reader()
        .each(
            cluster.partitions(cluster.topics().status()),
            record -> {
              String id = Partitions.key(record);
              String position = newest.get(id);
              if (position != null) {
                standings.put(
                    id, Standing.of(position, cluster.decode(RecordCodecs.status(), record)));
              }
            });
    List<String> unknown = with(Standing.UNKNOWN, standings);
    if (!unknown.isEmpty()) {
      throw new Failure(
          ("Nothing was imported, because the topic %s does not show yet whether these schedules"
                  + " are in force: %s. Repeat the import when the scheduler has read their newest"
                  + " records.")
              .formatted(
                  cluster.topics().status(), String.join(", ", SourceOptions.firstOf(unknown))));
    }
    return Set.copyOf(with(Standing.IN_FORCE, standings));
  }

  private static List<String> with(Standing standing, Map<String, Standing> standings) {
    return standings.entrySet().stream()
        .filter(entry -> entry.getValue() == standing)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether an import would replace a schedule, or only a record. */
  enum Standing {
    /** A revision is in force, even if the newest record was rejected. */
    IN_FORCE,
    /** The newest record was rejected, and no revision is in force. */
    REJECTED,
    /** No scheduler has read the newest record, or its status cannot be read. */
    UNKNOWN;

    /**
     * @param newest the position of the newest record
     */
    static Standing of(String newest, Optional<ScheduleStatus> status) {
      if (status.map(ScheduleStatus::getRevision).isPresent()) {
        return IN_FORCE;
      }
      return status.map(ScheduleStatus::getRejectedRevision).filter(newest::equals).isPresent()
          ? REJECTED
          : UNKNOWN;
    }
  }
}

package io.waterclock.cli.read;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The newest events of one or more schedules that the topics retain. */
public final class History {
  private final Cluster cluster;
  private final Topics topics;
  private final Set<String> ids;
  private final int most;
  private final Predicate<HistoryEvent> wanted;
  private final PriorityQueue<Numbered> newest =
      new PriorityQueue<>(
          Comparator.comparing((Numbered numbered) -> numbered.event().at())
              .thenComparingLong(Numbered::number));
  private final Set<String> commandIds = new HashSet<>();
  private long found;
  private boolean any;
  private final Map<String, Optional<String>> lastRejected = new HashMap<>();
  private final Map<String, String> inForce = new HashMap<>();

  private record Numbered(HistoryEvent event, long number) {}

  /**
   * @param most the number of events to keep
   */
  private History(Cluster cluster, Set<String> ids, int most, Predicate<HistoryEvent> wanted) {
    this.cluster = cluster;
    this.topics = cluster.topics();
    this.ids = ids;
    this.most = most;
    this.wanted = wanted;
  }

  /**
   * Reads all events that the topics retain. The text of an event begins with the id if there are
   * several.
   *
   * @param most the number of events to keep
   */
  static History all(
      Cluster cluster,
      Set<String> ids,
      int most,
      Predicate<HistoryEvent> wanted,
      ReadProgress progress) {
    History history = new History(cluster, ids, most, wanted);
    cluster
        .reader(progress)
        .toEnd(
            homes(
                cluster,
                ids,
                cluster.topics().revisions(),
                cluster.topics().status(),
                cluster.topics().fires(),
                cluster.topics().outcomes(),
                cluster.topics().missed(),
                cluster.topics().commands()),
            history::take);
    return history;
  }

  /**
   * Reads the newest events of one kind, among the newest records of the partition.
   *
   * @param topic fires, outcomes, missed or revisions
   * @param most the number of events to keep
   */
  public static History newest(Cluster cluster, String id, String topic, int most) {
    History history = new History(cluster, Set.of(id), most, event -> true);
    cluster.reader().newest(homes(cluster, Set.of(id), topic), RunReader.DEPTH, history::take);
    return history;
  }

  /** The latest fire of the trigger, among the newest records of the partition. */
  public static Optional<Fire> latestFire(Cluster cluster, String id) {
    List<Fire> latest = new ArrayList<>(1);
    History history = new History(cluster, Set.of(id), 1, event -> false);
    cluster
        .reader()
        .newest(
            homes(cluster, Set.of(id), cluster.topics().fires()),
            RunReader.DEPTH,
            record -> {
              if (record.key() != null && record.value() != null && history.isOfSchedule(record)) {
                cluster
                    .decode(RecordCodecs.fire(), record)
                    .filter(fire -> fire.getCause() != Cause.TRIGGERED)
                    .filter(fire -> fire.getCause() != Cause.BACKFILL)
                    .ifPresent(
                        fire -> {
                          latest.clear();
                          latest.add(fire);
                        });
              }
              return true;
            });
    return latest.stream().findFirst();
  }

  private static List<TopicPartition> homes(Cluster cluster, Set<String> ids, String... topics) {
    Set<TopicPartition> homes = new LinkedHashSet<>();
    for (String topic : topics) {
      List<TopicPartition> all = cluster.partitions(topic);
      boolean isOfFires = topic.equals(cluster.topics().fires());
      ids.forEach(id -> homes.add(isOfFires ? cluster.ofFires(id, all) : Partitions.home(id, all)));
    }
    return List.copyOf(homes);
  }

  /** Oldest first. */
  public List<HistoryEvent> events() {
    List<HistoryEvent> result = new ArrayList<>();
    PriorityQueue<Numbered> rest = new PriorityQueue<>(newest);
    while (!rest.isEmpty()) {
      HistoryEvent event = rest.remove().event();
      String schedule = event.json().path("schedule_id").asText();
      result.add(event.noting(Optional.ofNullable(inForce.get(schedule))));
    }
    return result;
  }

  /** Whether the topics retain any event, wanted or not. */
  boolean hasAny() {
    return any;
  }

  /** The number of older events that were not kept. */
  long older() {
    return found - newest.size();
  }

  private boolean take(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null && record.topic().equals(topics.status())) {
      inForce.remove(id(record)); // a deleted schedule has none
    }
    if (record.key() != null && record.value() != null && isOfSchedule(record)) {
      Optional<HistoryEvent> event =
          event(record).map(one -> ids.size() == 1 ? one : one.about(id(record)));
      any |= event.isPresent();
      event
          .filter(wanted)
          .ifPresent(
              kept -> {
                newest.add(new Numbered(kept, found++));
                if (newest.size() > most) {
                  newest.remove();
                }
              });
    }
    return true;
  }

  /** The key of a fire is the id, a bar and the rest; no id holds a bar. */
  private boolean isOfSchedule(ConsumerRecord<byte[], byte[]> record) {
    return ids.contains(id(record));
  }

  private String id(ConsumerRecord<byte[], byte[]> record) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    int bar = record.topic().equals(topics.fires()) ? key.indexOf('|') : -1;
    return bar < 0 ? key : key.substring(0, bar);
  }

  /** A status repeats the newest rejection for as long as no other definition is accepted. */
  private Optional<HistoryEvent> rejection(ScheduleStatus status, Instant at) {
    Optional<String> rejected = Optional.ofNullable(status.getRejectedRevision());
    Optional<String> before =
        Optional.ofNullable(lastRejected.put(status.getScheduleId(), rejected))
            .orElse(Optional.empty());
    if (rejected.equals(before)) {
      return Optional.empty();
    }
    return HistoryEvent.ofRejection(status, at);
  }

  private Optional<HistoryEvent> event(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(topics.fires())) {
      return cluster.decode(RecordCodecs.fire(), record).map(HistoryEvent::of);
    }
    Instant at = Instant.ofEpochMilli(record.timestamp());
    if (record.topic().equals(topics.commands())) {
      return cluster
          .decode(RecordCodecs.command(), record)
          .filter(command -> !(command.getAction() instanceof NextCommand))
          .map(
              command ->
                  HistoryEvent.of(
                      command, at, !commandIds.add(id(record) + " " + command.getCommandId())));
    }
    if (record.topic().equals(topics.outcomes())) {
      return cluster
          .decode(RecordCodecs.outcome(), record)
          .map(outcome -> HistoryEvent.of(outcome, at));
    }
    if (record.topic().equals(topics.status())) {
      return cluster
          .decode(RecordCodecs.status(), record)
          .flatMap(
              status -> {
                Optional.ofNullable(status.getRevision())
                    .ifPresent(revision -> inForce.put(id(record), revision));
                return rejection(status, at);
              });
    }
    return record.topic().equals(topics.missed())
        ? cluster.decode(RecordCodecs.missed(), record).map(HistoryEvent::of)
        : cluster.decode(RecordCodecs.revision(), record).map(HistoryEvent::of);
  }
}

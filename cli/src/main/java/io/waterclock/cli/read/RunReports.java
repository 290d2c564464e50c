package io.waterclock.cli.read;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The reports of workers about the fires of one schedule; for each fire the report that counts. */
public final class RunReports {
  /** The number of records of a partition that are searched for the newest: about a second. */
  static final long DEPTH = 100_000;

  private final FireIds ids;
  private final String schedule;
  private final Map<String, Outcome> byFireId = new HashMap<>();

  private RunReports(FireIds ids, String schedule) {
    this.ids = ids;
    this.schedule = schedule;
  }

  /** Reads the reports among the newest records of the partition. */
  public static RunReports newest(Cluster cluster, String schedule) {
    RunReports reports = new RunReports(FireIds.of(cluster.topics().ceSource()), schedule);
    String topic = cluster.topics().outcomes();
    cluster
        .reader()
        .newest(
            List.of(Partitions.home(schedule, cluster.partitions(topic))),
            DEPTH,
            record -> reports.take(record, cluster.schemas()));
    return reports;
  }

  public Optional<Outcome> of(String fireId) {
    return Optional.ofNullable(byFireId.get(fireId));
  }

  static String text(Outcome outcome) {
    String state = outcome.getState().name().toLowerCase(Locale.ROOT);
    return Optional.ofNullable(outcome.getError())
        .or(() -> Optional.ofNullable(outcome.getReason()))
        .map(why -> state + ": " + why.lines().findFirst().orElse(""))
        .orElse(state);
  }

  /** An end is final; of several starts the last counts. Ignores invalid records. */
  private boolean take(ConsumerRecord<byte[], byte[]> record, SchemaSource schemas) {
    if (record.key() != null
        && record.value() != null
        && new String(record.key(), StandardCharsets.UTF_8).equals(schedule)) {
      try {
        Outcome outcome = RecordCodecs.outcome().decode(record.value(), schemas);
        String fireId = ids.of(FireKey.parse(outcome.getFireKey())).toString();
        byFireId.merge(fireId, outcome, RunReports::thatCounts);
      } catch (UndecodableException | InvalidIdException e) {
        return true;
      }
    }
    return true;
  }

  private static Outcome thatCounts(Outcome earlier, Outcome later) {
    return earlier.getState() == OutcomeState.STARTED ? later : earlier;
  }
}

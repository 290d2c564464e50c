package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

/**
 * Everything that the topics have ever held of schedules with limits. The entries of a partition
 * are in its order.
 *
 * @param partitions of the topic waiting
 * @param waiting fires with a time-out that wait, and what is said of them
 * @param limits JSON, as written
 * @param reports of workers
 * @param changes definitions, deletes and commands of clients
 */
public record LimitHistory(
    int partitions,
    List<Entry<byte[]>> waiting,
    List<Entry<String>> limits,
    List<Entry<Fire>> fires,
    List<Entry<Missed>> missed,
    List<Entry<Outcome>> reports,
    List<Entry<Alert>> alerts,
    List<Entry<byte[]>> changes) {

  /** The id of the schedule in the key of its fire. */
  static String schedule(String fireKey) {
    int bar = fireKey.indexOf('|');
    return bar < 0 ? fireKey : fireKey.substring(0, bar);
  }

  /** The partition of a key, as Java's producer chooses it. */
  int home(String key) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
  }
}

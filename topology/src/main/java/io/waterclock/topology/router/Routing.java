package io.waterclock.topology.router;

import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.emit.TargetRecords;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Chooses the route of each fire. Skips writes that are known to fail: a producer that waits for a
 * missing topic, or gets a refusal, aborts the whole transaction.
 *
 * <p>Thread-safe if its collaborators are.
 *
 * @param schemas for fires in the registry format; may wait for some seconds
 */
public record Routing(
    TargetRules rules,
    TargetTopics targets,
    Refusals refusals,
    SchemaSource schemas,
    InstantSource clock) {
  /** How long the answer that a topic is missing stays valid. */
  private static final Duration MISSING_VALID_FOR = Duration.ofSeconds(1);

  /**
   * @param fire a record of the fires topic that names its target
   * @throws SchemaUnavailableException if the fire's schema is not available now; the caller reads
   *     the fire again
   */
  Route of(Record<byte[], byte[]> fire, String topic) {
    Optional<String> forbidden = forbidden(fire, topic);
    if (forbidden.isPresent()) {
      return new Route.Dead(topic, Undelivered.FORBIDDEN, forbidden.get());
    }
    Instant now = clock.instant();
    Optional<String> refused = refusals.of(topic, fire, now);
    if (refused.isPresent()) {
      return new Route.Dead(topic, Undelivered.REFUSED, refused.get());
    }
    TargetTopic found = targets.find(topic, now.minus(MISSING_VALID_FOR));
    if (found instanceof TargetTopic.Missing) {
      return new Route.Dead(
          topic,
          Undelivered.MISSING,
          "there is no topic \"" + topic + "\", or none that the scheduler may see");
    }
    Schedule schedule;
    try {
      schedule = RecordCodecs.fire().decode(fire.value(), schemas).getSchedule();
    } catch (UndecodableException e) {
      return new Route.Dead(topic, Undelivered.UNREADABLE, String.valueOf(e.getMessage()));
    }
    Target target = schedule.getTarget();
    if (target == null || !target.getTopic().equals(topic)) {
      return new Route.Dead(
          topic,
          Undelivered.UNREADABLE,
          "its header names this target, and its definition does not");
    }
    return fitting(target, TargetRecords.of(fire, schedule, target), found);
  }

  private Optional<String> forbidden(Record<byte[], byte[]> fire, String topic) {
    try {
      return rules.objection(FireKey.parse(key(fire)).schedule(), topic);
    } catch (InvalidIdException e) {
      return Optional.of("its key does not name its schedule: " + e.getMessage());
    }
  }

  /** As text; empty if the record has none, as the scheduler did not write it then. */
  static String key(Record<byte[], byte[]> fire) {
    return fire.key() == null ? "" : Utils.utf8(fire.key());
  }

  private static Route fitting(Target target, Record<byte[], byte[]> record, TargetTopic found) {
    String topic = target.getTopic();
    Optional<Integer> partition =
        Optional.ofNullable(target.getRecord()).map(RawRecord::getPartition);
    if (found instanceof TargetTopic.Present present) {
      int size = TargetRecords.size(record);
      if (size > present.maxBytes()) {
        return new Route.Dead(
            topic,
            Undelivered.TOO_LARGE,
            "it has " + size + " bytes; the topic accepts at most " + present.maxBytes());
      }
      if (partition.filter(number -> number >= present.partitions()).isPresent()) {
        return new Route.Dead(
            topic,
            Undelivered.MISSING,
            "there is no partition %s; the topic has %s"
                .formatted(partition.get(), present.partitions()));
      }
    }
    return new Route.Delivery(topic, partition, record);
  }
}

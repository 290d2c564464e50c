package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.emit.TargetRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Checks the target of a definition: the rules allow the topic, the topic exists with the partition
 * that is asked for, and it accepts the largest fire of the schedule. If no broker answers, the
 * check passes, and the router finds the error later.
 */
record TargetCheck(TargetRules rules, TargetTopics topics) {
  private static final String TOPIC = "target.topic";

  /**
   * All problems of the target.
   *
   * @param writtenAt when the definition was written: a topic counts as missing only if it was
   *     missing since then
   */
  List<Problem> problems(ScheduleId id, Schedule schedule, Instant writtenAt) {
    List<Problem> problems = new ArrayList<>(rules.problems(id, schedule));
    Target target = schedule.getTarget();
    if (target == null || problems.stream().anyMatch(it -> it.getField().equals(TOPIC))) {
      return problems;
    }
    TargetTopic found = topics.find(target.getTopic(), writtenAt);
    if (found instanceof TargetTopic.Missing) {
      problems.add(
          Problems.of(
              TOPIC,
              ("there is no topic \"%s\", or none that the scheduler may see: create"
                      + " it first, for example with kafka-topics.sh --create --topic %s")
                  .formatted(target.getTopic(), target.getTopic())));
    } else if (found instanceof TargetTopic.Present topic) {
      partition(target)
          .filter(partition -> partition >= topic.partitions())
          .ifPresent(
              partition ->
                  problems.add(
                      Problems.of(
                          "target.record.partition",
                          "is %s, and \"%s\" has %s partitions, counted from 0"
                              .formatted(partition, target.getTopic(), topic.partitions()),
                          "0")));
    }
    return problems;
  }

  private static Optional<Integer> partition(Target target) {
    return Optional.ofNullable(target.getRecord()).map(RawRecord::getPartition);
  }

  /**
   * The problem that a fire would be too large for the target; empty when none would.
   *
   * @param atMost no fire in the topic of fires is larger; empty if that is not known
   * @param fire the largest; asked for only in doubt
   */
  Optional<Problem> tooLarge(
      Schedule schedule,
      OptionalInt atMost,
      Supplier<Record<byte[], Object>> fire,
      Instant writtenAt) {
    Target target = schedule.getTarget();
    if (target == null
        || !(topics.find(target.getTopic(), writtenAt) instanceof TargetTopic.Present topic)) {
      return Optional.empty();
    }
    // the record has each part of the fire, with the definition in it, twice at most
    if (atMost.isPresent() && 2L * atMost.getAsInt() <= topic.maxBytes()) {
      return Optional.empty();
    }
    int size = TargetRecords.size(TargetRecords.of(bytes(fire.get()), schedule, target));
    return size <= topic.maxBytes()
        ? Optional.empty()
        : Optional.of(
            Problems.of(
                "payload",
                ("a fire of this schedule could take %s bytes in the target, more"
                        + " than the %s that \"%s\" accepts; make the payload smaller or send"
                        + " a reference to it")
                    .formatted(size, topic.maxBytes(), target.getTopic())));
  }

  private static Record<byte[], byte[]> bytes(Record<byte[], Object> fire) {
    return fire.withValue((byte[]) fire.value());
  }
}

package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.retry.Rerun;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Where a dead letter goes when it is sent again. */
public sealed interface Destination {
  /**
   * A topic.
   *
   * @param copy the record as it is sent again, but for the header that counts
   */
  record To(ProducerRecord<byte[], byte[]> copy) implements Destination {
    public String topic() {
      return copy.topic();
    }

    /**
     * The record, with the header that counts.
     *
     * @param times how often the record is sent again, with this time
     * @param partitions how many the topic has; a partition beyond them is left to the producer
     */
    ProducerRecord<byte[], byte[]> record(int times, int partitions) {
      RecordHeaders headers = new RecordHeaders(copy.headers().toArray());
      headers.remove(HeaderNames.REDRIVEN);
      headers.add(HeaderNames.REDRIVEN, Integer.toString(times).getBytes(UTF_8));
      return Partitions.within(
          partitions,
          new ProducerRecord<>(
              copy.topic(), copy.partition(), copy.timestamp(), copy.key(), copy.value(), headers));
    }
  }

  /** It cannot be sent again, for this reason. */
  record Nowhere(String why) implements Destination {}

  /**
   * Whether a record may go to a topic without a person who names it: one that the scheduler reads,
   * or that of retries.
   */
  static boolean isUsual(String topic, Topics topics) {
    return inputs(topics).contains(topic) || topic.equals(topics.retries());
  }

  /** The topics that the scheduler reads, and in which the moment of writing counts. */
  private static Set<String> inputs(Topics topics) {
    return Set.of(topics.schedules(), topics.commands(), topics.outcomes(), topics.later());
  }

  /**
   * Where a dead letter goes.
   *
   * @param schemas for fires in the registry format; may wait for some seconds
   * @throws SchemaUnavailableException if the schema of a fire is not available now
   */
  static Destination of(FailedRecord letter, Topics topics, SchemaSource schemas) {
    if (!letter.from().isWhole()) {
      return new Nowhere("the dead letter leaves out a part of the record");
    }
    Optional<ConsumerRecord<byte[], byte[]>> original = letter.original();
    if (original.isEmpty()) {
      return new Nowhere("its headers do not say where the record was");
    }
    ConsumerRecord<byte[], byte[]> record = original.get();
    boolean isOurs = topics.all().contains(record.topic());
    Optional<String> group = letter.from().group();
    if (group.isPresent() && (letter.isFire(topics) || !isOurs)) {
      // other groups may have handled it; this one tries it as if for the first time
      return new To(Rerun.record(record, topics, group.get(), 0, letter.reason()));
    }
    if (record.topic().equals(topics.fires())) {
      return ofFire(letter, schemas);
    }
    boolean isInput = inputs(topics).contains(record.topic());
    return isOurs && !isInput
        ? new Nowhere(whyNotBack(record.topic(), topics))
        : new To(
            new ProducerRecord<>(
                record.topic(),
                record.partition(),
                isInput ? record.timestamp() : null,
                record.key(),
                record.value(),
                record.headers()));
  }

  /** Of calendars and limits, the record that is written last counts, whatever its timestamp. */
  private static String whyNotBack(String topic, Topics topics) {
    String again =
        "in %s the record that is written last counts, so a redrive could replace a newer one:"
            + " waterclock %s put writes it again";
    if (topic.equals(topics.calendars())) {
      return again.formatted(topic, "calendar");
    }
    return topic.equals(topics.limits())
        ? again.formatted(topic, "limits")
        : topic + " is written by Waterclock alone";
  }

  /** A fire that the router could not deliver becomes the record that its target should get. */
  private static Destination ofFire(FailedRecord letter, SchemaSource schemas) {
    FailedRecord.Content fire = letter.content();
    if (letter.target().isEmpty() || fire.key().isEmpty() || fire.value().isEmpty()) {
      return new Nowhere("it is a fire without a target, and its headers name no group of workers");
    }
    Schedule schedule;
    try {
      schedule = RecordCodecs.fire().decode(fire.value().get(), schemas).getSchedule();
    } catch (UndecodableException e) {
      return new Nowhere("the fire cannot be read: " + e.getMessage());
    }
    Target target = schedule.getTarget();
    if (target == null || !target.getTopic().equals(letter.target().get())) {
      return new Nowhere("its header names a target, and its definition does not");
    }
    TargetRecord record =
        TargetRecord.of(fire.key().get(), fire.value().get(), fire.headers(), schedule, target);
    return new To(
        new ProducerRecord<>(
            target.getTopic(),
            Optional.ofNullable(target.getRecord())
                .map(RawRecord::getPartition)
                .filter(number -> number >= 0)
                .orElse(null),
            null,
            record.key().orElse(null),
            record.value().orElse(null),
            record.headers()));
  }
}

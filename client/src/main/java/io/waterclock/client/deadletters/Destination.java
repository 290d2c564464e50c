package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.rules.PastAttempts;
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
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Where a dead letter goes when it is sent again. */
public sealed interface Destination {
  /**
   * A topic.
   *
   * @param partition empty: the producer chooses it by the key
   * @param timestamp empty: that of the moment
   */
  record To(
      String topic,
      Optional<Integer> partition,
      Optional<Instant> timestamp,
      FailedRecord.Content content)
      implements Destination {
    /**
     * The record, with the header that counts.
     *
     * @param times how often the record is sent again, with this time
     * @param partitions how many the topic has; a partition beyond them is left to the producer
     */
    ProducerRecord<byte[], byte[]> record(int times, int partitions) {
      RecordHeaders headers = new RecordHeaders(content.headers().toArray());
      headers.remove(HeaderNames.REDRIVEN);
      headers.add(HeaderNames.REDRIVEN, Integer.toString(times).getBytes(UTF_8));
      return new ProducerRecord<>(
          topic,
          partition.filter(number -> number < partitions).orElse(null),
          timestamp.map(Instant::toEpochMilli).orElse(null),
          content.key().orElse(null),
          content.value().orElse(null),
          headers);
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
    return Set.of(
        topics.schedules(),
        topics.calendars(),
        topics.commands(),
        topics.outcomes(),
        topics.later());
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
    if (letter.from().group().isPresent()) {
      return toGroup(letter, letter.from().group().get(), topics);
    }
    if (letter.from().origin().isEmpty()) {
      return new Nowhere("its headers do not say where the record was");
    }
    FailedRecord.Origin origin = letter.from().origin().get();
    if (origin.topic().equals(topics.fires())) {
      return ofFire(letter, schemas);
    }
    if (inputs(topics).contains(origin.topic())) {
      Instant written = origin.timestamp().orElse(letter.at());
      return new To(
          origin.topic(), Optional.of(origin.partition()), Optional.of(written), letter.content());
    }
    return topics.all().contains(origin.topic())
        ? new Nowhere(origin.topic() + " is written by Waterclock alone")
        : new To(
            origin.topic(), Optional.of(origin.partition()), Optional.empty(), letter.content());
  }

  /**
   * A fire goes back to the worker's group alone, by the topic of retries, because other groups may
   * have handled it. The group tries it as if for the first time.
   */
  private static Destination toGroup(FailedRecord letter, String group, Topics topics) {
    Optional<FailedRecord.Origin> origin =
        letter
            .from()
            .origin()
            .filter(
                from ->
                    from.topic().equals(topics.fires()) || from.topic().equals(topics.retries()));
    if (origin.isEmpty()) {
      return new Nowhere("it is from the group " + group + ", and was no fire");
    }
    FailedRecord.Content fire = letter.content();
    return new To(
        topics.retries(),
        Optional.of(origin.get().partition()),
        Optional.empty(),
        new FailedRecord.Content(
            fire.key(),
            fire.value(),
            RetryHeaders.waiting(fire.headers(), group, PastAttempts.of(0, 0), letter.reason())));
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
        target.getTopic(),
        Optional.ofNullable(target.getRecord()).map(RawRecord::getPartition),
        Optional.empty(),
        new FailedRecord.Content(record.key(), record.value(), record.headers()));
  }
}

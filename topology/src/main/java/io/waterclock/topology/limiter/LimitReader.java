package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import io.waterclock.topology.scheduler.input.Inbound;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads the topic limits into a feed. A record that is refused leaves the limit before it in force;
 * a task of the limiter writes it to the dead-letter topic.
 */
final class LimitReader implements Processor<byte[], byte[], Void, Void> {
  static final String STORE = "limits";
  private static final Logger LOG = SafeLogger.of(LimitReader.class);

  /** Inclusive, of a dead letter: a limit with headers within their bounds stays as received. */
  private static final int MOST_OF_LETTER = 3 * LimitRules.MAX_BYTES;

  private final LimitFeed feed;
  private final SchemaSource schemas;
  private final int mostOfLetter;
  private final RejectionLog rejections;
  private @Nullable ProcessorContext<Void, Void> context;

  LimitReader(LimitFeed feed, Settings settings, RejectionLog rejections) {
    this.feed = feed;
    this.schemas = settings.channels().wire().schemas();
    this.mostOfLetter = Math.min(MOST_OF_LETTER, settings.limits().maxDeadLetterBytes());
    this.rejections = rejections;
  }

  @Override
  public void init(ProcessorContext<Void, Void> given) {
    context = given;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata place =
        Optional.ofNullable(context).flatMap(ProcessorContext::recordMetadata).orElseThrow();
    feed.read(place.offset());
    Optional<LimitName> group = Optional.empty();
    try {
      group = Optional.of(LimitName.parse(record.key() == null ? new byte[0] : record.key()));
      take(group.get(), record, place);
    } catch (InvalidIdException | UndecodableException e) {
      refuse(group, record, place, String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      // no other thread replaces this one: the error would end the limiter, and each later one
      rejections.failed("Reading a limit failed", e);
      refuse(group, record, place, "reading it failed: " + e);
    }
  }

  private void take(LimitName group, Record<byte[], byte[]> record, RecordMetadata place) {
    byte[] value = record.value();
    if (value == null) {
      feed.remove(group.value());
      LOG.info("The limit of {} has ended", group);
      return;
    }
    if (value.length > LimitRules.MAX_BYTES) {
      refuse(
          Optional.of(group),
          record,
          place,
          "the limit has " + value.length + " bytes; at most " + LimitRules.MAX_BYTES);
      return;
    }
    if (WireFormat.detect(value).filter(WireFormat.AVRO_REGISTRY::equals).isPresent()) {
      // without the registry a later start could not read it, and the limit would be gone
      refuse(
          Optional.of(group),
          record,
          place,
          "a limit is JSON, or Avro in the single-object encoding, which needs no registry");
      return;
    }
    Limit limit = RecordCodecs.limit().decode(value, schemas);
    List<Problem> problems = LimitRules.problems(limit);
    if (!problems.isEmpty()) {
      refuse(Optional.of(group), record, place, Problems.text(problems));
    } else if (feed.put(new LimitFeed.Accepted(group.value(), value, GroupLimit.of(limit)))) {
      LOG.info("The limit of {} is {}", group, limit);
    } else {
      refuse(
          Optional.of(group),
          record,
          place,
          "of all limits %,d, or %d MiB, are kept; delete others first"
              .formatted(LimitFeed.MOST, LimitFeed.MOST_BYTES >> 20));
    }
  }

  private void refuse(
      Optional<LimitName> group, Record<byte[], byte[]> record, RecordMetadata place, String why) {
    Inbound inbound = Inbound.of(record, place);
    rejections.rejected("Refused the limit at " + inbound.revision(), why);
    feed.refuse(
        group.map(LimitName::value),
        new LimitFeed.Refused(place.offset(), DeadLetter.of(inbound, why, mostOfLetter)));
  }
}

package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import java.util.List;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;

/**
 * Reads the topic limits into a feed. A record that is refused leaves the limit before it in force;
 * the log says why.
 */
final class LimitReader implements Processor<byte[], byte[], Void, Void> {
  static final String STORE = "limits";
  private static final Logger LOG = SafeLogger.of(LimitReader.class);

  private final LimitFeed feed;
  private final SchemaSource schemas;
  private final RejectionLog rejections;

  LimitReader(LimitFeed feed, SchemaSource schemas, RejectionLog rejections) {
    this.feed = feed;
    this.schemas = schemas;
    this.rejections = rejections;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      LimitName group = LimitName.parse(record.key() == null ? new byte[0] : record.key());
      if (record.value() == null) {
        feed.remove(group.value());
        LOG.info("The limit of {} has ended", group);
      } else {
        take(group, record.value());
      }
    } catch (InvalidIdException | UndecodableException | SchemaUnavailableException e) {
      refuse(String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      // no other thread replaces this one: the error would end the limiter, and each later one
      rejections.failed("Reading a limit failed", e);
    }
  }

  private void take(LimitName group, byte[] value) {
    if (value.length > LimitRules.MAX_BYTES) {
      refuse(group + " has " + value.length + " bytes; at most " + LimitRules.MAX_BYTES);
      return;
    }
    Limit limit = RecordCodecs.limit().decode(value, schemas);
    List<Problem> problems = LimitRules.problems(limit);
    if (!problems.isEmpty()) {
      refuse(group + ": " + Problems.text(problems));
    } else if (feed.put(group.value(), GroupLimit.of(limit))) {
      LOG.info("The limit of {} is {}", group, limit);
    } else {
      refuse(group + ": there are " + LimitFeed.MOST + " limits; delete others first");
    }
  }

  private void refuse(String why) {
    rejections.rejected("Refused a limit", why);
  }
}

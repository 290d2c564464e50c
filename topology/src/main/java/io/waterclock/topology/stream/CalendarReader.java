package io.waterclock.topology.stream;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Problems;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.decide.CalendarRules;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the calendars topic, all of it in every instance. A record that is no calendar is refused
 * with its reasons, and what the calendar said before stays in force.
 *
 * <p>At the start of an instance Kafka Streams has it read the topic from its beginning to its end
 * before any task begins, so no task decides by less than what the topic holds by then.
 */
final class CalendarReader implements Processor<byte[], byte[], Void, Void> {
  static final String STORE = "calendars";
  private static final Logger LOG = LoggerFactory.getLogger(CalendarReader.class);

  private final CalendarFeed feed;
  private final int maxDeadLetterBytes;
  private @Nullable ProcessorContext<Void, Void> context;
  private @Nullable KeyValueStore<Bytes, byte[]> store;

  CalendarReader(CalendarFeed feed, int maxDeadLetterBytes) {
    this.feed = feed;
    this.maxDeadLetterBytes = maxDeadLetterBytes;
  }

  @Override
  public void init(ProcessorContext<Void, Void> given) {
    context = given;
    store = given.getStateStore(STORE);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (context == null || store == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    Inbound inbound = Inbound.of(record, context.recordMetadata().orElseThrow());
    try {
      CalendarName name = name(inbound);
      Optional<Calendar> calendar = inbound.value().map(CalendarReader::calendar);
      store.put(Bytes.wrap(name.utf8()), inbound.value().orElse(null));
      feed.changed(
          name.value(), new CalendarFeed.Change(inbound.offset(), inbound.timestamp(), calendar));
      LOG.info(
          "Calendar {} {} at {}",
          name,
          calendar.isEmpty() ? "deleted" : "changed",
          inbound.revision());
    } catch (InvalidIdException | UndecodableException | RefusedException e) {
      String error = String.valueOf(e.getMessage());
      LOG.warn("Refused a calendar at {}: {}", inbound.revision(), error);
      feed.refused(
          new CalendarFeed.Refused(
              inbound.offset(), DeadLetter.of(inbound, error, maxDeadLetterBytes)));
    }
  }

  private static CalendarName name(Inbound inbound) {
    return CalendarName.parse(
        inbound
            .key()
            .orElseThrow(
                () ->
                    new RefusedException("the record has no key; its key is the calendar's name")));
  }

  private static Calendar calendar(byte[] value) {
    if (value.length > CalendarRules.MAX_BYTES) {
      throw new RefusedException(
          "the calendar has "
              + value.length
              + " bytes; at most "
              + CalendarRules.MAX_BYTES
              + ": write runs of dates as ranges, or make two calendars of it");
    }
    Calendar calendar = RecordCodecs.calendar().decode(value);
    List<Problem> problems = CalendarRules.problems(calendar);
    if (!problems.isEmpty()) {
      throw new RefusedException(Problems.text(problems));
    }
    return calendar;
  }

  /** A record breaks a rule; the message says which. */
  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }
}

package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.CalendarRules;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.ConfluentHeader;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads the whole calendars topic in every instance. A record that is no valid calendar is refused
 * with its reasons, and the calendar before it stays in force.
 *
 * <p>A record whose schema the registry does not give yet waits in memory, and later records of its
 * name wait behind it, up to 32 MiB; each start reads the topic again. Meanwhile the calendar
 * before it stays in force.
 *
 * <p>At the start of an instance, Kafka Streams reads the topic from its beginning to its end
 * before any task begins. So each task knows every calendar that the topic holds by then.
 */
public final class CalendarReader implements Processor<byte[], byte[], Void, Void> {
  /** Stays empty: Kafka Streams reads a topic in every instance only for a store. */
  public static final String STORE = "calendars";

  private static final Logger LOG = SafeLogger.of(CalendarReader.class);

  /** Inclusive: of the records that wait for a schema. */
  private static final long MAX_HELD_BYTES = 32 << 20;

  /** In memory, beside the content. */
  private static final int HELD_OVERHEAD = 1_024;

  private final CalendarFeed feed;
  private final SchemaSource schemas;
  private final RejectionLog rejections;
  private final Map<CalendarName, Deque<Inbound>> held = new LinkedHashMap<>();
  private long heldBytes;
  private @Nullable ProcessorContext<Void, Void> context;

  public CalendarReader(CalendarFeed feed, SchemaSource schemas, RejectionLog rejections) {
    this.feed = feed;
    this.schemas = schemas;
    this.rejections = rejections;
  }

  @Override
  public void init(ProcessorContext<Void, Void> given) {
    context = given;
    feed.onRetry(this::retry);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (context == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    Inbound inbound = Inbound.of(record, context.recordMetadata().orElseThrow());
    try {
      CalendarName name = name(inbound);
      HeaderBounds.problem(inbound.headers())
          .ifPresentOrElse(
              problem -> refuse(Optional.of(name), inbound, Problems.text(List.of(problem))),
              () -> take(name, inbound));
    } catch (InvalidIdException | RefusedException e) {
      refuse(Optional.empty(), inbound, String.valueOf(e.getMessage()));
    }
  }

  private synchronized void take(CalendarName name, Inbound inbound) {
    if (!held.containsKey(name) && isRead(name, inbound)) {
      return;
    }
    if (heldBytes + bytes(inbound) > MAX_HELD_BYTES) {
      refuse(Optional.of(name), inbound, "too many records of calendars wait for their schemas");
      return;
    }
    heldBytes += bytes(inbound);
    held.computeIfAbsent(name, n -> new ArrayDeque<>()).addLast(inbound);
    publishHeld();
  }

  private static long bytes(Inbound inbound) {
    return HELD_OVERHEAD + inbound.sizeInMemory();
  }

  /** Reads held records whose schema is available now. */
  private synchronized void retry() {
    boolean changed = false;
    for (Iterator<Map.Entry<CalendarName, Deque<Inbound>>> all = held.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<CalendarName, Deque<Inbound>> waiting = all.next();
      Deque<Inbound> records = waiting.getValue();
      while (!records.isEmpty() && isRead(waiting.getKey(), records.getFirst())) {
        heldBytes -= bytes(records.removeFirst());
      }
      if (records.isEmpty()) {
        all.remove();
        changed = true;
      }
    }
    if (changed) {
      publishHeld();
    }
  }

  private boolean isSchemaAvailable(Inbound inbound) {
    OptionalInt schema =
        inbound.value().map(ConfluentHeader::schemaId).orElseGet(OptionalInt::empty);
    return schema.isEmpty()
        || !(schemas.lookup(schema.getAsInt()) instanceof SchemaSource.Lookup.Unavailable);
  }

  private void publishHeld() {
    feed.held(held.keySet().stream().map(CalendarName::value).collect(Collectors.toSet()));
  }

  /**
   * @return false when its schema is not available yet
   */
  private boolean isRead(CalendarName name, Inbound inbound) {
    Optional<Calendar> calendar;
    try {
      if (!isSchemaAvailable(inbound)) {
        return false;
      }
      calendar = inbound.value().map(this::calendar);
    } catch (SchemaUnavailableException e) {
      return false;
    } catch (UndecodableException | RefusedException e) {
      refuse(Optional.of(name), inbound, String.valueOf(e.getMessage()));
      return true;
    } catch (RuntimeException | StackOverflowError e) {
      // no other thread replaces this one: the error would end the instance, and each later
      // instance
      rejections.failed("Reading " + inbound.revision() + " failed", e);
      refuse(Optional.of(name), inbound, "reading it failed: " + e);
      return true;
    }
    feed.changed(
            name.value(), new CalendarFeed.Change(inbound.offset(), inbound.timestamp(), calendar))
        .ifPresentOrElse(
            full -> refuse(Optional.of(name), inbound, full),
            () ->
                LOG.info(
                    "Read calendar {} at {}{}",
                    name,
                    inbound.revision(),
                    calendar.isEmpty() ? ": deleted" : ""));
    return true;
  }

  private synchronized void refuse(Optional<CalendarName> name, Inbound inbound, String error) {
    rejections.rejected("Refused a calendar at " + inbound.revision(), error);
    feed.refused(name, new CalendarFeed.Refused(inbound, error));
  }

  private static CalendarName name(Inbound inbound) {
    return CalendarName.parse(
        inbound
            .key()
            .orElseThrow(
                () ->
                    new RefusedException("the record has no key; its key is the calendar's name")));
  }

  private Calendar calendar(byte[] value) {
    if (value.length > CalendarRules.MAX_BYTES) {
      throw new RefusedException(
          ("the calendar has %s bytes; at most %s: write runs of dates as ranges, or"
                  + " split it into two calendars")
              .formatted(value.length, CalendarRules.MAX_BYTES));
    }
    Calendar calendar = RecordCodecs.calendar().decode(value, schemas);
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

package io.waterclock.topology.intake;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RawHeader;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a record of the topic later, by its headers. Of several with one name, the last
 * counts.
 */
sealed interface LaterRequest {

  /** The record is to be delivered; the schedule does that. Whether it may is not checked yet. */
  record Deliver(ScheduleId id, Schedule schedule) implements LaterRequest {}

  /** What waits under the id is not to be delivered. */
  record Cancel(ScheduleId id) implements LaterRequest {}

  /**
   * The headers have no meaning.
   *
   * @param id empty if it is missing or no id
   */
  record Invalid(Optional<ScheduleId> id, List<Problem> problems) implements LaterRequest {}

  /** The headers that are meant for Waterclock; all others belong to the record. */
  Set<String> CONTROL =
      Set.of(
          HeaderNames.AT,
          HeaderNames.IN,
          HeaderNames.TARGET,
          HeaderNames.ID,
          HeaderNames.PARTITION,
          HeaderNames.CANCEL,
          HeaderNames.CORRELATION_ID,
          HeaderNames.ANSWER_PARTITION);

  /** Reads a record, and finds all problems of its headers at once. */
  static LaterRequest of(Inbound record, LaterIds ids) {
    return new Reader(record, new ArrayList<>()).read(ids);
  }

  /** Reads the headers of one record. */
  record Reader(Inbound record, List<Problem> problems) {
    /** The default of each field, by its position. */
    private static final Object[] BLANK = blank();

    /** Nothing was to be delivered before; an earlier instant counts in seconds. */
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");

    private static final String AT_EXAMPLE = "2026-12-24T18:00:00Z";

    private static Object[] blank() {
      Schedule blank =
          Schedule.newBuilder().setTrigger(new OnceTrigger(Instant.EPOCH, null)).build();
      return blank.getSchema().getFields().stream().map(field -> blank.get(field.pos())).toArray();
    }

    private LaterRequest read(LaterIds ids) {
      Optional<ScheduleId> id = id();
      boolean isCancel = cancel();
      if (isCancel && text(HeaderNames.ID).isEmpty()) {
        missing(HeaderNames.ID, "to name what is cancelled", "order-42");
      }
      if (isCancel) {
        return problems.isEmpty()
            ? new Cancel(id.orElseThrow())
            : new Invalid(id, List.copyOf(problems));
      }
      Optional<Instant> at = instant();
      Optional<String> topic = text(HeaderNames.TARGET).filter(name -> !name.isEmpty());
      if (topic.isEmpty()) {
        missing(HeaderNames.TARGET, "to name the topic that is given the record", "orders");
      }
      Optional<Integer> partition = partition();
      return problems.isEmpty()
          ? new Deliver(
              id.orElseGet(() -> ids.of(record)),
              schedule(at.orElseThrow(), topic.orElseThrow(), partition.orElse(null)))
          : new Invalid(id, List.copyOf(problems));
    }

    private Optional<ScheduleId> id() {
      Header header = record.headers().lastHeader(HeaderNames.ID);
      if (header == null || header.value() == null) {
        return Optional.empty();
      }
      try {
        return Optional.of(ScheduleId.parse(header.value()));
      } catch (InvalidIdException e) {
        add(HeaderNames.ID, String.valueOf(e.getMessage()), null);
        return Optional.empty();
      }
    }

    private boolean cancel() {
      Optional<String> cancel = text(HeaderNames.CANCEL);
      if (cancel.filter(text -> !text.equals("true") && !text.equals("false")).isPresent()) {
        add(HeaderNames.CANCEL, "is " + Quoted.of(cancel.get()) + "; it is true or false", "true");
      }
      return cancel.filter("true"::equals).isPresent();
    }

    private Optional<Instant> instant() {
      Optional<String> at = text(HeaderNames.AT);
      Optional<String> in = text(HeaderNames.IN);
      if (at.isPresent() == in.isPresent()) {
        String fault = at.isPresent() ? "are both given" : "are both missing";
        add(
            HeaderNames.AT,
            "and %s %s; one of them says when".formatted(HeaderNames.IN, fault),
            AT_EXAMPLE);
        return Optional.empty();
      }
      return at.isPresent() ? at(at.get()) : in(in.get());
    }

    private Optional<Instant> at(String text) {
      try {
        boolean isNumber = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
        Comparable<?> time =
            isNumber ? Instant.ofEpochMilli(Long.parseLong(text)) : Instants.instantOrLocal(text);
        if (!(time instanceof Instant instant)) {
          add(HeaderNames.AT, Quoted.of(text) + " has no offset such as Z or +02:00", AT_EXAMPLE);
          return Optional.empty();
        }
        if (instant.isBefore(FIRST)) {
          add(
              HeaderNames.AT,
              ("is %s, before the year 2000; a number counts milliseconds since 1970, and seconds"
                      + " look like this")
                  .formatted(instant),
              AT_EXAMPLE);
        }
        return Optional.of(instant);
      } catch (NumberFormatException e) {
        add(HeaderNames.AT, Quoted.of(text) + " is too far away", AT_EXAMPLE);
      } catch (InvalidValueException e) {
        add(HeaderNames.AT, String.valueOf(e.getMessage()), null);
      }
      return Optional.empty();
    }

    private Optional<Instant> in(String text) {
      try {
        Instant instant = record.timestamp().plus(Durations.parse(text));
        return Optional.of(Instant.ofEpochMilli(instant.toEpochMilli()));
      } catch (InvalidValueException e) {
        add(HeaderNames.IN, String.valueOf(e.getMessage()), null);
      } catch (DateTimeException | ArithmeticException e) {
        add(HeaderNames.IN, Quoted.of(text) + " is too long", "15min");
      }
      return Optional.empty();
    }

    private Optional<Integer> partition() {
      Optional<String> text = text(HeaderNames.PARTITION);
      try {
        return text.map(Integer::valueOf);
      } catch (NumberFormatException e) {
        add(HeaderNames.PARTITION, Quoted.of(text.orElseThrow()) + " is no partition", "0");
        return Optional.empty();
      }
    }

    private Schedule schedule(Instant at, String topic, @Nullable Integer partition) {
      Schedule schedule = new Schedule();
      for (int field = 0; field < BLANK.length; field++) {
        schedule.put(field, BLANK[field]);
      }
      schedule.setTrigger(new OnceTrigger(at, null));
      schedule.setPayload(buffer(record.value().orElse(null)));
      List<RawHeader> own = new ArrayList<>();
      for (Header header : record.headers()) {
        if (!CONTROL.contains(header.key())) {
          own.add(new RawHeader(header.key(), buffer(header.value())));
        }
      }
      RawRecord raw = new RawRecord(buffer(record.key().orElse(null)), own, partition);
      schedule.setTarget(new Target(topic, null, TargetValue.FIRE, raw));
      return schedule;
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes) {
      return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    /** Empty for a header without a value, too. */
    private Optional<String> text(String name) {
      Header header = record.headers().lastHeader(name);
      return header == null || header.value() == null
          ? Optional.empty()
          : Optional.of(new String(header.value(), StandardCharsets.UTF_8).strip());
    }

    private void missing(String header, String why, String example) {
      add(header, "is missing, " + why, example);
    }

    private void add(String header, String message, @Nullable String example) {
      problems.add(Problems.of(header, message, example));
    }
  }
}

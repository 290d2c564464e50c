package io.waterclock.topology.scheduler.emit;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Past;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.text.IsoInstant;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Encodes fires as records: the envelope is the value, the headers are CloudEvents 1.0 in Kafka's
 * binary mode. Not thread-safe.
 */
public final class FireRecords {
  private static final Instant LONGEST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** Longer than any header value, except those of the definition and those of every fire. */
  private static final int LONGEST_VALUE = 300;

  /** UTF-8 bytes of a character at most, and the bytes of two lengths. */
  private static final int BYTES_OF_CHARACTER = 3;

  private static final int BYTES_OF_LENGTHS = 10;

  /** UTF-8 bytes of the id of a command at most. */
  private static final int LONGEST_COMMAND = BYTES_OF_CHARACTER * FireKey.MAX_COMMAND_ID;

  /**
   * Longer than all else in key and value of a fire: id, instants, range, command, their lengths.
   */
  private static final int LONGEST_OTHERS = 300 + LONGEST_COMMAND;

  private final Encoding encoding;
  private final boolean isRouted;
  private final FireIds ids;
  private final Header specVersion = header(HeaderNames.CE_SPECVERSION, HeaderNames.SPECVERSION);
  private final Header type = header(HeaderNames.CE_TYPE, HeaderNames.FIRE_TYPE);
  private final Header source;
  private final Header contentType;
  private final Map<Cause, Header> causes = new EnumMap<>(Cause.class);
  private final int allButKeyAndValue;

  /**
   * @param isRouted whether the headers of fires name their targets
   */
  FireRecords(String ceSource, Encoding encoding, boolean isRouted) {
    this.encoding = encoding;
    this.isRouted = isRouted;
    this.ids = FireIds.of(ceSource);
    this.source = header(HeaderNames.CE_SOURCE, ceSource);
    this.contentType = header(HeaderNames.CONTENT_TYPE, encoding.contentType());
    for (Cause cause : Cause.values()) {
      causes.put(cause, header(HeaderNames.CAUSE, cause.name()));
    }
    byte[] longest = new byte[LONGEST_VALUE];
    RecordHeaders headers = headers(longest, longest, longest);
    headers.add(HeaderNames.TARGET, longest);
    headers.add(HeaderNames.CAUSE, longest);
    headers.add(HeaderNames.DUE, longest);
    headers.add(HeaderNames.TYPE, new byte[0]);
    headers.add(HeaderNames.COLLAPSED, longest);
    headers.add(HeaderNames.SCHEDULE_REVISION, longest);
    this.allButKeyAndValue = RecordSize.of(null, null, headers);
  }

  Record<byte[], Object> record(ScheduleId id, FirePlan plan, Instant firedAt) {
    FireKey fireKey =
        new FireKey(id, plan.occurrence().at(), plan.order().map(ManualFire::commandId));
    byte[] key = fireKey.bytes();
    String fireId = ids.of(key).toString();
    byte[] occurrence = fireKey.occurrenceBytes();
    RecordHeaders headers =
        headers(fireId.getBytes(StandardCharsets.US_ASCII), id.utf8(), occurrence);
    addPlan(headers, plan, occurrence);
    Target target = plan.by().schedule().getTarget();
    if (target != null && isRouted) {
      headers.add(header(HeaderNames.TARGET, target.getTopic()));
    }
    ScheduleSnapshot snapshot =
        plan.order()
            .flatMap(ManualFire::payload)
            .map(payload -> withPayload(plan.by().schedule(), payload))
            .orElse(plan.by().snapshot());
    byte[] value = snapshot.encode(fire(id, plan, firedAt, fireId), encoding);
    return new Record<>(key, value, firedAt.toEpochMilli(), headers);
  }

  /** What most consumers need of the envelope, so that they need not decode it. */
  private void addPlan(RecordHeaders headers, FirePlan plan, byte[] occurrence) {
    Occurrence of = plan.occurrence();
    headers.add(causes.get(plan.cause()));
    headers.add(
        HeaderNames.DUE,
        of.due().equals(of.at()) ? occurrence : IsoInstant.bytes(of.due().toEpochMilli()));
    headers.add(header(HeaderNames.SCHEDULE_REVISION, plan.by().revision()));
    Schedule schedule = plan.by().schedule();
    if (schedule.getType() != null) {
      headers.add(header(HeaderNames.TYPE, schedule.getType()));
    }
    plan.collapsed()
        .ifPresent(
            range -> headers.add(header(HeaderNames.COLLAPSED, Long.toString(range.count()))));
    schedule
        .getHeaders()
        .forEach((name, text) -> headers.add(header(HeaderNames.SCHEDULE_HEADER + name, text)));
  }

  private RecordHeaders headers(byte[] fireId, byte[] subject, byte[] time) {
    Header[] attributes = {
      specVersion,
      new RecordHeader(HeaderNames.CE_ID, fireId),
      source,
      type,
      new RecordHeader(HeaderNames.CE_SUBJECT, subject),
      new RecordHeader(HeaderNames.CE_TIME, time),
      contentType
    };
    return new RecordHeaders(attributes);
  }

  private static ScheduleSnapshot withPayload(Schedule schedule, ByteBuffer payload) {
    return ScheduleSnapshot.of(
        Schedule.newBuilder(schedule).setPayload(payload.duplicate()).build());
  }

  /** The size in bytes of the record of a command's fire. */
  int size(ScheduleId id, Accepted by, ManualFire order) {
    ManualFire latest = new ManualFire(order.seq(), order.commandId(), LONGEST, order.payload());
    Optional<Instant> neighbour = Optional.of(LONGEST);
    return size(record(id, FirePlan.triggered(by, latest, neighbour, neighbour), LONGEST));
  }

  /** The largest record that a definition can fire, approximately. */
  public Record<byte[], Object> largest(
      ScheduleId id, ScheduleSnapshot definition, String revision) {
    Accepted accepted =
        new Accepted(
            definition,
            revision,
            LONGEST,
            LONGEST,
            LONGEST,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            LONGEST,
            Past.NONE);
    return record(
        id,
        new FirePlan(
            accepted,
            new Occurrence(LONGEST, LONGEST),
            Cause.SCHEDULED,
            Optional.of(new FirePlan.CollapsedRange(Long.MAX_VALUE, false, LONGEST)),
            Optional.of(LONGEST),
            Optional.of(LONGEST),
            Optional.empty(),
            Optional.of("x".repeat(LONGEST_COMMAND))),
        LONGEST);
  }

  /** An upper estimate of a fire's size in its own batch. */
  static int size(Record<byte[], Object> fire) {
    return RecordSize.of(fire.key(), (byte[]) fire.value(), fire.headers());
  }

  /** A coarser upper estimate of a fire's size, at almost no cost. */
  int sizeAtMost(Record<byte[], Object> fire, Schedule schedule) {
    return sizeAtMost(schedule, fire.key().length + ((byte[]) fire.value()).length);
  }

  /**
   * An upper estimate of the size of every fire of a definition, at almost no cost; empty for JSON,
   * where a fire must be written to know its size.
   */
  public OptionalInt largestAtMost(ScheduleId id, ScheduleSnapshot definition, String revision) {
    return encoding.format() == WireFormat.JSON
        ? OptionalInt.empty()
        : OptionalInt.of(
            sizeAtMost(
                definition.schedule(),
                2 * (id.utf8().length + BYTES_OF_CHARACTER * revision.length())
                    + LONGEST_OTHERS
                    + definition.body().length));
  }

  private int sizeAtMost(Schedule schedule, int keyAndValue) {
    int size = allButKeyAndValue + keyAndValue;
    String kind = schedule.getType();
    int characters = kind == null ? 0 : kind.length();
    for (Map.Entry<String, String> header : schedule.getHeaders().entrySet()) {
      characters +=
          HeaderNames.SCHEDULE_HEADER.length()
              + header.getKey().length()
              + header.getValue().length();
      size += BYTES_OF_LENGTHS;
    }
    return size + BYTES_OF_CHARACTER * characters;
  }

  /** The fire without its definition. */
  private static Fire fire(ScheduleId id, FirePlan plan, Instant firedAt, String fireId) {
    Fire fire = new Fire();
    fire.setFireId(fireId);
    fire.setScheduleId(id.value());
    fire.setOccurrence(plan.occurrence().at());
    fire.setDue(plan.occurrence().due());
    fire.setFiredAt(firedAt);
    fire.setCause(plan.cause());
    fire.setRevision(plan.by().revision());
    plan.collapsed()
        .ifPresent(
            range ->
                fire.setCollapsed(new Collapsed(range.count(), !range.exact(), range.first())));
    plan.previous().ifPresent(fire::setPrevious);
    plan.next().ifPresent(fire::setNext);
    fire.setWantsOutcome(plan.wantsOutcome());
    plan.backfill().ifPresent(fire::setBackfill);
    return fire;
  }

  private static Header header(String key, String value) {
    return new RecordHeader(key, value.getBytes(StandardCharsets.UTF_8));
  }
}

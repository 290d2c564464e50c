package io.waterclock.schemas;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Writes definitions by hand, field by field in the order of the schema: the counterpart of {@link
 * ScheduleDecoder}. Maps are written in the order of their keys, so that equal records give equal
 * bytes. A test compares the result with the generic encoding.
 */
@SuppressWarnings("EnumOrdinal") // Avro writes the position, and generates constants in that order
record ScheduleEncoder(BodyEncoder to) {
  /** A writer to a {@link BodyEncoder} only. */
  static DatumWriter<Schedule> writer() {
    return new DatumWriter<>() {
      @Override
      public void setSchema(Schema schema) {
        throw new UnsupportedOperationException("writes the current schema only");
      }

      @Override
      public void write(Schedule schedule, Encoder out) {
        new ScheduleEncoder((BodyEncoder) out).write(schedule);
      }
    };
  }

  private void write(Schedule schedule) {
    trigger(schedule.getTrigger());
    to.writeOptional(schedule.getTimezone());
    to.writeBoolean(schedule.getEnabled());
    to.writeEnum(schedule.getCatchUp().ordinal());
    to.writeLong(schedule.getGraceMs());
    number(schedule.getCatchUpWindowMs());
    to.writeLong(schedule.getMaxReplay());
    to.writeOptional(schedule.getStartAt());
    to.writeOptional(schedule.getEndAt());
    number(schedule.getMaxOccurrences());
    instants(schedule.getSkip());
    to.writeLong(schedule.getJitterMs());
    to.writeEnum(schedule.getOverlap().ordinal());
    number(schedule.getPauseAfterFailures());
    target(schedule.getTarget());
    to.writeOptional(schedule.getType());
    bytes(schedule.getPayload());
    to.writeOptional(schedule.getContentType());
    texts(schedule.getHeaders());
    to.writeOptional(schedule.getQueue());
    to.writeInt(schedule.getPriority());
    to.writeOptional(schedule.getOwner());
    texts(schedule.getLabels());
    to.writeOptional(schedule.getDescription());
    number(schedule.getTimeoutMs());
    number(schedule.getExpiresMs());
    number(schedule.getToleranceMs());
    to.writeInt(schedule.getMaxAttempts());
    to.writeLong(schedule.getBackoffMs());
    names(schedule.getExcept());
    to.writeEnum(schedule.getOnExcluded().ordinal());
    to.writeEnum(schedule.getOnResume().ordinal());
    to.writeBoolean(schedule.getTimeoutNone());
    to.writeEnum(schedule.getBackoffGrowth().ordinal());
    to.writeBoolean(schedule.getReportAll());
    to.writeBoolean(schedule.getRearm());
    to.writeEnum(schedule.getDialect().ordinal());
  }

  private void trigger(Object trigger) {
    if (trigger instanceof CronTrigger cron) {
      to.writeIndex(0);
      to.writeString(cron.getExpression());
    } else if (trigger instanceof EveryTrigger every) {
      to.writeIndex(1);
      to.writeLong(every.getN());
      to.writeEnum(every.getUnit().ordinal());
      to.writeOptional(every.getAnchor());
      local(every.getLocalAnchor());
    } else if (trigger instanceof OnceTrigger once) {
      to.writeIndex(2);
      to.writeOptional(once.getAt());
      number(once.getInMs());
    } else {
      RRuleTrigger rrule = (RRuleTrigger) trigger;
      to.writeIndex(3);
      to.writeString(rrule.getRule());
      to.writeOptional(rrule.getAnchor());
      local(rrule.getLocalAnchor());
    }
  }

  private void local(@Nullable LocalDateTime time) {
    to.writeOptional(time == null ? null : time.toInstant(ZoneOffset.UTC));
  }

  private void target(@Nullable Target target) {
    to.writeIndex(target == null ? 0 : 1);
    if (target != null) {
      to.writeString(target.getTopic());
      to.writeOptional(target.getKey());
      to.writeEnum(target.getValue().ordinal());
    }
  }

  /** A union of null and a number; Avro writes ints and longs alike. */
  private void number(@Nullable Number number) {
    to.writeIndex(number == null ? 0 : 1);
    if (number != null) {
      to.writeLong(number.longValue());
    }
  }

  private void bytes(@Nullable ByteBuffer bytes) {
    to.writeIndex(bytes == null ? 0 : 1);
    if (bytes != null) {
      to.writeBytes(bytes);
    }
  }

  private void instants(List<Instant> all) {
    count(all.size());
    all.forEach(instant -> to.writeLong(instant.toEpochMilli()));
    end();
  }

  private void names(List<String> all) {
    count(all.size());
    all.forEach(to::writeString);
    end();
  }

  private void texts(Map<String, String> all) {
    count(all.size());
    (all.size() < 2 ? all : new TreeMap<>(all))
        .forEach(
            (key, value) -> {
              to.writeString(key);
              to.writeString(value);
            });
    end();
  }

  private void count(int items) {
    if (items > 0) {
      to.writeLong(items);
    }
  }

  private void end() {
    to.writeZero();
  }
}

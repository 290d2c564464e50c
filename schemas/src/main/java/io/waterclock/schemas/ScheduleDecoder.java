package io.waterclock.schemas;

import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads definitions by hand, field by field in the order of the current schema, because a load
 * reads each of them from its topic, and each fire starts by reading one from the store. A test
 * compares the result with the generic decoding, so the build fails if a new field of the schema is
 * missing here.
 */
record ScheduleDecoder(BodyDecoder from) {
  private static final BackoffGrowth[] BACKOFF_GROWTHS = BackoffGrowth.values();
  private static final CatchUp[] CATCH_UPS = CatchUp.values();
  private static final Dialect[] DIALECTS = Dialect.values();
  private static final OnExcluded[] ON_EXCLUDED = OnExcluded.values();
  private static final OnResume[] ON_RESUME = OnResume.values();
  private static final Overlap[] OVERLAPS = Overlap.values();
  private static final TargetValue[] TARGET_VALUES = TargetValue.values();
  private static final Unit[] UNITS = Unit.values();

  /** A reader of what was written with the current schema, from a {@link BodyDecoder} only. */
  static DatumReader<Schedule> reader() {
    return new DatumReader<>() {
      @Override
      public void setSchema(Schema writer) {
        throw new UnsupportedOperationException("reads the current schema only");
      }

      @Override
      public Schedule read(@Nullable Schedule reuse, Decoder in) throws IOException {
        return new ScheduleDecoder((BodyDecoder) in).schedule();
      }
    };
  }

  private Schedule schedule() throws IOException {
    Schedule schedule = new Schedule();
    schedule.setTrigger(trigger());
    schedule.setTimezone(text());
    schedule.setEnabled(from.readBoolean());
    schedule.setCatchUp(CATCH_UPS[from.readEnum()]);
    schedule.setGraceMs(from.readLong());
    schedule.setCatchUpWindowMs(number());
    schedule.setMaxReplay(from.readLong());
    schedule.setStartAt(instant());
    schedule.setEndAt(instant());
    schedule.setMaxOccurrences(number());
    schedule.setSkip(instants());
    schedule.setJitterMs(from.readLong());
    schedule.setOverlap(OVERLAPS[from.readEnum()]);
    schedule.setPauseAfterFailures(isPresent() ? Integer.valueOf(from.readInt()) : null);
    schedule.setTarget(target());
    schedule.setType(text());
    schedule.setPayload(bytes());
    schedule.setContentType(text());
    schedule.setHeaders(texts());
    schedule.setQueue(text());
    schedule.setPriority(from.readInt());
    schedule.setOwner(text());
    schedule.setLabels(texts());
    schedule.setDescription(text());
    schedule.setTimeoutMs(number());
    schedule.setExpiresMs(number());
    schedule.setToleranceMs(number());
    schedule.setMaxAttempts(from.readInt());
    schedule.setBackoffMs(from.readLong());
    schedule.setExcept(names());
    schedule.setOnExcluded(ON_EXCLUDED[from.readEnum()]);
    schedule.setOnResume(ON_RESUME[from.readEnum()]);
    schedule.setTimeoutNone(from.readBoolean());
    schedule.setBackoffGrowth(BACKOFF_GROWTHS[from.readEnum()]);
    schedule.setReportAll(from.readBoolean());
    schedule.setRearm(from.readBoolean());
    schedule.setDialect(DIALECTS[from.readEnum()]);
    return schedule;
  }

  private Object trigger() throws IOException {
    int branch = from.readIndex();
    return switch (branch) {
      case 0 -> new CronTrigger(from.readString());
      case 1 -> new EveryTrigger(from.readLong(), UNITS[from.readEnum()], instant(), local());
      case 2 -> new OnceTrigger(instant(), number());
      case 3 -> new RRuleTrigger(from.readString(), instant(), local());
      default -> throw new IOException("there is no trigger of kind " + branch);
    };
  }

  private @Nullable Target target() throws IOException {
    return isPresent()
        ? new Target(from.readString(), text(), TARGET_VALUES[from.readEnum()])
        : null;
  }

  /** All optional fields are unions of null and a type, in this order. */
  private boolean isPresent() throws IOException {
    int branch = from.readIndex();
    if (branch != 0 && branch != 1) {
      throw new IOException("there is no branch " + branch + " of two");
    }
    return branch == 1;
  }

  private @Nullable String text() throws IOException {
    return isPresent() ? from.readString() : null;
  }

  private @Nullable Long number() throws IOException {
    return isPresent() ? Long.valueOf(from.readLong()) : null;
  }

  private @Nullable Instant instant() throws IOException {
    return isPresent() ? Instant.ofEpochMilli(from.readLong()) : null;
  }

  private @Nullable LocalDateTime local() throws IOException {
    Instant asIfUtc = instant();
    return asIfUtc == null ? null : LocalDateTime.ofInstant(asIfUtc, ZoneOffset.UTC);
  }

  private @Nullable ByteBuffer bytes() throws IOException {
    return isPresent() ? from.readBytes() : null;
  }

  private List<Instant> instants() throws IOException {
    List<Instant> list = new ArrayList<>(0);
    for (long block = from.readArrayStart(); block > 0; block = from.arrayNext()) {
      for (long i = 0; i < block; i++) {
        list.add(Instant.ofEpochMilli(from.readLong()));
      }
    }
    return list;
  }

  private List<String> names() throws IOException {
    List<String> list = new ArrayList<>(0);
    for (long block = from.readArrayStart(); block > 0; block = from.arrayNext()) {
      for (long i = 0; i < block; i++) {
        list.add(from.readString());
      }
    }
    return list;
  }

  private Map<String, String> texts() throws IOException {
    Map<String, String> map = new HashMap<>(0);
    for (long block = from.readMapStart(); block > 0; block = from.mapNext()) {
      for (long i = 0; i < block; i++) {
        map.put(from.readString(), from.readString());
      }
    }
    return map;
  }
}

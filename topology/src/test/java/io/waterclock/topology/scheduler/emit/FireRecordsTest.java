package io.waterclock.topology.scheduler.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.Past;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.RawHeader;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

final class FireRecordsTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");
  private static final ScheduleId ID = ScheduleId.parse("reports/daily");

  private final FireRecords fires = new FireRecords("/waterclock/x", Encoding.AVRO, false);

  @Test
  void headers_say_what_most_consumers_need() {
    Map<String, String> headers =
        headers(
            fires.record(
                ID, plan(schedule().build(), NOON, Cause.SCHEDULED, Optional.empty()), NOON));
    assertThat(headers)
        .containsEntry("ce_subject", "reports/daily")
        .containsEntry("ce_time", "2026-11-23T12:00:00.000Z")
        .containsEntry("waterclock-cause", "SCHEDULED")
        .containsEntry("waterclock-due", "2026-11-23T12:00:00.000Z")
        .containsEntry("waterclock-schedule-revision", "x.schedules-3@17")
        .doesNotContainKeys("waterclock-type", "waterclock-collapsed", "waterclock-target");
  }

  @Test
  void headers_have_the_type_the_jitter_the_collapsed_and_the_schedules_own() {
    Schedule schedule =
        schedule().setType("report").setHeaders(Map.of("tenant", "acme", "größe", "ü")).build();
    FirePlan.CollapsedRange collapsed =
        new FirePlan.CollapsedRange(41, true, NOON.minusSeconds(41));
    Map<String, String> headers =
        headers(
            fires.record(
                ID,
                plan(schedule, NOON.plusMillis(250), Cause.CATCH_UP, Optional.of(collapsed)),
                NOON));
    assertThat(headers)
        .containsEntry("waterclock-cause", "CATCH_UP")
        .containsEntry("waterclock-due", "2026-11-23T12:00:00.250Z")
        .containsEntry("waterclock-type", "report")
        .containsEntry("waterclock-collapsed", "41")
        .containsEntry("schedule-tenant", "acme")
        .containsEntry("schedule-größe", "ü");
  }

  @Test
  void the_coarse_size_is_never_below_the_size() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 1_000; i++) {
      Map<String, String> own = new LinkedHashMap<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        own.put(text(random, 40), text(random, 400));
      }
      Schedule schedule = schedule().setType(text(random, 300)).setHeaders(own).build();
      Record<byte[], Object> fire =
          fires.record(ID, plan(schedule, NOON, Cause.TRIGGERED, Optional.empty()), NOON);
      assertThat(fires.sizeAtMost(fire, schedule)).isGreaterThanOrEqualTo(FireRecords.size(fire));
      ScheduleSnapshot definition = ScheduleSnapshot.of(schedule);
      ScheduleId id = ScheduleId.parse("i".repeat(1 + random.nextInt(255)));
      String revision = text(random, 1_000); // an imported one may be long
      assertThat(fires.largestAtMost(id, definition, revision).orElseThrow())
          .isGreaterThanOrEqualTo(FireRecords.size(fires.largest(id, definition, revision)));
    }
  }

  @Test
  void a_record_for_a_target_is_never_larger_than_twice_the_coarse_size() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 1_000; i++) {
      Target target = target(random);
      Schedule schedule =
          schedule().setPayload(bytes(random, 600)).setType("t").setTarget(target).build();
      ScheduleSnapshot definition = ScheduleSnapshot.of(schedule);
      ScheduleId id = ScheduleId.parse("i".repeat(1 + random.nextInt(255)));
      Record<byte[], Object> largest = fires.largest(id, definition, "r");
      Record<byte[], byte[]> fire = largest.withValue((byte[]) largest.value());
      assertThat(2 * fires.largestAtMost(id, definition, "r").orElseThrow())
          .isGreaterThanOrEqualTo(TargetRecords.size(TargetRecords.of(fire, schedule, target)));
    }
  }

  private static Target target(SplittableRandom random) {
    int kind = random.nextInt(3);
    if (kind > 0) {
      TargetValue value = kind == 1 ? TargetValue.FIRE : TargetValue.PAYLOAD;
      return new Target("mail", text(random, 300), value, null);
    }
    List<RawHeader> headers = new ArrayList<>();
    for (int n = random.nextInt(1_000); n > 0; n--) {
      headers.add(
          new RawHeader(text(random, 20), random.nextInt(4) == 0 ? null : bytes(random, 20)));
    }
    RawRecord record = new RawRecord(bytes(random, 300), headers, null);
    return new Target("mail", null, TargetValue.FIRE, record);
  }

  private static ByteBuffer bytes(SplittableRandom random, int most) {
    return ByteBuffer.allocate(random.nextInt(most));
  }

  private static String text(SplittableRandom random, int most) {
    String alphabet = "aäあ\uD83D\uDE00";
    int[] characters = alphabet.codePoints().toArray();
    return random
        .ints(random.nextInt(most), 0, characters.length)
        .map(index -> characters[index])
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Schedule.Builder schedule() {
    return Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.DAY, NOON, null));
  }

  private static FirePlan plan(
      Schedule schedule, Instant due, Cause cause, Optional<FirePlan.CollapsedRange> collapsed) {
    Accepted accepted =
        new Accepted(
            ScheduleSnapshot.of(schedule),
            "x.schedules-3@17",
            NOON,
            NOON,
            NOON,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            NOON,
            Past.NONE);
    return new FirePlan(
        accepted, new Occurrence(NOON, due), cause, collapsed, Optional.empty(), Optional.empty());
  }

  private static Map<String, String> headers(Record<byte[], Object> fire) {
    Map<String, String> headers = new LinkedHashMap<>();
    fire.headers()
        .forEach(
            header ->
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
    return headers;
  }
}

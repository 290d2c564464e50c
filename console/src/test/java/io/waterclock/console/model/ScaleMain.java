package io.waterclock.console.model;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Measures the read model with many schedules and fires: {@code ScaleMain SCHEDULES FIRES}. Records
 * are encoded and decoded as in their topics, on one thread; only the broker is missing.
 */
public final class ScaleMain {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private ScaleMain() {}

  public static void main(String[] args) {
    int schedules = Integer.parseInt(args[0]);
    int fires = Integer.parseInt(args[1]);
    long before = usedAfterCollection();
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ReadModel.Limits(fires, 100_000, 100));
    consume(
        "revisions",
        schedules,
        i -> RecordCodecs.revision().encode(revision(i), WireFormat.AVRO),
        (i, bytes) -> model.revision(RecordCodecs.revision().decode(bytes), NOW));
    consume(
        "schedules",
        schedules,
        i -> RecordCodecs.schedule().encode(schedule(i), WireFormat.AVRO),
        (i, bytes) ->
            model.written(
                id(i), position(i), Optional.of(RecordCodecs.schedule().decode(bytes)), NOW));
    consume(
        "status",
        schedules,
        i -> RecordCodecs.status().encode(status(i), WireFormat.AVRO),
        (i, bytes) -> model.status(id(i), Optional.of(RecordCodecs.status().decode(bytes)), NOW));
    consume(
        "fires",
        fires,
        i -> RecordCodecs.fire().encode(fire(i % schedules, i), WireFormat.AVRO),
        (i, bytes) -> model.fired(RecordCodecs.fire().decode(bytes), i % 12, i / 12));
    System.out.printf("memory     %d MB%n", (usedAfterCollection() - before) >> 20);
    for (int round = 0; round < 3; round++) {
      query("overview", () -> model.overview(id -> true, NOW).dueInHour());
      query(
          "first page",
          () -> model.page(ScheduleFilter.ALL, id -> true, Optional.empty(), 50).total());
      query(
          "search",
          () ->
              model
                  .page(
                      new ScheduleFilter(
                          Optional.of("99999"),
                          Optional.empty(),
                          Optional.empty(),
                          Set.of(),
                          false,
                          Optional.empty(),
                          Optional.empty()),
                      id -> true,
                      Optional.empty(),
                      50)
                  .total());
      query(
          "one", () -> model.schedule(id(4711)).isPresent() ? model.fires(id(4711), 50).size() : 0);
    }
  }

  private interface Reading {
    void of(int number, byte[] bytes);
  }

  /** Prints the processor time of decoding and taking, without that of making the records. */
  private static void consume(String name, int count, IntFunction<byte[]> make, Reading reading) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    byte[][] batch = new byte[10_000][];
    long spent = 0;
    for (int from = 0; from < count; from += batch.length) {
      int size = Math.min(batch.length, count - from);
      for (int i = 0; i < size; i++) {
        batch[i] = make.apply(from + i);
      }
      long began = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < size; i++) {
        reading.of(from + i, batch[i]);
      }
      spent += threads.getCurrentThreadCpuTime() - began;
    }
    System.out.printf("%-10s %.1f s%n", name, spent / 1e9);
  }

  private static void query(String name, LongSupplier query) {
    long began = System.nanoTime();
    long answer = query.getAsLong();
    System.out.printf("%-10s %.1f ms (%d)%n", name, (System.nanoTime() - began) / 1e6, answer);
  }

  private static long usedAfterCollection() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static String id(int i) {
    return "tenant-%03d/orders/reminder-%07d".formatted(i % 200, i);
  }

  private static String position(int i) {
    return "waterclock.schedules-" + i % 12 + "@" + i / 12;
  }

  private static Schedule schedule(int i) {
    return Schedule.newBuilder()
        .setTrigger(
            i % 2 == 0
                ? new CronTrigger(i % 60 + " " + i / 60 % 24 + " * * *")
                : EveryTrigger.newBuilder().setN(5 + i % 55).setUnit(Unit.MINUTE).build())
        .setTimezone(i % 3 == 0 ? "Europe/Berlin" : "UTC")
        .setOwner("tenant-" + i % 200)
        .setLabels(Map.of("team", "t" + i % 40, "tier", "gold"))
        .setContentType("application/json")
        .setPayload(ByteBuffer.wrap(("{\"customer\":" + i + "}").getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private static Revision revision(int i) {
    return Revision.newBuilder()
        .setScheduleId(id(i))
        .setRevision(position(i))
        .setSchedule(schedule(i))
        .setOwnsAfter(NOW.minusSeconds(86_400))
        .setEffectiveAt(NOW.minusSeconds(86_400))
        .setAcceptedAt(NOW.minusSeconds(86_400))
        .setResolvedAt(i % 2 == 0 ? null : NOW.minusSeconds(86_400 + i % 300))
        .setTzdb("2026a")
        .build();
  }

  private static ScheduleStatus status(int i) {
    return ScheduleStatus.newBuilder()
        .setScheduleId(id(i))
        .setState(State.ACTIVE)
        .setRevision(position(i))
        .setSince(NOW.minusSeconds(86_400))
        .build();
  }

  private static Fire fire(int i, int n) {
    Instant at = NOW.minusSeconds(7_200).plusMillis(n);
    return Fire.newBuilder()
        .setFireId(new UUID(n, i).toString())
        .setScheduleId(id(i))
        .setOccurrence(at)
        .setDue(at)
        .setFiredAt(at.plusMillis(n % 40))
        .setCause(Cause.SCHEDULED)
        .setRevision(position(i))
        .setPrevious(at.minusSeconds(300))
        .setNext(NOW.plusSeconds(i % 7200))
        .setSchedule(schedule(i))
        .build();
  }
}

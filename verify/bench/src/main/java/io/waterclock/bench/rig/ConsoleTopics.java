package io.waterclock.bench.rig;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
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
import io.waterclock.schemas.avro.Watermark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The topics of many schedules that have fired many times, as schedulers leave them, but written at
 * once: definitions, revisions, statuses, fires and watermarks.
 */
public final class ConsoleTopics {
  private static final int OWNERS = 200;
  private static final int TEAMS = 40;

  private final KafkaProducer<byte[], byte[]> producer;
  private final Topics topics;
  private final int partitions;
  private final Instant now = Await.now().truncatedTo(ChronoUnit.MILLIS);
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

  private ConsoleTopics(KafkaProducer<byte[], byte[]> producer, Topics topics) {
    this.producer = producer;
    this.topics = topics;
    this.partitions = producer.partitionsFor(topics.schedules()).size();
  }

  /**
   * Writes to topics that are empty; returns when the broker has everything.
   *
   * @param fires spread evenly over the schedules, the newest a second ago
   */
  public static void write(String bootstrapServers, Topics topics, int schedules, int fires) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(
            bootstrapServers,
            Map.of("linger.ms", 20, "batch.size", 256 * 1024, "compression.type", "lz4"))) {
      ConsoleTopics written = new ConsoleTopics(producer, topics);
      written.schedules(schedules);
      written.fires(schedules, fires);
      written.watermarks();
      producer.flush();
      if (!written.failures.isEmpty()) {
        throw new BenchException("a record could not be written", written.failures.element());
      }
    }
  }

  private void schedules(int count) {
    int[] next = new int[partitions];
    for (int i = 0; i < count; i++) {
      byte[] key = id(i).getBytes(StandardCharsets.UTF_8);
      int partition = HomePartition.of(key, partitions);
      String revision = topics.schedules() + "-" + partition + "@" + next[partition]++;
      Schedule schedule = schedule(i);
      send(topics.schedules(), partition, key, RecordCodecs.schedule(), schedule);
      send(
          topics.revisions(),
          partition,
          key,
          RecordCodecs.revision(),
          revision(i, revision, schedule));
      ScheduleStatus status =
          ScheduleStatus.newBuilder()
              .setScheduleId(id(i))
              .setState(State.ACTIVE)
              .setRevision(revision)
              .setSince(now.minus(1, ChronoUnit.DAYS))
              .build();
      send(topics.status(), partition, key, RecordCodecs.status(), status);
    }
  }

  private void fires(int schedules, int count) {
    for (int n = 0; n < count; n++) {
      int i = n % schedules;
      ScheduleId id = ScheduleId.parse(id(i));
      Instant at = now.minusMillis(count - n).minusSeconds(1);
      send(
          topics.fires(),
          HomePartition.of(id.utf8(), partitions),
          FireKey.of(id, at).text().getBytes(StandardCharsets.UTF_8),
          RecordCodecs.fire(),
          fire(i, n, at));
    }
  }

  private void watermarks() {
    for (int partition = 0; partition < partitions; partition++) {
      Watermark watermark =
          Watermark.newBuilder()
              .setPartition(partition)
              .setDecidedThrough(Await.now())
              .setWrittenAt(Await.now())
              .setOffsets(Map.of())
              .setInstance("bench")
              .setTzdb("2026a")
              .setLive(0)
              .setCatchingUp(0)
              .setFired(0)
              .setMissed(0)
              .setWalked(0)
              .setRepaired(0)
              .setFaulted(0)
              .setRejected(0)
              .build();
      byte[] key = (topics.schedules() + "-" + partition).getBytes(StandardCharsets.UTF_8);
      send(topics.watermarks(), partition, key, RecordCodecs.watermark(), watermark);
    }
  }

  private <T extends SpecificRecordBase> void send(
      String topic, int partition, byte[] key, RecordCodec<T> codec, T value) {
    var unused =
        producer.send(
            new ProducerRecord<>(topic, partition, key, codec.encode(value, WireFormat.AVRO)),
            (written, cause) -> {
              if (cause != null) {
                failures.add(cause);
              }
            });
  }

  private static String id(int i) {
    return "tenant-%03d/orders/reminder-%07d".formatted(i % OWNERS, i);
  }

  private static Schedule schedule(int i) {
    return Schedule.newBuilder()
        .setTrigger(
            i % 2 == 0
                ? new CronTrigger(i % 60 + " " + i / 60 % 24 + " * * *")
                : EveryTrigger.newBuilder().setN(5 + i % 55).setUnit(Unit.MINUTE).build())
        .setTimezone(i % 3 == 0 ? "Europe/Berlin" : "UTC")
        .setOwner("tenant-" + i % OWNERS)
        .setLabels(Map.of("team", "t" + i % TEAMS, "tier", "gold"))
        .setContentType("application/json")
        .setPayload(ByteBuffer.wrap(("{\"customer\":" + i + "}").getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private Revision revision(int i, String revision, Schedule schedule) {
    Instant accepted = now.minus(1, ChronoUnit.DAYS);
    return Revision.newBuilder()
        .setScheduleId(id(i))
        .setRevision(revision)
        .setSchedule(schedule)
        .setOwnsAfter(accepted)
        .setEffectiveAt(accepted)
        .setAcceptedAt(accepted)
        .setResolvedAt(i % 2 == 0 ? null : accepted.minusSeconds(i % 300))
        .setTzdb("2026a")
        .build();
  }

  private Fire fire(int i, int n, Instant at) {
    return Fire.newBuilder()
        .setFireId(new UUID(n, i).toString())
        .setScheduleId(id(i))
        .setOccurrence(at)
        .setDue(at)
        .setFiredAt(at.plusMillis(n % 40))
        .setCause(Cause.SCHEDULED)
        .setRevision(topics.schedules() + "-0@" + i)
        .setPrevious(at.minusSeconds(300))
        .setNext(now.plusSeconds(i % 7_200))
        .setSchedule(schedule(i))
        .build();
  }
}

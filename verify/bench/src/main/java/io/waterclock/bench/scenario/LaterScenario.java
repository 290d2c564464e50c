package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.RateMeter;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import io.waterclock.client.schedules.Later;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares records that are delivered later with records that a plain producer writes. */
@Command(
    name = "later",
    description =
        "Records that a producer writes to the topic later, until a consumer has read them in their"
            + " target: those that are due at once, and those that wait and are due at one instant;"
            + " beside the same producer and consumer without a scheduler. And which records each"
            + " of them takes in the scheduler's topics.",
    mixinStandardHelpOptions = true)
public final class LaterScenario implements Callable<Integer> {
  private static final String TARGET = "delivered";
  private static final String PLAIN = "plain";

  /**
   * Records a second that the scheduler accepts on any machine: how long the others have to wait.
   */
  private static final int SLOWEST = 2_000;

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Option(names = "--records", description = "Default 200000; with --quick 20000.")
  private Optional<Integer> records = Optional.empty();

  @Option(names = "--bytes", description = "Of each value; default ${DEFAULT-VALUE}.")
  private int bytes = 100;

  /** What a topic has got. */
  private record Content(long records, long bytes) {
    Content and(ConsumerRecord<byte[], byte[]> record) {
      long size =
          (long) Math.max(0, record.serializedKeySize())
              + Math.max(0, record.serializedValueSize());
      for (Header header : record.headers()) {
        size += header.key().length() + (header.value() == null ? 0 : header.value().length);
      }
      return new Content(records + 1, bytes + size);
    }
  }

  @Override
  public Integer call() {
    int count = options.size("--records", records, 200_000, 20_000);
    Options.atLeast(1, "--bytes", bytes);
    Report report = new Report("later: " + Report.count(count) + " records", options);
    report.with("records", bytes + " bytes of value, keys of 10 bytes, no names");
    report.with("baseline", "the same producer and consumer, without a scheduler in between");
    try (Rig rig = Rig.start(options, Map.of("targets.allow", TARGET))) {
      create(rig);
      through(rig, PLAIN, count / 10, record -> record);
      double plain = through(rig, PLAIN, count, record -> record);
      through(rig, TARGET, count / 10, Later.in(Duration.ZERO)::record);
      rig.startProfile();
      double atOnce = through(rig, TARGET, count, Later.in(Duration.ZERO)::record);
      rig.endProfile();
      report.add("in and out, due at once", atOnce, plain, "records/s");
      Map<TopicPartition, Long> before = ends(rig);
      waiting(rig, report, count, plain);
      contents(rig, before)
          .forEach(
              (topic, content) ->
                  report.with(
                      "each takes in " + topic,
                      "%.2f records, %.0f bytes"
                          .formatted(
                              1.0 * content.records() / count, 1.0 * content.bytes() / count)));
    }
    report.publish(System.out, options);
    return 0;
  }

  private static void create(Rig rig) {
    try (Admin admin = admin(rig)) {
      Await.answer(
          "new topics",
          admin
              .createTopics(
                  Stream.of(TARGET, PLAIN)
                      .map(topic -> new NewTopic(topic, rig.partitions(), (short) 1))
                      .toList())
              .all());
    }
  }

  private static Admin admin(Rig rig) {
    return Admin.create(Map.of("bootstrap.servers", rig.bootstrapServers()));
  }

  /** From the first record that is sent to the last that arrives. */
  private double through(
      Rig rig, String topic, int count, UnaryOperator<ProducerRecord<byte[], byte[]>> asSent) {
    RateMeter meter = new RateMeter(count + 1L);
    try (Arrivals arrivals = rig.arrivals(topic)) {
      arrivals.to((record, seenUs) -> meter.count(1));
      meter.count(1);
      send(rig, topic, count, asSent);
      double rate = meter.rate();
      Progress.say("%,d records through %s, %,.0f/s".formatted(count, topic, rate));
      return rate;
    }
  }

  /** All of them wait, and are then due at one instant. */
  private void waiting(Rig rig, Report report, int count, double plain) {
    Instant due = Await.now().plusSeconds(10 + count / SLOWEST).truncatedTo(ChronoUnit.SECONDS);
    long dueUs = ChronoUnit.MICROS.between(Instant.EPOCH, due);
    RateMeter in = new RateMeter(count + 1L);
    RateMeter out = new RateMeter(count);
    RateMeter removed = new RateMeter(2L * count);
    long[] lastUs = new long[1];
    try (Arrivals accepted = rig.arrivals(rig.topics().status());
        Arrivals arrivals = rig.arrivals(TARGET)) {
      accepted.to(
          (record, seenUs) -> {
            in.count(1);
            removed.count(1);
          });
      arrivals.to(
          (record, seenUs) -> {
            lastUs[0] = seenUs;
            out.count(1);
          });
      in.count(1);
      send(rig, TARGET, count, Later.at(due)::record);
      double accepting = in.rate();
      Progress.say("%,d records wait, %,.0f/s".formatted(count, accepting));
      if (!Await.now().isBefore(due)) {
        throw new VoidRunException("the records were due before all of them waited");
      }
      report.add("in, until they wait", accepting, plain, "records/s");
      double unused = out.rate();
      report.add("out, from the instant on", count * 1e6 / (lastUs[0] - dueUs), plain, "records/s");
      double unusedToo = removed.rate();
    }
  }

  private void send(
      Rig rig, String topic, int count, UnaryOperator<ProducerRecord<byte[], byte[]>> asSent) {
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), options.producerSettings())) {
      byte[] value = new byte[bytes];
      for (int number = 0; number < count; number++) {
        byte[] key = "%010d".formatted(number).getBytes(StandardCharsets.US_ASCII);
        Future<RecordMetadata> unused =
            producer.send(asSent.apply(new ProducerRecord<>(topic, key, value)));
      }
    }
  }

  private static Map<TopicPartition, Long> ends(Rig rig) {
    try (Admin admin = admin(rig);
        KafkaConsumer<byte[], byte[]> consumer =
            Clients.consumer(rig.bootstrapServers(), Map.of())) {
      List<TopicPartition> partitions =
          Await.answer("topics", admin.listTopics().names()).stream()
              .flatMap(topic -> consumer.partitionsFor(topic).stream())
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      return consumer.endOffsets(partitions);
    }
  }

  /** What the topics have got since. */
  private static Map<String, Content> contents(Rig rig, Map<TopicPartition, Long> before) {
    Map<TopicPartition, Long> ends = ends(rig);
    Map<String, Content> contents = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(rig.bootstrapServers(), Map.of("max.poll.records", 5_000))) {
      consumer.assign(before.keySet());
      before.forEach(consumer::seek);
      while (before.keySet().stream()
          .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          contents.merge(
              record.topic(),
              new Content(0, 0).and(record),
              (all, one) -> new Content(all.records() + one.records(), all.bytes() + one.bytes()));
        }
      }
    }
    return contents;
  }
}

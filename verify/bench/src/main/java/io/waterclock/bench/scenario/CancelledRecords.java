package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Keys;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.client.schedules.Later;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records of which every second one is cancelled 45 s before all are due, in turn by a tombstone of
 * its schedule and by a record of the topic later, behind a load of definitions: those that were
 * not cancelled arrive once, the others never.
 *
 * @param count how many records
 */
record CancelledRecords(Options options, int count) {
  private static final int OTHERS = 200_000;
  private static final Duration BEFORE = Duration.ofSeconds(45);
  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final Duration STRAGGLERS = Duration.ofSeconds(20);

  /** How long before the cancellations the definitions of others begin to be written. */
  private static final Duration LOADING = Duration.ofSeconds(8);

  private static final String PHASE = "dely";

  int call() {
    Report report =
        new Report(
            "later --cancel: %s records, half of them cancelled".formatted(Report.count(count)),
            options,
            List.of(RigContender.WATERCLOCK));
    try (Rig rig = Rig.start(options, Map.of("targets.allow", LaterContender.TARGET))) {
      Produced.createTargets(rig, LaterContender.TARGET);
      AtomicIntegerArray arrived = new AtomicIntegerArray(count);
      AtomicLong early = new AtomicLong();
      AtomicLong lastUs = new AtomicLong();
      try (Arrivals arrivals = rig.arrivals(LaterContender.TARGET);
          Loader others = rig.loader();
          KafkaProducer<byte[], byte[]> producer =
              Clients.producer(rig.bootstrapServers(), options.producerSettings())) {
        Instant due =
            Await.now().plus(LOADING).plus(LOADING).plus(BEFORE).truncatedTo(ChronoUnit.SECONDS);
        long dueUs = ChronoUnit.MICROS.between(Instant.EPOCH, due);
        arrivals.to(
            Work.herd(PHASE, count, due),
            (number, dueMs, seenUs) -> {
              arrived.incrementAndGet(number);
              early.addAndGet(seenUs < dueUs ? 1 : 0);
              lastUs.accumulateAndGet(seenUs, Math::max);
            });
        for (int n = 0; n < count; n++) {
          ProducerRecord<byte[], byte[]> record =
              new ProducerRecord<>(LaterContender.TARGET, key(n), new byte[100]);
          var unused = Later.at(due).id(name(n)).send(producer, record);
        }
        producer.flush();
        Await.instant(due.minus(BEFORE).minus(LOADING));
        Work load = Work.herd("load", OTHERS, due.plus(Duration.ofHours(1)));
        int amid = 0;
        Duration ahead = Duration.ZERO;
        for (int n = 0; n < OTHERS; n++) {
          others.send("load", n, Definitions.of(load, n));
          if (amid == 0 && !Await.now().isBefore(due.minus(BEFORE))) {
            amid = n;
            ahead = cancelHalf(rig, producer, due);
          }
        }
        if (amid == 0) {
          amid = OTHERS;
          Await.instant(due.minus(BEFORE));
          ahead = cancelHalf(rig, producer, due);
        }
        others.awaitAccepted();
        Duration read = Duration.between(due, Await.now());
        Progress.say("everything is read %d s after the instant".formatted(read.toSeconds()));
        Await.until(
            "all that were not cancelled have arrived",
            BOUND,
            () -> IntStream.range(0, count).allMatch(n -> n % 2 == 0 || arrived.get(n) > 0));
        Await.pass(STRAGGLERS);
        long right =
            IntStream.range(0, count).filter(n -> n % 2 == 1 && arrived.get(n) == 1).count();
        long wrong = IntStream.range(0, count).filter(n -> arrived.get(n) > n % 2).count();
        report.with(
            "others", "%,d definitions, %,d of them written before".formatted(OTHERS, amid));
        report.with(
            "cancelled", "every second one, 45 s before, by tombstones and by records in turn");
        report.add("not cancelled, arrived once", List.of((double) right), "records");
        report.add("cancelled and arrived, or arrived twice", List.of((double) wrong), "records");
        report.add("arrived early", List.of((double) early.get()), "records");
        report.add(
            "cancellations written before the instant", List.of(ahead.toMillis() / 1e3), "s");
        report.add("everything read after the instant", List.of(read.toMillis() / 1e3), "s");
        report.add("last arrival after the instant", List.of((lastUs.get() - dueUs) / 1e6), "s");
        report.publish(System.out, options);
        return wrong == 0 && early.get() == 0 && right == count / 2 ? 0 : 1;
      }
    }
  }

  /** Returns how long before the instant the brokers have the cancellations. */
  private Duration cancelHalf(Rig rig, KafkaProducer<byte[], byte[]> producer, Instant due) {
    for (int n = 0; n < count; n += 2) {
      cancel(rig, producer, n);
    }
    producer.flush();
    Duration ahead = Duration.between(Await.now(), due);
    Progress.say("half of the records are cancelled, %d s before".formatted(ahead.toSeconds()));
    return ahead;
  }

  private static void cancel(Rig rig, KafkaProducer<byte[], byte[]> producer, int number) {
    if (number % 4 == 0) {
      byte[] id = name(number).getBytes(StandardCharsets.US_ASCII);
      var unused = producer.send(new ProducerRecord<>(rig.topics().schedules(), id, null));
    } else {
      var unused = Later.cancel(producer, name(number));
    }
  }

  private static byte[] key(int number) {
    return Keys.id(PHASE, number).getBytes(StandardCharsets.US_ASCII);
  }

  private static String name(int number) {
    return "cart/" + number;
  }
}

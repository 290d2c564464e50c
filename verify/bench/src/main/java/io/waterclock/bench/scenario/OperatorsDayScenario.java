package io.waterclock.bench.scenario;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.client.worker.FireWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** 10,000 schedules of 40 owners, of which five are wrong, for a person who is to find them. */
@Command(
    name = "operators-day",
    description =
        "Fills a cluster whose scheduler runs, such as that of ./waterclock dev, with 10,000"
            + " schedules of 40 owners, hides five faults among them, and works until it is"
            + " killed. Find the faults with a clock, from the console's first page and from the"
            + " command line; then compare with --solution.",
    mixinStandardHelpOptions = true)
public final class OperatorsDayScenario implements Callable<Integer> {
  private static final int OWNERS = 40;
  private static final int EACH = 250;
  private static final List<String> JOBS =
      List.of("invoices", "report", "sync", "cleanup", "export", "import", "digest", "backup");

  /** What calendars and topics need until every partition has read them. */
  private static final Duration SETTLED = Duration.ofSeconds(5);

  @Option(names = "--bootstrap-server", defaultValue = "127.0.0.1:9092")
  private String servers = "";

  @Option(names = "--prefix", defaultValue = "waterclock", description = "Of the topics.")
  private String prefix = "";

  @Option(names = "--seed", defaultValue = "7", description = "Another one hides them elsewhere.")
  private long seed;

  @Option(names = "--solution", description = "Print which schedules are wrong, and end.")
  private boolean solution;

  /** The numbers of the schedules that are wrong, each of another owner. */
  private record Hidden(int failing, int paused, int never, int utc, int rejected) {
    static Hidden by(long seed) {
      int[] owners = new SplittableRandom(seed).ints(0, OWNERS).distinct().limit(5).toArray();
      int[] places = new SplittableRandom(~seed).ints(5, 0, EACH).toArray();
      return new Hidden(
          owners[0] * EACH + places[0],
          owners[1] * EACH + places[1],
          owners[2] * EACH + places[2],
          owners[3] * EACH + places[3],
          owners[4] * EACH + places[4]);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    Hidden hidden = Hidden.by(seed);
    if (solution) {
      print("always fails", hidden.failing);
      print("is paused with a note", hidden.paused);
      print("names a calendar that leaves out everything", hidden.never);
      print("has UTC where Berlin is meant", hidden.utc);
      print("has a rejected edit", hidden.rejected);
      return 0;
    }
    fill(hidden);
    try (FireWorker worker =
        FireWorker.builder(servers, "operators-day")
            .prefix(prefix)
            .onAny(
                run -> {
                  if (run.fire().getScheduleId().equals(id(hidden.failing))) {
                    throw new IllegalStateException("relation \"invoice_archive\" does not exist");
                  }
                })
            .start()) {
      System.out.println("Ready: five of 10,000 schedules are wrong. State: " + worker.state());
      new CountDownLatch(1).await();
    }
    return 0;
  }

  private static void print(String what, int number) {
    System.out.println(id(number) + " " + what);
  }

  private static String id(int number) {
    int inOwner = number % EACH;
    return "%s/%s-%s"
        .formatted(owner(number), JOBS.get(inOwner % JOBS.size()), inOwner / JOBS.size());
  }

  private static String owner(int number) {
    return "team-%02d".formatted(number / EACH);
  }

  private void fill(Hidden hidden) throws InterruptedException {
    try (KafkaProducer<String, String> out =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "linger.ms", 20),
            new StringSerializer(),
            new StringSerializer())) {
      out.send(record("calendars", "closed", "{\"dates\":[\"2000-01-01/9999-12-31\"]}")).get();
      out.send(record("calendars", "holidays", "{\"dates\":[\"2030-12-24/2030-12-26\"]}")).get();
      Await.pass(SETTLED);
      SplittableRandom random = new SplittableRandom(seed);
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int number = 0; number < OWNERS * EACH; number++) {
        sent.add(out.send(record("schedules", id(number), definition(number, hidden, random))));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
      Await.pass(SETTLED);
      String note = "\"note\":\"the disk of the NAS is full, see OPS-4711\",\"author\":\"ann\"";
      out.send(
              record(
                  "commands",
                  id(hidden.paused),
                  "{\"command_id\":\"" + seed + "\",\"pause\":{" + note + "}}"))
          .get();
      String edit = "{\"cron\":\"61 9 * * *\",\"owner\":\"%s\"}".formatted(owner(hidden.rejected));
      out.send(record("schedules", id(hidden.rejected), edit)).get();
    } catch (ExecutionException e) {
      throw new BenchException("the brokers refuse a record: " + e.getCause());
    }
  }

  private ProducerRecord<String, String> record(String topic, String key, String value) {
    return new ProducerRecord<>(prefix + "." + topic, key, value);
  }

  private static String definition(int number, Hidden hidden, SplittableRandom random) {
    String hour = number % 5 == 0 ? "*" : String.valueOf(random.nextInt(24));
    String cron = "\"cron\":\"%s %s * * 1-5\"".formatted(random.nextInt(60), hour);
    String calendars = number % 7 == 0 ? ",\"except\":[\"holidays\"]" : "";
    return "{%s,\"timezone\":\"%s\",\"owner\":\"%s\"%s}"
        .formatted(
            number == hidden.failing ? "\"every\":\"10s\"" : cron,
            number == hidden.utc ? "UTC" : "Europe/Berlin",
            owner(number),
            number == hidden.never ? ",\"except\":[\"closed\"]" : calendars);
  }
}

package io.waterclock.client;

import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.Pending;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.KafkaVersion;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.OnUnhandled;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.TargetValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A service with nothing but the client and what it needs: puts schedules with nested records, in
 * each Avro format and in transactions, does their fires, reads all back, and says so.
 */
final class PlainService {
  private static final Duration BOUND = Duration.ofMinutes(3);

  private PlainService() {}

  public static void main(String[] args) throws InterruptedException {
    String servers = args[0];
    Map<String, String> registry = Map.of("schema.registry.url", args[1]);
    String prefix = KafkaVersion.ofClients() + "/";
    System.out.println("kafka-clients " + KafkaVersion.ofClients());
    CountDownLatch done = new CountDownLatch(3);
    try (FireWorker worker =
        FireWorker.builder(servers, "plain-" + KafkaVersion.ofClients())
            .kafka(registry)
            .onPrefix(
                prefix,
                run -> {
                  say(run);
                  done.countDown();
                })
            .start()) {
      put(servers, registry, WireFormat.AVRO, prefix + "plain");
      put(servers, registry, WireFormat.AVRO_REGISTRY, prefix + "registered");
      inTransactions(servers, registry, prefix);
      done.await();
      System.out.println("worker " + worker.state());
    }
    withoutOrder(servers, registry, prefix);
  }

  /**
   * Share groups came with kafka-clients 4.2; an older one must not break what does not use them.
   */
  private static void withoutOrder(String servers, Map<String, String> registry, String prefix)
      throws InterruptedException {
    System.out.println("methods " + (FireWorker.Builder.class.getMethods().length > 0));
    CountDownLatch done = new CountDownLatch(1);
    FireWorker.Builder builder =
        FireWorker.builder(servers, "unordered-" + KafkaVersion.ofClients())
            .kafka(registry)
            .unordered()
            .threads(2)
            .onSchedule(prefix + "plain", run -> done.countDown())
            .onUnhandled(OnUnhandled.PASS_OVER);
    try (FireWorker worker = builder.start()) {
      done.await();
      System.out.println("unordered " + worker.state());
    } catch (IllegalArgumentException e) {
      System.out.println("unordered " + e.getMessage());
    }
  }

  private static void say(Run run) {
    System.out.println(
        "did "
            + run.fire().getScheduleId()
            + " "
            + new String(run.payload(), StandardCharsets.UTF_8)
            + " "
            + run.fire().getSchedule().getCatchUp());
  }

  private static Schedules connect(
      String servers, Map<String, String> registry, WireFormat format) {
    return Schedules.builder(servers).kafka(registry).format(format).timeout(BOUND).build();
  }

  private static ScheduleBuilder tea() {
    return ScheduleBuilder.after(Duration.ZERO)
        .catchUp(CatchUp.REPLAY)
        .target("elsewhere", TargetValue.PAYLOAD)
        .payloadText("tea");
  }

  private static void put(
      String servers, Map<String, String> registry, WireFormat format, String id)
      throws InterruptedException {
    try (Schedules schedules = connect(servers, registry, format)) {
      System.out.println("put " + schedules.put(id, tea()).join().orThrow().isChange());
      int fires = 0;
      while (fires == 0) {
        Thread.sleep(50);
        fires = schedules.fires(id).join().size();
      }
      System.out.println("fires " + fires);
      System.out.println("state " + schedules.get(id).join().orElseThrow().state().orElseThrow());
      System.out.println(
          "answer to a wrong definition "
              + schedules.put(id, ScheduleBuilder.cron("61 * * * *")).join().getClass());
      System.out.println(
          "answer to a command " + schedules.trigger(id).join().orThrow().commandId().isPresent());
    }
  }

  private static void inTransactions(String servers, Map<String, String> registry, String prefix) {
    try (Schedules schedules = connect(servers, registry, WireFormat.AVRO);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "transactional.id", prefix),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      producer.initTransactions();
      var transacted = schedules.in(producer);
      producer.beginTransaction();
      Pending committed = transacted.put(prefix + "committed", tea());
      producer.commitTransaction();
      System.out.println("committed " + committed.answer().join().orThrow().isChange());
      producer.beginTransaction();
      Pending aborted = transacted.put(prefix + "aborted", tea());
      producer.abortTransaction();
      try {
        System.out.println("answered " + aborted.answer().join());
      } catch (NotWrittenException e) {
        System.out.println("aborted true");
      }
    }
  }
}

package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backfill of a scheduler's, and a worker that has done a part of the range already. */
@Timeout(600)
final class BackfillTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_backfill_fills_holes_only() throws Exception {
    List<Fire> done = new CopyOnWriteArrayList<>();
    List<Outcome> dropped = new CopyOnWriteArrayList<>();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Waterclock scheduler =
            Waterclock.start(
                WaterclockConfig.parse(
                    Map.of(
                        "bootstrap.servers", kafka.bootstrapServers(),
                        "prefix", "holes",
                        "partitions", "1",
                        "state.dir", dir.resolve("state").toString(),
                        "health.port", "0")));
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer());
        FireWorker worker =
            FireWorker.builder(kafka.bootstrapServers(), "service")
                .prefix("holes")
                .onSchedule("a", run -> done.add(run.fire()))
                .listener(
                    new WorkerListener() {
                      @Override
                      public void onOutcome(Fire fire, Outcome outcome) {
                        if (outcome.getState() == OutcomeState.DROPPED) {
                          dropped.add(outcome);
                        }
                      }
                    })
                .start()) {
      await().atMost(BOUND).until(scheduler::isReady);
      send(producer, "holes.schedules", "{\"every\":\"1s\"}");
      await().atMost(BOUND).until(() -> done.size() >= 2);
      send(producer, "holes.commands", "{\"command_id\":\"p\",\"pause\":{}}");
      int held = done.size();
      await().during(Duration.ofMillis(2_500)).atMost(BOUND).until(() -> done.size() <= held + 1);
      send(producer, "holes.commands", "{\"command_id\":\"r\",\"resume\":{}}");
      int before = done.size();
      await().atMost(BOUND).until(() -> done.size() >= before + 2);
      List<Fire> first = List.copyOf(done);
      Instant from = first.get(0).getOccurrence();
      Instant to = first.get(first.size() - 1).getOccurrence().plusMillis(1);
      send(
          producer,
          "holes.commands",
          "{\"command_id\":\"b\",\"backfill\":{\"from\":\"%s\",\"to\":\"%s\"}}"
              .formatted(from, to));
      await().atMost(BOUND).until(() -> dropped.size() >= first.size());
      List<Instant> filled =
          done.stream()
              .filter(fire -> fire.getCause() == Cause.BACKFILL)
              .map(Fire::getOccurrence)
              .toList();
      assertThat(filled).isNotEmpty();
      assertThat(filled)
          .doesNotContainAnyElementsOf(first.stream().map(Fire::getOccurrence).toList());
      assertThat(first.size() + filled.size())
          .isEqualTo(Duration.between(from, to).toSeconds() + 1);
      assertThat(done).extracting(Fire::getFireId).doesNotHaveDuplicates();
      assertThat(dropped).extracting(Outcome::getReason).containsOnly("DUPLICATE");
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  private static void send(KafkaProducer<String, String> producer, String topic, String json)
      throws ExecutionException, InterruptedException {
    producer.send(new ProducerRecord<>(topic, "a", json)).get();
  }
}

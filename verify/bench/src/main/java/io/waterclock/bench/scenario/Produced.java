package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * The records of a work, as a client writes them, as fast as it can.
 *
 * @param settings of the producer
 * @param bytes of each value
 */
record Produced(Rig rig, Map<String, String> settings, int bytes) {
  /** Creates the topics in which records are to arrive. */
  static void createTargets(Rig rig, String... topics) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rig.bootstrapServers()))) {
      Await.answer(
          "new topics",
          admin
              .createTopics(
                  Arrays.stream(topics)
                      .map(topic -> new NewTopic(topic, rig.partitions(), (short) 1))
                      .toList())
              .all());
    }
  }

  /**
   * Writes a record for each schedule of a work, with its id as the key; returns when the broker
   * has them.
   *
   * @param topic where each record is to arrive
   * @param asSent makes of a record and its instant what is written
   */
  void send(
      Work work,
      String topic,
      BiFunction<ProducerRecord<byte[], byte[]>, Instant, ProducerRecord<byte[], byte[]>> asSent) {
    Queue<Exception> failures = new ConcurrentLinkedQueue<>();
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(rig.bootstrapServers(), settings)) {
      byte[] value = new byte[bytes];
      for (int number = 0; number < work.count(); number++) {
        byte[] key = Keys.id(work.phase(), number).getBytes(StandardCharsets.US_ASCII);
        Future<RecordMetadata> unused =
            producer.send(
                asSent.apply(new ProducerRecord<>(topic, key, value), work.due(number)),
                (written, failure) -> Optional.ofNullable(failure).ifPresent(failures::add));
      }
    }
    if (!failures.isEmpty()) {
      throw new BenchException("a record could not be written", failures.element());
    }
  }
}

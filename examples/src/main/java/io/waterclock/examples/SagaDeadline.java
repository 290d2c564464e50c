package io.waterclock.examples;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.SchedulesInTransaction;
import io.waterclock.client.worker.FireWorker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The deadline of a saga: an order that is not paid in time is cancelled. The event that begins the
 * saga and the timer are one Kafka transaction, and so are the event that ends it and the
 * cancellation of the timer: no order is without a deadline, and no paid order has one.
 */
public final class SagaDeadline {
  static final String ORDERS = "examples.orders";
  private static final String PREFIX = "examples/deadlines/";

  private SagaDeadline() {}

  /** Places two orders with five seconds to pay, and pays one of them. */
  public static void main(String[] args) throws Exception {
    String servers = Setup.bootstrapServers(args);
    Setup.createTopic(servers, ORDERS);
    try (Schedules schedules = Schedules.connect(servers);
        Producer<byte[], byte[]> producer = producer(servers);
        FireWorker worker =
            start(servers, order -> System.out.println(Instant.now() + " cancelled " + order))) {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::close)); // lets the next one begin
      SchedulesInTransaction deadlines = schedules.in(producer);
      placed(producer, deadlines, "17", Duration.ofSeconds(5));
      placed(producer, deadlines, "18", Duration.ofSeconds(5));
      paid(producer, deadlines, "18");
      System.out.println(Instant.now() + " placed 17 and 18, and paid 18");
      worker.await();
    }
  }

  static Producer<byte[], byte[]> producer(String servers) {
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "transactional.id", "examples-orders"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  /** Writes the event and starts the timer, both or neither. */
  static void placed(
      Producer<byte[], byte[]> producer,
      SchedulesInTransaction deadlines,
      String order,
      Duration time) {
    producer.beginTransaction();
    var unused = producer.send(new ProducerRecord<>(ORDERS, bytes(order), bytes("placed")));
    deadlines.timer(PREFIX + order).after(time);
    producer.commitTransaction();
  }

  /** Writes the event and cancels the timer, both or neither. */
  static void paid(
      Producer<byte[], byte[]> producer, SchedulesInTransaction deadlines, String order) {
    producer.beginTransaction();
    var unused = producer.send(new ProducerRecord<>(ORDERS, bytes(order), bytes("paid")));
    deadlines.timer(PREFIX + order).cancel();
    producer.commitTransaction();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static FireWorker start(String servers, Consumer<String> cancel) {
    return FireWorker.builder(servers, "examples-deadlines")
        .onPrefix(
            PREFIX, run -> cancel.accept(run.fire().getScheduleId().substring(PREFIX.length())))
        .start();
  }
}

package io.waterclock.examples;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.avro.TargetValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Sends reminders: at a given time, the router writes your message to your topic. Consumers of the
 * topic do not need to know Waterclock. To cancel a reminder, delete its schedule.
 *
 * <p>The operator must allow the topic: {@code ./waterclock dev --set targets.allow='examples.*'}.
 */
public final class Reminders {
  static final String TOPIC = "examples.reminders";

  private Reminders() {}

  /** Reminds customer 42 of her cart in five seconds, and prints the message. */
  public static void main(String[] args) throws Exception {
    String servers = Setup.bootstrapServers(args);
    Setup.createTopic(servers, TOPIC);
    try (Schedules schedules = Schedules.connect(servers);
        KafkaConsumer<String, String> inbox = inbox(servers)) {
      inbox.seekToEnd(List.of());
      inbox.position(new TopicPartition(TOPIC, 0));
      Instant at = Instant.now().plusSeconds(5);
      Answer.Accepted accepted = remind(schedules, "42", at, "{\"cart\":3}");
      System.out.println("reminder at " + accepted.next().orElseThrow());
      ConsumerRecord<String, String> message = next(inbox);
      System.out.println(Instant.now() + " " + message.key() + " " + message.value());
    }
  }

  /** Schedules {@code json} for the topic, with the customer's key and at this time. */
  static Answer.Accepted remind(Schedules schedules, String customer, Instant at, String json) {
    return schedules
        .put(
            "examples/reminders/" + customer,
            ScheduleBuilder.once(at).target(TOPIC, customer, TargetValue.PAYLOAD).payloadJson(json))
        .join()
        .orThrow();
  }

  private static KafkaConsumer<String, String> inbox(String servers) {
    KafkaConsumer<String, String> inbox =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer());
    inbox.assign(List.of(new TopicPartition(TOPIC, 0)));
    return inbox;
  }

  private static ConsumerRecord<String, String> next(KafkaConsumer<String, String> inbox) {
    while (true) {
      for (ConsumerRecord<String, String> message : inbox.poll(Duration.ofSeconds(1))) {
        return message;
      }
    }
  }
}

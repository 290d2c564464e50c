package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.connect.TestFires;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class DelivererTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private final List<String> results = new ArrayList<>();

  /** The thread that finishes the delivery before it may be that of a producer's I/O. */
  @Test
  void a_hopeless_delivery_is_given_up_in_the_thread_that_would_make_the_attempt() {
    WebhookConfig config = WebhookConfig.of(Map.of("url", "https://receiver.invalid/hook"));
    try (Http http =
        new Http(
            new CheckedResolver(config.addresses()),
            config.connectTimeout(),
            config.requestTimeout(),
            1)) {
      Delivery delivery = delivery();
      delivery.behind(Optional.of(NOW.minus(config.patience()).minusMillis(1)), true);
      deliverer(config, http).attempt(delivery);
      assertThat(results).hasSize(1);
      assertThat(results.get(0)).startsWith("not sent: ");
    }
  }

  private Deliverer deliverer(WebhookConfig config, Http http) {
    return new Deliverer(
        config,
        http,
        new Outcomes(Optional.empty(), "waterclock.outcomes"),
        new Deliverer.Results() {
          @Override
          public void again(Delivery delivery, Duration pause) {
            results.add("again");
          }

          @Override
          public void ended(Delivery delivery, Optional<String> failure) {
            results.add(failure.orElse("ended"));
          }

          @Override
          public void broken(Error error) {
            results.add("broken");
          }
        },
        InstantSource.fixed(NOW));
  }

  private static Delivery delivery() {
    Fire fire = TestFires.of("reports/daily", NOW, definition -> {});
    SinkRecord record =
        new SinkRecord("waterclock.fires", 0, null, null, Schema.BYTES_SCHEMA, new byte[0], 0L);
    return new Delivery(
        record, new TopicPartition("waterclock.fires", 0), fire, TestFires.key(fire));
  }
}

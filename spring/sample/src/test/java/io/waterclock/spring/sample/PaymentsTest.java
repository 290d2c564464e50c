package io.waterclock.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.spring.WaterclockTemplate;
import io.waterclock.spring.test.VirtualWaterclock;
import io.waterclock.spring.test.WaterclockTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The payments of the shop, without Kafka, on a clock that the test moves. */
@WaterclockTest(
    startingAt = "2026-03-01T12:00:00Z",
    properties = {
      "spring.datasource.url=jdbc:h2:mem:payments",
      "spring.kafka.listener.auto-startup=false"
    })
final class PaymentsTest {
  @Autowired private VirtualWaterclock waterclock;
  @Autowired private WaterclockTemplate template;
  @Autowired private JdbcClient jdbc;

  private int count(String table) {
    return jdbc.sql("select count(*) from " + table).query(Integer.class).single();
  }

  @Test
  @Tag("all")
  void a_payment_is_collected_once_at_the_end_of_its_terms_and_reported_each_morning() {
    template
        .put(
            "payments/17",
            ScheduleBuilder.after(Duration.ofDays(30)).reportAll(),
            new Payment("17", 1_999))
        .answer()
        .join()
        .orThrow();
    waterclock.advance(Duration.ofDays(29));
    assertThat(count("payments")).isZero();
    waterclock.advance(Duration.ofDays(336));
    assertThat(count("payments")).isEqualTo(1);
    assertThat(count("waterclock_claims")).isEqualTo(1);
    assertThat(waterclock.fires("payments-report"))
        .hasSize(365)
        .extracting(Fire::getOccurrence)
        .allMatch(at -> hour(at) == 6);
  }

  private static int hour(Instant at) {
    return at.atZone(ZoneId.of("Europe/Berlin")).getHour();
  }
}

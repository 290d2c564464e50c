package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UnhandledTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private static void find(Unhandled unhandled, String id) {
    var unused =
        unhandled.found(TestFires.of(id, NOON, Duration.ofHours(1), definition -> {}), "fires-0@7");
  }

  @Test
  void skipped_fires_are_counted_by_the_prefix_of_their_ids() {
    Unhandled unhandled = new Unhandled("service", Optional.empty(), Optional.empty());
    find(unhandled, "orders/1");
    find(unhandled, "orders/2/again");
    find(unhandled, "nightly");
    assertThat(unhandled.counts()).isEqualTo(Map.of("orders/", 2L, "nightly", 1L));
  }

  @Test
  void no_more_than_a_thousand_prefixes_are_counted_separately() {
    Unhandled unhandled = new Unhandled("service", Optional.empty(), Optional.empty());
    for (int i = 0; i < 1_500; i++) {
      find(unhandled, "s" + i);
    }
    assertThat(unhandled.counts()).hasSize(1_001).containsEntry("", 500L);
  }
}

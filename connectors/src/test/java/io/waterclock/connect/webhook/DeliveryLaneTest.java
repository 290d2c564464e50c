package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.connect.TestFires;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class DeliveryLaneTest {
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final DeliveryLane lane = new DeliveryLane();

  private static Delivery delivery(int bytes) {
    return new Delivery(
        new SinkRecord("t", 0, null, "a", null, new byte[bytes], 0),
        TaskRig.P0,
        TestFires.of("a", NINE, s -> {}),
        "a|x");
  }

  @Test
  void a_receiver_has_failed_from_the_first_attempt_until_a_fire_is_accepted() {
    for (int i = 0; i < 3; i++) {
      lane.add(delivery(1));
    }
    lane.first().begin(NINE);
    lane.failed();
    lane.first().begin(NINE.plusSeconds(5));
    lane.failed();
    lane.removeFirst();
    assertThat(lane.failingSince()).contains(NINE);
    lane.first().begin(NINE.plusSeconds(60));
    lane.failed();
    assertThat(lane.failingSince()).as("also with an earlier fire").contains(NINE);
    lane.first().accept();
    lane.removeFirst();
    assertThat(lane.failingSince()).isEmpty();
  }

  @Test
  void patience_counts_from_when_the_receiver_began_to_fail() {
    Delivery later = delivery(1);
    later.begin(NINE.plusSeconds(60));
    assertThat(later.patientSince()).contains(NINE.plusSeconds(60));
    lane.add(delivery(1));
    lane.first().begin(NINE);
    lane.failed();
    later.behind(lane.failingSince(), false);
    assertThat(later.patientSince()).contains(NINE);
    assertThat(later.isHopeless(PATIENCE, NINE.plus(PATIENCE).plusMillis(1)))
        .as("alone it gets one attempt")
        .isFalse();
    later.behind(lane.failingSince(), true);
    assertThat(later.isHopeless(PATIENCE, NINE.plus(PATIENCE))).isFalse();
    assertThat(later.isHopeless(PATIENCE, NINE.plus(PATIENCE).plusMillis(1))).isTrue();
  }

  @Test
  void what_a_lane_holds_counts_in_fires_and_in_bytes() {
    lane.add(delivery(100));
    lane.add(delivery(50));
    assertThat(lane.load()).isEqualTo(new HeldFires(2, 150));
    lane.removeFirst();
    assertThat(lane.load()).isEqualTo(new HeldFires(1, 50));
  }
}

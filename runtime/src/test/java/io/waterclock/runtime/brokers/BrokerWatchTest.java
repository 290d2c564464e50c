package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BrokerWatchTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private long nanos = Long.MAX_VALUE - 5;
  private final BrokerWatch watch = new BrokerWatch(() -> nanos);

  @Test
  void nothing_is_wrong_until_a_broker_does_not_answer() {
    pass(10);
    assertThat(watch.problem()).isEmpty();
    assertThat(watch.answering()).isEqualTo(Duration.ofSeconds(10));
    assertThat(watch.isOutage(MINUTE)).isFalse();
  }

  @Test
  void an_outage_is_counted_from_the_last_answer_and_names_the_latest_reason() {
    watch.answered();
    pass(7);
    watch.silent("timed out");
    pass(5);
    watch.silent("refused");
    assertThat(watch.problem()).contains("no broker has answered for 12 s (refused)");
    assertThat(watch.answering()).isZero();
  }

  @Test
  void an_answer_ends_it_and_its_aftermath_takes_a_while_longer() {
    watch.silent("refused");
    pass(5);
    watch.answered();
    assertThat(watch.problem()).isEmpty();
    pass(59);
    watch.answered();
    assertThat(watch.answering()).isEqualTo(Duration.ofSeconds(59));
    assertThat(watch.isOutage(MINUTE)).isTrue();
    pass(1);
    assertThat(watch.isOutage(MINUTE)).isFalse();
  }

  private void pass(long seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }
}

package io.waterclock.client.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadStallTest {
  private static final int RECORDS = 1_000;

  private final AtomicLong nanos = new AtomicLong();
  private final ReadStall stall = new ReadStall(nanos::get, RECORDS);

  @Test
  void a_read_that_goes_on_may_take_as_long_as_it_needs() {
    for (int left = RECORDS - 1; left >= 0; left--) {
      assertThat(isStalled(left, 9)).as("%s left", left).isFalse();
    }
  }

  @Test
  void a_read_that_gets_nothing_for_ten_seconds_is_stalled() {
    assertThat(isStalled(RECORDS, 10)).isFalse();
    assertThat(isStalled(RECORDS - 1, 1)).isFalse();
    assertThat(isStalled(RECORDS - 1, 10)).isFalse();
    assertThat(isStalled(RECORDS - 1, 1)).isTrue();
  }

  private boolean isStalled(long left, long secondsLater) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(secondsLater));
    return stall.isStalled(left);
  }
}

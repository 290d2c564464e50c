package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class SchedulesTest {
  @Test
  void of_many_reads_at_most_32_run_at_a_time_and_all_end_with_the_client() throws Exception {
    try (SilentBroker broker = new SilentBroker()) {
      Schedules schedules =
          Schedules.builder(broker.address()).timeout(Duration.ofMinutes(10)).build();
      List<CompletableFuture<Optional<KnownSchedule>>> reads = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        reads.add(schedules.get("a"));
      }
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().equals("waterclock-schedules"))
          .hasSize(32);
      schedules.close();
      AtomicInteger unread = new AtomicInteger();
      for (CompletableFuture<Optional<KnownSchedule>> read : reads) {
        assertThatThrownBy(read::join)
            .satisfies(
                failure -> {
                  if (!(failure instanceof UnavailableException)) {
                    assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("this Schedules is closed");
                    unread.incrementAndGet();
                  }
                });
      }
      assertThat(unread).hasValue(68);
    }
  }
}

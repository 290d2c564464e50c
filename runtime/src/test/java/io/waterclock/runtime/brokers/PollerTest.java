package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PollerTest {
  @Test
  void a_poll_that_fails_is_repeated() throws InterruptedException {
    isRepeatedAfter(new IllegalStateException("no answer"));
  }

  @Test
  void a_poll_that_ends_with_an_error_is_repeated() throws InterruptedException {
    isRepeatedAfter(new NoClassDefFoundError("io/waterclock/Missing"));
  }

  private static void isRepeatedAfter(Throwable failure) throws InterruptedException {
    CountDownLatch polls = new CountDownLatch(3);
    try (Poller poller =
        new Poller(
            "test-poller",
            () -> {
              polls.countDown();
              if (failure instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) failure;
            })) {
      poller.start(Duration.ZERO, Duration.ofMillis(1));
      assertThat(polls.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_close_interrupts_the_poll_and_starts_no_other() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Poller poller =
        new Poller(
            "test-poller",
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    poller.start(Duration.ZERO, Duration.ofMillis(1));
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    poller.close();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(poller.awaitEnd(Duration.ofSeconds(10))).isTrue();
    assertThatThrownBy(() -> poller.start(Duration.ZERO, Duration.ofMillis(1)))
        .isInstanceOf(RejectedExecutionException.class);
  }
}

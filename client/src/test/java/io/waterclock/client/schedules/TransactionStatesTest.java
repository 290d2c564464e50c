package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TransactionStatesTest {
  private static final int CHANGES = 50;

  private final TransactionStates states =
      new TransactionStates(
          () -> {
            throw new TimeoutException("no broker");
          });

  @Test
  void however_many_changes_wait_one_thread_looks_what_became_of_their_transactions()
      throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch left = new CountDownLatch(CHANGES);
    for (int i = 0; i < CHANGES; i++) {
      states.later(
          Duration.ofMillis(1),
          () -> {
            threads.add(Thread.currentThread());
            left.countDown();
          });
    }
    left.await();
    states.close();
    assertThat(threads).hasSize(1);
    assertThat(threads).allMatch(Thread::isDaemon);
  }

  @Test
  void after_its_end_it_refuses_no_look_and_makes_none() {
    states.close();
    assertThatCode(() -> states.later(Duration.ZERO, () -> {})).doesNotThrowAnyException();
  }
}

package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class GuardedListenerTest {
  private static final class Failing implements WorkerListener {
    @Override
    public void onDeadLetter() {
      throw new NoSuchMethodError("built for another version of a library");
    }
  }

  @Test
  void an_error_of_a_listener_reaches_neither_the_worker_nor_the_other_listeners() {
    AtomicInteger letters = new AtomicInteger();
    WorkerListener counting =
        new WorkerListener() {
          @Override
          public void onDeadLetter() {
            letters.incrementAndGet();
          }
        };
    new GuardedListener(List.of(new Failing(), counting)).onDeadLetter();
    assertThat(letters).hasValue(1);
  }
}

package io.waterclock.runtime;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RestartPolicyTest {
  private final RuntimeException failure = new IllegalStateException("a topic is gone");

  private long nanos = -5;
  private boolean outage;
  private Throwable ofRecord = new IllegalStateException("none yet");
  private final RestartPolicy policy =
      new RestartPolicy(
          () -> nanos,
          () -> outage ? Optional.of("the outage") : Optional.empty(),
          death -> death == ofRecord);

  @Test
  void a_thread_that_dies_is_replaced() {
    assertThat(policy.handle(failure)).isEqualTo(REPLACE_THREAD);
  }

  @Test
  void the_fifth_death_within_five_minutes_ends_the_instance() {
    for (int i = 0; i < 4; i++) {
      assertThat(policy.handle(failure)).isEqualTo(REPLACE_THREAD);
      nanos += Duration.ofSeconds(75).toNanos();
    }
    assertThat(policy.handle(failure)).isEqualTo(SHUTDOWN_CLIENT);
  }

  @Test
  void deaths_that_are_more_than_five_minutes_old_do_not_count() {
    for (int i = 0; i < 100; i++) {
      assertThat(policy.handle(failure)).isEqualTo(REPLACE_THREAD);
      nanos += Duration.ofSeconds(76).toNanos();
    }
  }

  @Test
  void deaths_in_an_outage_of_the_brokers_do_not_count() {
    outage = true;
    for (int i = 0; i < 100; i++) {
      assertThat(policy.handle(failure)).isEqualTo(REPLACE_THREAD);
      nanos += Duration.ofSeconds(2).toNanos();
    }
    outage = false;
    assertThat(policy.handle(failure)).isEqualTo(REPLACE_THREAD);
  }

  @Test
  void deaths_of_a_record_that_is_set_aside_do_not_count() {
    for (int i = 0; i < 100; i++) {
      ofRecord = i % 2 == 0 ? new IllegalStateException() : new StackOverflowError();
      assertThat(policy.handle(ofRecord)).isEqualTo(REPLACE_THREAD);
    }
  }

  @Test
  void a_heap_that_a_record_has_filled_ends_the_instance_all_the_same() {
    ofRecord = new OutOfMemoryError("heap");
    assertThat(policy.handle(ofRecord)).isEqualTo(SHUTDOWN_CLIENT);
  }

  @Test
  void an_error_of_the_jvm_ends_the_instance_in_an_outage_too() {
    outage = true;
    assertThat(policy.handle(new OutOfMemoryError("heap"))).isEqualTo(SHUTDOWN_CLIENT);
  }

  @Test
  void an_error_of_the_jvm_ends_the_instance_at_once() {
    assertThat(policy.handle(new OutOfMemoryError("heap"))).isEqualTo(SHUTDOWN_CLIENT);
  }
}

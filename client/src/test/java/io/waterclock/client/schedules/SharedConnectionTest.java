package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class SharedConnectionTest {
  private final SilentBroker broker;
  private final ExecutorService callers = Executors.newCachedThreadPool();

  SharedConnectionTest() throws IOException {
    broker = new SilentBroker();
  }

  @AfterEach
  void stop() throws IOException {
    callers.shutdownNow();
    broker.close();
  }

  private Connection connection(Duration timeout) {
    return new Connection(
        Map.of("bootstrap.servers", broker.address()),
        Topics.ofDefault(),
        WireFormat.AVRO,
        Optional.empty(),
        timeout);
  }

  @Test
  void all_that_wait_for_the_brokers_share_one_attempt_and_the_next_one_begins_anew() {
    try (Connection connection = connection(Duration.ofSeconds(2))) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        calls.add(callers.submit(connection::ready));
      }
      for (Future<?> call : calls) {
        assertThatThrownBy(call::get).hasCauseInstanceOf(TimeoutException.class);
      }
      assertThat(broker.taken()).isEqualTo(1);
      while (broker.taken() < 2) { // the attempt may end a little after those that waited for it
        assertThatThrownBy(connection::ready).isInstanceOf(TimeoutException.class);
      }
    }
  }

  @Test
  void its_end_waits_for_no_attempt_and_ends_those_that_do() {
    Connection connection = connection(Duration.ofMinutes(1));
    Future<?> call = callers.submit(connection::ready);
    while (broker.taken() == 0 && !Thread.interrupted()) {
      Thread.onSpinWait();
    }
    connection.close();
    assertThatThrownBy(call::get)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("this Schedules is closed");
    assertThatThrownBy(connection::ready)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this Schedules is closed");
  }
}

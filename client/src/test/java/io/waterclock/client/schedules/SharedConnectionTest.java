package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** With a broker that takes connections, and never answers. */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class SharedConnectionTest {
  private final ServerSocket broker;
  private final List<Socket> taken = new CopyOnWriteArrayList<>();
  private final ExecutorService callers = Executors.newCachedThreadPool();

  SharedConnectionTest() throws IOException {
    broker = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    var unused = callers.submit(this::take);
  }

  private void take() {
    try {
      while (!broker.isClosed()) {
        taken.add(broker.accept());
      }
    } catch (IOException e) {
      if (!broker.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    broker.close();
    for (Socket each : taken) {
      each.close();
    }
    callers.shutdownNow();
  }

  private Connection connection(Duration timeout) {
    return new Connection(
        Map.of("bootstrap.servers", "127.0.0.1:" + broker.getLocalPort()),
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
      assertThat(taken).hasSize(1);
      while (taken.size() < 2) { // the attempt may end a little after those that waited for it
        assertThatThrownBy(connection::ready).isInstanceOf(TimeoutException.class);
      }
    }
  }

  @Test
  void its_end_waits_for_no_attempt_and_ends_those_that_do() {
    Connection connection = connection(Duration.ofMinutes(1));
    Future<?> call = callers.submit(connection::ready);
    while (taken.isEmpty() && !Thread.interrupted()) {
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

package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class KafkaProcessTest {
  @TempDir Path dir;

  @Test
  @Tag("all")
  void committed_data_survives_kill_9() throws Exception {
    int port;
    try (KafkaProcess kafka = KafkaProcess.start(dir, 0)) {
      port = kafka.port();
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger").create();
      ledger.abort("aborted");
      ledger.commit("committed");
      kafka.kill();
      assertThat(kafka.handle().isAlive()).isFalse();
    }
    try (KafkaProcess kafka = KafkaProcess.start(dir, port)) {
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger");
      ledger.commit("after");
      assertThat(ledger.committed()).containsExactly("committed", "after");
    }
  }

  @Test
  @Tag("all")
  void a_transaction_that_kill_9_left_open_is_aborted_and_holds_no_reader_up() throws Exception {
    Map<String, String> settings =
        Map.of(
            "transaction.abort.timed.out.transaction.cleanup.interval.ms", "50",
            // how long a broker that believed itself the leader would do so
            "broker.session.timeout.ms", "4000");
    List<String> jvm = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    int port;
    try (KafkaProcess kafka = KafkaProcess.start(dir, 0, settings, jvm)) {
      port = kafka.port();
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger").create();
      ledger.commit("committed");
      ledger.leaveOpen("open", kafka::kill);
    }
    try (KafkaProcess kafka = KafkaProcess.start(dir, port, settings, jvm)) {
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger");
      await()
          .atMost(Duration.ofMinutes(4))
          .untilAsserted(() -> assertThat(ledger.end()).isEqualTo(ledger.stableEnd()));
      assertThat(ledger.committed()).containsExactly("committed");
    }
  }

  @Test
  void the_process_stops_when_its_input_ends_as_it_does_when_its_parent_dies() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedKafkaMain.class.getName(),
                dir.toString(),
                "0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.inputReader().readLine()).startsWith("READY 127.0.0.1:");
      process.getOutputStream().close();
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void why_a_broker_did_not_start_is_its_own_sentence() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> KafkaProcess.start(dir, port))
          .isInstanceOf(EmbeddedKafkaException.class)
          .hasMessageStartingWith("Port " + port + " on 127.0.0.1 cannot be used");
    }
  }

  @Test
  @Tag("all")
  void a_directory_in_use_by_another_process_is_refused() {
    try (KafkaProcess kafka = KafkaProcess.start(dir, 0)) {
      assertThat(kafka.handle().isAlive()).isTrue();
      assertThatThrownBy(() -> EmbeddedKafka.start(dir, 0))
          .isInstanceOf(EmbeddedKafkaException.class)
          .hasMessageContaining("is in use by another broker");
    }
  }

  @Test
  @Tag("all")
  void settings_and_jvm_options_reach_the_process() {
    assertThatThrownBy(
            () -> KafkaProcess.start(dir, 0, Map.of("num.io.threads", "many"), List.of("-Xmx256m")))
        .isInstanceOf(EmbeddedKafkaException.class)
        .hasMessageContaining("num.io.threads");
  }
}

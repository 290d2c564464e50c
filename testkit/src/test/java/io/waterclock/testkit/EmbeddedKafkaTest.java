package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class EmbeddedKafkaTest {
  @TempDir Path dir;

  @Test
  void what_is_committed_is_read_and_what_is_aborted_is_not() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0)) {
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger").create();
      ledger.abort("aborted");
      ledger.commit("committed");
      assertThat(ledger.committed()).containsExactly("committed");
    }
  }

  @Test
  void data_survives_a_restart_on_another_port() throws Exception {
    int firstPort;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0)) {
      firstPort = kafka.port();
      new Ledger(kafka.bootstrapServers(), "ledger").create().commit("before");
    }
    try (ServerSocket taken = new ServerSocket(firstPort, 1, InetAddress.getLoopbackAddress());
        EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0)) {
      assertThat(kafka.port()).isNotEqualTo(taken.getLocalPort());
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger");
      ledger.commit("after");
      assertThat(ledger.committed()).containsExactly("before", "after");
    }
  }

  @Test
  void data_survives_a_restart_on_the_same_port() throws Exception {
    int port;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0)) {
      port = kafka.port();
      new Ledger(kafka.bootstrapServers(), "ledger").create().commit("before");
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, port)) {
      assertThat(kafka.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
      assertThat(new Ledger(kafka.bootstrapServers(), "ledger").committed())
          .containsExactly("before");
    }
  }

  @Test
  void two_brokers_live_side_by_side() {
    try (EmbeddedKafka one = EmbeddedKafka.start(dir.resolve("one"), 0);
        EmbeddedKafka two = EmbeddedKafka.start(dir.resolve("two"), 0)) {
      assertThat(one.port()).isNotEqualTo(two.port());
    }
  }

  @Test
  void a_directory_may_be_formatted_with_other_levels_of_features() throws Exception {
    EmbeddedKafka.format(dir, Map.of(), Map.of("transaction.version", (short) 1));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertThat(admin.describeFeatures().featureMetadata().get().finalizedFeatures())
          .extractingByKey("transaction.version")
          .extracting(FinalizedVersionRange::maxVersionLevel)
          .isEqualTo((short) 1);
    }
    Map<String, Short> unknown = Map.of("transaction.version", (short) 99);
    assertThatThrownBy(() -> EmbeddedKafka.format(dir.resolve("other"), Map.of(), unknown))
        .isInstanceOf(EmbeddedKafkaException.class)
        .hasMessageContaining("transaction.version");
  }

  @Test
  void the_callers_settings_win() throws Exception {
    Map<String, String> settings = Map.of("auto.create.topics.enable", "true");
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0, settings);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new Ledger(kafka.bootstrapServers(), "by-accident").commit("value");
      Set<String> topics = admin.listTopics().names().get();
      assertThat(topics).contains("by-accident");
    }
  }

  @Test
  void a_port_in_use_is_refused_in_one_sentence() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> EmbeddedKafka.start(dir, port))
          .isInstanceOf(EmbeddedKafkaException.class)
          .hasMessageStartingWith("Port " + port + " on 127.0.0.1 cannot be used (Address already")
          .hasMessageNotContaining("\n");
      assertThat(dir).isEmptyDirectory();
    }
  }

  @Test
  void a_directory_in_use_is_refused_in_one_sentence_and_its_broker_goes_on() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0)) {
      assertThatThrownBy(() -> EmbeddedKafka.start(dir, 0))
          .isInstanceOf(EmbeddedKafkaException.class)
          .hasMessageStartingWith("The data directory " + dir + " is in use by another broker")
          .hasMessageNotContaining("\n");
      Ledger ledger = new Ledger(kafka.bootstrapServers(), "ledger").create();
      ledger.commit("value");
      assertThat(ledger.committed()).isEqualTo(List.of("value"));
    }
  }

  @Test
  void a_directory_that_cannot_be_written_is_refused_in_one_sentence() {
    Path file = Path.of("/dev/null");
    assertThatThrownBy(() -> EmbeddedKafka.start(file.resolve("data"), 0))
        .isInstanceOf(EmbeddedKafkaException.class)
        .hasMessageStartingWith("The data directory /dev/null/data cannot be used");
  }

  @Test
  void a_wrong_setting_is_refused_and_leaves_the_directory_free() {
    assertThatThrownBy(() -> EmbeddedKafka.start(dir, 0, Map.of("num.io.threads", "many")))
        .isInstanceOf(EmbeddedKafkaException.class)
        .hasMessageContaining("num.io.threads");
    EmbeddedKafka.start(dir, 0).close();
  }

  @Test
  void closing_twice_is_closing_once() {
    EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0);
    kafka.close();
    kafka.close();
  }
}

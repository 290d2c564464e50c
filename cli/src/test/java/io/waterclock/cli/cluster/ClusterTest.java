package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterTest {
  /** A loaded machine may take long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final AtomicBoolean isAway = new AtomicBoolean(true);

  private HttpServer registry() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] known =
        JsonNodeFactory.instance
            .objectNode()
            .put("schema", Schedule.SCHEMA$.toString())
            .toString()
            .getBytes(UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(isAway.get() ? 503 : 200, known.length);
          exchange.getResponseBody().write(known);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void outage_of_the_registry_fails_a_command_and_is_over_for_a_console() throws Exception {
    HttpServer registry = registry();
    try {
      Map<String, String> url =
          Map.of(RegistrySettings.URL, "http://127.0.0.1:" + registry.getAddress().getPort());
      Cluster cluster = Cluster.of(Map.of(), "127.0.0.1:1", Topics.ofDefault(), url);
      assertThat(cluster.lastingSchemas().lookup(5)).isInstanceOf(Lookup.Unavailable.class);
      assertThatThrownBy(() -> cluster.schemas().lookup(5))
          .isInstanceOf(Failure.class)
          .hasMessageStartingWith("The schema registry does not answer: ");
      isAway.set(false);
      await()
          .atMost(PATIENCE)
          .until(() -> cluster.lastingSchemas().lookup(5) instanceof Lookup.Known);
      assertThat(cluster.schemas().lookup(5)).isInstanceOf(Lookup.Known.class);
    } finally {
      registry.stop(0);
    }
  }

  /** Kafka refuses a producer that gives a request more time than the record. */
  @ParameterizedTest
  @ValueSource(strings = {"1000", "60000"})
  void a_record_may_have_less_time_than_a_request(String given) {
    Cluster cluster =
        Cluster.of(
            Map.of("bootstrap.servers", "127.0.0.1:1", "default.api.timeout.ms", given),
            "127.0.0.1:1",
            Topics.ofDefault(),
            Map.of());
    assertThatCode(() -> cluster.producer(Duration.ofSeconds(2)).close(Duration.ZERO))
        .doesNotThrowAnyException();
  }

  private static Failure silence(Map<String, Object> clients) {
    Cluster cluster =
        Cluster.of(
            clients,
            String.valueOf(clients.get("bootstrap.servers")),
            Topics.ofDefault(),
            Map.of());
    return catchThrowableOfType(Failure.class, () -> cluster.partitions("waterclock.schedules"));
  }

  /** What accepts connections and never answers stands for a broker that is slow. */
  @Test
  @Tag("all")
  void a_slow_broker_is_not_called_absent_and_a_person_sees_that_the_command_waits()
      throws Exception {
    try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + slow.getLocalPort();
      CliRun run = CliRun.onScreen("list", "--bootstrap-server=" + address, "--timeout=4s");
      assertThat(run.err().lines().toList())
          .hasSize(2)
          .satisfies(
              lines -> {
                assertThat(lines.get(0))
                    .isEqualTo(
                        "waterclock: waiting for Kafka at " + address + ", for 4 s at most ...");
                assertThat(lines.get(1))
                    .startsWith("waterclock: Kafka at " + address + " did not answer within 4 s: ")
                    .contains("slow", "--timeout");
              });
      assertThat(CliRun.of("list", "--bootstrap-server=" + address, "--timeout=3s").err().lines())
          .hasSize(1);
    }
  }

  @Test
  @Tag("all")
  void a_protocol_that_does_not_fit_is_the_reason(@TempDir Path dir) throws Exception {
    KafkaSecurity security = KafkaSecurity.in(dir.resolve("security"));
    try (EmbeddedKafka secured = EmbeddedKafka.start(dir.resolve("secured"), 0, security);
        EmbeddedKafka plain = EmbeddedKafka.start(dir.resolve("plain"), 0)) {
      assertThat(silence(Map.of("bootstrap.servers", secured.bootstrapServers())))
          .hasMessageContaining(
              secured.bootstrapServers() + " speaks TLS, but security.protocol is PLAINTEXT");
      assertThat(
              silence(
                  Map.of(
                      "bootstrap.servers", plain.bootstrapServers(), "security.protocol", "SSL")))
          .hasMessageContaining(
              plain.bootstrapServers() + " does not speak TLS, but security.protocol is SSL");
    }
  }

  @Test
  void a_host_that_no_name_server_knows_is_the_reason() {
    assertThat(silence(Map.of("bootstrap.servers", "kafka.invalid:9092")))
        .hasMessageContaining("no host in bootstrap.servers is known");
  }
}

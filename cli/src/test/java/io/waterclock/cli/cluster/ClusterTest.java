package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.registry.RegistrySettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
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
}

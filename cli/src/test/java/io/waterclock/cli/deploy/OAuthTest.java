package io.waterclock.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that only lets in who has a token of a server (SASL/OAUTHBEARER, with Kafka's classes).
 */
@Timeout(600)
@Tag("all")
final class OAuthTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String PACKAGE = "org.apache.kafka.common.security.oauthbearer.";

  @TempDir static Path dir;
  private static TokenServer tokens;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    tokens = TokenServer.start();
    System.setProperty(
        ALLOWED, tokens.url("/token") + "," + tokens.url("/keys") + ",http://127.0.0.1:1/token");
    int port = Ports.free();
    int inside = Ports.free();
    int controller = Ports.free();
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), port, broker(port, inside, controller));
  }

  @AfterAll
  static void stop() {
    kafka.close();
    tokens.close();
    System.clearProperty(ALLOWED);
  }

  private static Map<String, String> broker(int port, int inside, int controller) {
    String clients = "CLIENTS://127.0.0.1:" + port + ",INSIDE://127.0.0.1:" + inside;
    String mine = "listener.name.clients.oauthbearer.";
    Map<String, String> settings = new HashMap<>();
    settings.put("listeners", clients + ",CONTROLLER://127.0.0.1:" + controller);
    settings.put("advertised.listeners", clients);
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.put("inter.broker.listener.name", "INSIDE");
    settings.put(
        "listener.security.protocol.map",
        "CLIENTS:SASL_PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("listener.name.clients.sasl.enabled.mechanisms", "OAUTHBEARER");
    settings.put(mine + "sasl.jaas.config", PACKAGE + "OAuthBearerLoginModule required;");
    settings.put(
        mine + "sasl.server.callback.handler.class",
        PACKAGE + "OAuthBearerValidatorCallbackHandler");
    settings.put(mine + "sasl.oauthbearer.jwks.endpoint.url", tokens.url("/keys"));
    settings.put(mine + "sasl.oauthbearer.expected.audience", "kafka");
    settings.put(mine + "sasl.oauthbearer.expected.issuer", "waterclock-test");
    return settings;
  }

  /** The settings of docs/rights.md for this broker. */
  private static Path config(String tokenUrl, String secret) throws IOException {
    return Files.writeString(
        Files.createTempFile(dir, "client", ".properties"),
        """
        bootstrap.servers=%s
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=OAUTHBEARER
        sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
        sasl.oauthbearer.token.endpoint.url=%s
        sasl.oauthbearer.client.credentials.client.id=scheduler
        sasl.oauthbearer.client.credentials.client.secret=%s
        sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
        sasl.login.retry.backoff.max.ms=300
        default.api.timeout.ms=30000
        """
            .formatted(kafka.bootstrapServers(), tokenUrl, secret));
  }

  private static CliRun command(Path config, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(
        args[0].equals("run")
            ? List.of("--config", config.toString())
            : List.of("--command-config", config.toString()));
    return CliRun.today(all.toArray(String[]::new));
  }

  @Test
  void a_scheduler_and_commands_log_in_with_a_token() throws Exception {
    Path config = config(tokens.url("/token"), TokenServer.SECRET);
    Map<String, String> flags =
        Map.of(
            "state.dir", dir.resolve("state").toString(), "partitions", "1", "health.port", "off");
    try (Waterclock scheduler =
        Waterclock.start(
            WaterclockConfig.parse(ConfigSources.gather(Optional.of(config), Map.of(), flags)))) {
      await().atMost(BOUND).until(scheduler::isReady);
      CliRun put = command(config, "put", "oauth/tick", "--every=1s");
      assertThat(put.out()).as(put.err()).contains("oauth/tick accepted");
      await()
          .atMost(BOUND)
          .until(() -> command(config, "fires", "--schedule=oauth/tick").lines().size() > 0);
      assertThat(command(config, "list").out()).contains("oauth/tick", "ACTIVE");
    }
  }

  private static void assertSentence(Path config, String... words) {
    for (String name : List.of("list", "run", "doctor")) {
      CliRun run = command(config, name);
      assertThat(run.exitCode()).as(name).isEqualTo(1);
      assertThat(run.out() + run.err())
          .as(name)
          .contains(words)
          .contains(kafka.bootstrapServers())
          .doesNotContain("\tat ", "Exception", "Failed to create");
    }
  }

  @Test
  void a_token_that_the_broker_refuses_is_the_reason() throws Exception {
    tokens.audience("another");
    try {
      assertSentence(
          config(tokens.url("/token"), TokenServer.SECRET),
          "the broker does not accept the token",
          "audience");
    } finally {
      tokens.audience("kafka");
    }
  }

  @Test
  void a_client_that_the_token_server_refuses_is_the_reason() throws Exception {
    assertSentence(config(tokens.url("/token"), "guessed"), "the login failed: ", "401");
  }

  @Test
  void a_token_server_that_is_away_is_the_reason() throws Exception {
    assertSentence(
        config("http://127.0.0.1:1/token", TokenServer.SECRET),
        "the login failed: Connection refused");
  }

  @Test
  void an_address_that_Java_may_not_ask_for_tokens_is_named_with_the_property() throws Exception {
    assertSentence(config("http://127.0.0.1:2/token", TokenServer.SECRET), ALLOWED);
  }
}

package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.schemas.SchemaSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Answers of a schema registry, over a real connection: whatever it sends, a lookup has a result
 * with a reason.
 */
final class RegistryFuzzTest {
  private static final int[] STATUSES = {200, 404, 409, 422, 500, 401};
  private static final AtomicReference<byte[]> BODY = new AtomicReference<>(new byte[0]);
  private static final AtomicInteger STATUS = new AtomicInteger(200);
  private static HttpServer server;
  private static RegistryClient client;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = Objects.requireNonNull(BODY.get());
          exchange.sendResponseHeaders(STATUS.get(), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        new RegistryClient(
            RegistrySettings.parse(
                    Map.of(
                        "schema.registry.url", "http://127.0.0.1:" + server.getAddress().getPort()),
                    new ArrayList<>())
                .orElseThrow());
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  @FuzzTest
  @DictionaryEntries({
    "{\\x22schema\\x22:\\x22\\x5c\\x22string\\x5c\\x22\\x22}",
        "\\x22schemaType\\x22:\\x22JSON\\x22",
        "\\x22references\\x22:[{\\x22name\\x22:\\x22a\\x22,\\x22subject\\x22:\\x22b\\x22,\\x22version\\x22:1}]",
    "{\\x22error_code\\x22:40403,\\x22message\\x22:\\x22Schema not found\\x22}", "1e99999999999",
        "[[[[[["
  })
  void answer(@InRange(min = 0, max = 5) int which, byte @NotNull [] answer) {
    allowConnections();
    STATUS.set(STATUSES[which]);
    BODY.set(answer);
    SchemaSource.Lookup found = client.lookup(1);
    if (found instanceof SchemaSource.Lookup.Refused refused) {
      assertThat(refused.why()).isNotBlank();
    } else if (found instanceof SchemaSource.Lookup.Unavailable away) {
      assertThat(away.why()).isNotBlank();
    } else {
      assertThat(STATUS.get()).isEqualTo(200);
    }
  }

  /** To the server of this test. */
  private static void allowConnections() {
    try {
      BugDetectors.allowNetworkConnections();
    } catch (IllegalStateException e) {
      // among fresh inputs alone, no detector is there that would forbid them
    }
  }
}

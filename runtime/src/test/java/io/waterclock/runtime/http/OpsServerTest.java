package io.waterclock.runtime.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.runtime.CountsOnly;
import io.waterclock.runtime.metrics.Metrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.TaskId;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
final class OpsServerTest {
  private final HealthBoard board =
      new HealthBoard(
          System::nanoTime,
          Optional::empty,
          Optional::empty,
          () -> Duration.ofDays(1),
          () -> Duration.ofDays(1));

  private final Metrics metrics = new Metrics(InstantSource.system(), () -> true, 3);
  private final TaskQueries tasks = new TaskQueries();

  @SuppressWarnings("NullAway.Init") // started before each test
  private OpsServer server;

  @BeforeEach
  void start() throws IOException {
    server = OpsServer.bind("127.0.0.1", 0);
    server.serve(board, metrics, queries("one"), List.of("scheduler.example.com:8085"));
  }

  private Queries queries(String instance) {
    return new Queries(
        new Queries.Instance(instance, "10.0.0.6:8085", "waterclock-scheduler", 3),
        InstantSource.system(),
        tasks,
        id -> Optional.of("10.0.0.7:8085"));
  }

  @AfterEach
  void stop() {
    server.close();
    metrics.close();
  }

  @Test
  void good_health_is_200() throws Exception {
    assertThat(ask("GET", "/ready").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/live").body()).isEqualTo("ok\n");
    assertThat(ask("HEAD", "/live").statusCode()).isEqualTo(200);
  }

  @Test
  void bad_health_is_503_with_the_reasons() throws Exception {
    board.assigned(new TaskId(0, 3), new CountsOnly(), Instant.EPOCH);
    HttpResponse<String> answer = ask("GET", "/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("task 0_3 has not read its input to the end yet\n");
    assertThat(ask("HEAD", "/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void metrics_are_text_that_prometheus_reads() throws Exception {
    HttpResponse<String> answer = ask("GET", "/metrics");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body()).contains("\nwaterclock_ready 1.0\n", "\nwaterclock_partitions 3.0\n");
  }

  @Test
  void other_pages_and_methods_are_refused() throws Exception {
    assertThat(ask("GET", "/ready/now").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").body())
        .isEqualTo(
            "{\"title\":\"No such page\",\"status\":404,\"detail\":\"Try /ready, /live, /metrics,"
                + " /partitions or /schedules/ID.\"}\n");
    assertThat(ask("DELETE", "/live").statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/watchdog").headers().firstValue("Allow")).contains("POST");
    assertThat(ask("POST", "/partitions").headers().firstValue("Allow")).contains("GET");
    assertThat(ask("PUT", "/schedules/a").headers().firstValue("Allow")).contains("GET");
  }

  /** Two hundred clients that begin a request and go no further, and one question in between. */
  @Test
  void idle_connections_do_not_keep_a_probe_from_its_answer() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        idle.add(socket);
        socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: ".getBytes(UTF_8));
        if (i % 20 == 3) {
          assertThat(ask("GET", "/live").statusCode()).isEqualTo(200);
        }
      }
      assertThat(ask("GET", "/ready").statusCode()).isEqualTo(200);
      assertThat(ask("GET", "/metrics").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void one_connection_too_many_closes_the_oldest() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 65; i++) {
        idle.add(connect());
      }
      assertThat(idle.get(0).getInputStream().read()).isEqualTo(-1);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  /** A byte now and then keeps no connection open. */
  @Test
  void a_request_that_takes_too_long_is_ended() throws Exception {
    server.close();
    server = OpsServer.bind("127.0.0.1", 0, Duration.ofSeconds(1));
    server.serve(board, metrics, queries("one"), List.of());
    try (Socket slow = connect()) {
      slow.getOutputStream().write("GET /live HTTP/1.1\r\nHost: ".getBytes(UTF_8));
      Awaitility.await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () -> {
                            slow.getOutputStream().write('a');
                            slow.getOutputStream().flush();
                          })
                      .isInstanceOf(IOException.class));
    }
  }

  /** Who asks for much and reads nothing has the thread of no other. */
  @Test
  void readers_that_do_not_read_keep_nobody_from_an_answer() throws Exception {
    server.close();
    server = OpsServer.bind("127.0.0.1", 0);
    server.serve(board, metrics, queries("a long name".repeat(1_000_000)), List.of());
    List<Socket> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1_024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        readers.add(socket);
        socket
            .getOutputStream()
            .write("GET /partitions HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
        assertThat(socket.getInputStream().read()).isEqualTo('H'); // it is being answered
      }
      assertThat(ask("GET", "/live").statusCode()).isEqualTo(200);
      assertThat(ask("GET", "/metrics").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : readers) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.2.3.4:8085",
        "[::1]:8085",
        "localhost:1",
        "LocalHost",
        "scheduler.example.com",
        "Scheduler.Example.com:80"
      })
  void a_known_host_is_answered(String host) throws Exception {
    assertThat(raw("GET /live HTTP/1.1\r\nHost: " + host)).startsWith("HTTP/1.1 200");
  }

  /** A name that a stranger resolves to this address makes a browser its messenger. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "scheduler.example.com.evil.example:8085"
      })
  void another_host_is_refused(String host) throws Exception {
    assertThat(raw("GET /live HTTP/1.1\r\nHost: " + host))
        .startsWith("HTTP/1.1 421")
        .contains("health.hosts");
    assertThat(raw("POST /watchdog HTTP/1.1\r\nHost: " + host)).startsWith("HTTP/1.1 421");
  }

  @Test
  void a_request_without_a_host_is_refused() throws Exception {
    assertThat(raw("GET /live HTTP/1.0")).contains(" 421 ");
  }

  @Test
  void a_page_of_another_origin_changes_nothing() throws Exception {
    String post = "POST /watchdog HTTP/1.1\r\nHost: localhost:8085";
    assertThat(raw(post + "\r\nOrigin: http://localhost:8086")).startsWith("HTTP/1.1 403");
    assertThat(raw(post + "\r\nOrigin: http://evil.example")).startsWith("HTTP/1.1 403");
    assertThat(raw(post + "\r\nOrigin: null")).startsWith("HTTP/1.1 403");
    String own = "\r\nOrigin: http://localhost:8085";
    assertThat(raw(post + own + "\r\nOrigin: http://evil.example")).startsWith("HTTP/1.1 403");
    assertThat(raw(post + own)).startsWith("HTTP/1.1 202");
    assertThat(raw(post)).startsWith("HTTP/1.1 202");
  }

  @Test
  void a_path_that_cannot_be_read_is_refused() throws Exception {
    assertThat(raw("GET /schedules/%zz HTTP/1.1\r\nHost: localhost")).contains(" 40");
    assertThat(raw("nonsense")).contains(" 400 ");
    assertThat(ask("GET", "/live").statusCode()).isEqualTo(200);
  }

  @Test
  void a_port_that_is_taken_is_refused() {
    assertThatThrownBy(() -> OpsServer.bind("127.0.0.1", server.port()))
        .isInstanceOf(IOException.class);
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  /** Sends the head of a request as it stands, and reads all that comes back. */
  private String raw(String head) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write((head + "\r\n\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}

package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that come from somewhere else, are wrong, slow or too large. */
final class ConsoleRequestsTest extends ConsolePages {
  private static final String PAUSE = "{\"id\":\"ops/backup\",\"action\":\"pause\"}";

  private static HttpResponse<String> post(String token, String body, String... headers)
      throws IOException, InterruptedException {
    return send("/api/v1/commands", token, body, headers);
  }

  @Test
  void request_without_a_known_token_is_refused() throws Exception {
    assertThat(get("/api/v1/overview", "wrong").statusCode()).isEqualTo(401);
    assertThat(get("/api/v1/events", "wrong").statusCode()).isEqualTo(401);
  }

  @Test
  void command_needs_role_token_against_forgery_and_own_origin() throws Exception {
    String viewer = VIEWER;
    String operator = OPERATOR;
    String token = csrf(operator);
    assertThat(post(viewer, PAUSE, "X-CSRF-Token", csrf(viewer)).statusCode()).isEqualTo(403);
    assertThat(post(operator, PAUSE).statusCode()).isEqualTo(403);
    assertThat(post(operator, PAUSE, "X-CSRF-Token", csrf(viewer)).statusCode()).isEqualTo(403);
    assertThat(
            post(operator, PAUSE, "X-CSRF-Token", token, "Origin", "http://evil.example.com")
                .statusCode())
        .isEqualTo(403);
    assertThat(status("ops/backup").getPause()).isNull();
    assertThat(post(operator, "{\"id\":\"ops/none\",\"action\":\"pause\"}", "X-CSRF-Token", token))
        .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(404));
    for (String wrong :
        List.of(
            "",
            "[",
            "{}",
            "{\"id\":\"a b\",\"action\":\"pause\"}",
            "{\"id\":\"ops/backup\",\"action\":\"explode\"}",
            "{\"id\":\"ops/backup\",\"action\":\"skip\",\"occurrence\":\"soon\"}",
            "{\"id\":\"ops/backup\",\"action\":\"backfill\",\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}")) {
      HttpResponse<String> answer = post(operator, wrong, "X-CSRF-Token", token);
      assertThat(answer.statusCode()).as(wrong + ": " + answer.body()).isEqualTo(400);
      assertThat(JSON.readTree(answer.body()).path("detail").asText()).as(wrong).isNotEmpty();
    }
  }

  @Test
  void page_under_a_foreign_host_name_is_refused() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running().console.port())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n"
                  .getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 421");
    }
  }

  @Test
  void every_answer_forbids_foreign_scripts_and_frames() throws Exception {
    for (String path : List.of("/", "/app.js", "/api/v1/overview", "/nothing")) {
      HttpResponse<String> answer = get(path, VIEWER);
      Optional<String> policy = answer.headers().firstValue("Content-Security-Policy");
      assertThat(policy.orElse(""))
          .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
  }

  @Test
  void description_of_the_api_names_every_path_that_answers() throws Exception {
    JsonNode paths = JSON.readTree(get("/api/openapi.json", VIEWER).body()).path("paths");
    List<String> named = new ArrayList<>();
    paths.fieldNames().forEachRemaining(named::add);
    for (String path : named) {
      if (paths.path(path).has("post")) {
        HttpResponse<String> answer = change(path.substring("/api/v1/".length()), EDITOR, "{}");
        assertThat(answer.statusCode())
            .as(path + ": " + answer.body())
            .isEqualTo(path.endsWith("/audit") ? 202 : 400);
        assertThat(send(path, EDITOR, "{}").statusCode())
            .as(path + " without the token against forgery")
            .isEqualTo(403);
      } else if (!path.endsWith("/events")) {
        String query = "?id=ops/backup&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
        int status = get(path + query, OPERATOR).statusCode();
        assertThat(status).as(path).isEqualTo(path.endsWith("/job") ? 404 : 200);
      }
    }
    assertThat(get("/api/v1/none", VIEWER).statusCode()).isEqualTo(404);
    assertThat(change("none", EDITOR, "{}").statusCode()).isEqualTo(404);
  }

  /** Twenty senders that stop in the middle of a body; the console has twelve threads. */
  @Test
  @Tag("all")
  void slow_bodies_hold_no_thread_and_end_with_408() throws Exception {
    String token = csrf(EDITOR);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), running().console.port());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                ("POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
                        + "Content-Type: application/json\r\nAuthorization: Bearer "
                        + EDITOR
                        + "\r\nX-CSRF-Token: "
                        + token
                        + "\r\n\r\n{")
                    .getBytes(UTF_8));
      }
      assertThat(get("/api/v1/session", VIEWER).statusCode()).isEqualTo(200);
      slow.get(0).setSoTimeout(60_000);
      assertThat(new String(slow.get(0).getInputStream().readAllBytes(), UTF_8))
          .as("what the console says after ten seconds")
          .startsWith("HTTP/1.1 408");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void what_a_page_loads_is_small() throws Exception {
    long bytes = 0;
    for (String file :
        List.of(
            "/",
            "/console.css",
            "/icon.svg",
            "/app.js",
            "/api.js",
            "/ui.js",
            "/times.js",
            "/overview.js",
            "/problems.js",
            "/schedules.js",
            "/schedule.js",
            "/load.js",
            "/jobs.js",
            "/bulk.js",
            "/edit.js",
            "/whatif.js",
            "/audit.js",
            "/lib/preact.min.umd.js",
            "/lib/hooks.umd.js",
            "/lib/uPlot.iife.min.js",
            "/lib/uPlot.min.css")) {
      HttpResponse<String> answer = get(file, VIEWER, "Accept-Encoding", "gzip");
      assertThat(answer.statusCode()).as(file).isEqualTo(200);
      bytes += answer.headers().firstValueAsLong("Content-Length").orElseThrow();
    }
    assertThat(bytes).as("compressed, as it travels").isLessThan(80_000);
  }

  @Test
  void browser_keeps_a_file_until_it_changes() throws Exception {
    HttpResponse<String> plain = get("/app.js", VIEWER);
    String tag = plain.headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again = get("/app.js", VIEWER, "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    HttpResponse<String> packed = get("/app.js", VIEWER, "Accept-Encoding", "gzip");
    assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(packed.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isLessThan(plain.headers().firstValueAsLong("Content-Length").orElseThrow() / 2);
    assertThat(packed.headers().firstValue("ETag")).isPresent().isNotEqualTo(Optional.of(tag));
  }
}

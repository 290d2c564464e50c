package io.waterclock.connect.webhook;

import static io.waterclock.connect.webhook.TaskRig.P0;
import static io.waterclock.connect.webhook.TaskRig.P1;
import static io.waterclock.connect.webhook.TaskRig.settings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.connect.TestFires;
import io.waterclock.connect.rules.HttpHeader;
import io.waterclock.connect.rules.Signature;
import io.waterclock.connect.webhook.WebhookServer.Received;
import io.waterclock.connect.webhook.WebhookServer.Reply;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task against a real HTTP server on this machine. */
class WebhookSinkTaskTest {
  private final WebhookServer server = WebhookServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private static Fire fire(String id, int minute) {
    return fire(id, minute, schedule -> {});
  }

  private static Fire fire(String id, int minute, Consumer<Schedule> definition) {
    return TestFires.of(
        id,
        Instant.now().truncatedTo(ChronoUnit.HOURS).plus(minute, ChronoUnit.MINUTES),
        definition);
  }

  private List<String> subjects() {
    return server.received.stream().map(request -> request.attribute("subject")).toList();
  }

  private static void pause(CountDownLatch latch) {
    try {
      if (!latch.await(90, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody opened");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_fire_is_posted_once_with_its_id_and_its_offset_is_committed_then() {
    CountDownLatch open = new CountDownLatch(1);
    server.answering(
        request -> {
          pause(open);
          return Reply.of(204);
        });
    try (TaskRig rig = new TaskRig(settings(server))) {
      Fire fire = fire("a", 0);
      rig.put(P0, fire);
      rig.await(() -> server.received.size() == 1);
      assertThat(rig.committed(P0)).isZero();
      open.countDown();
      rig.await(() -> rig.committed(P0) == 1);
      Received request = server.received.get(0);
      assertThat(request.path()).isEqualTo("/hook");
      assertThat(request.header("idempotency-key")).isEqualTo(fire.getFireId());
      assertThat(request.header("user-agent")).startsWith("waterclock/");
      assertThat(server.received).hasSize(1);
    }
  }

  @Test
  void a_server_that_fails_is_slow_says_429_and_comes_back_gets_each_fire_in_order() {
    AtomicInteger requests = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    server.answering(
        request ->
            switch (requests.getAndIncrement()) {
              case 0 -> Reply.of(500);
              case 1 -> {
                pause(never);
                yield Reply.of(204);
              }
              case 2 -> new Reply(429, Map.of("Retry-After", "1"), "slow down");
              default -> Reply.of(204);
            });
    try (TaskRig rig = new TaskRig(settings(server, "request.timeout.ms", "300"))) {
      Fire first = fire("a", 0);
      Fire second = fire("a", 1);
      rig.put(P0, first, second);
      rig.await(() -> rig.committed(P0) == 2);
      List<String> ids =
          server.received.stream().map(request -> request.header("idempotency-key")).toList();
      assertThat(ids).containsOnly(first.getFireId(), second.getFireId());
      assertThat(ids.indexOf(second.getFireId()))
          .as("failed, slow, asked for a pause, taken")
          .isGreaterThan(ids.lastIndexOf(first.getFireId()))
          .isGreaterThanOrEqualTo(4);
      assertThat(rig.reported).isEmpty();
    } finally {
      never.countDown();
    }
  }

  @Test
  void a_server_that_asks_for_more_patience_than_there_is_gets_no_second_request() {
    server.answering(request -> new Reply(429, Map.of("Retry-After", "3600"), ""));
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.reported.get(0L)).startsWith("HTTP 429; given up after 1 attempt,");
      assertThat(server.received).hasSize(1);
    }
  }

  @Test
  void the_event_is_one_document_so_that_all_of_it_is_signed() {
    try (TaskRig rig = new TaskRig(settings(server, "body", "payload"))) {
      rig.put(P0, fire("a", 0, s -> TestFires.payload(s, "application/json", "{\"n\":1}")));
      rig.await(() -> rig.committed(P0) == 1);
      Received request = server.received.get(0);
      assertThat(request.header("content-type")).startsWith("application/cloudevents+json");
      assertThat(request.header("ce-id")).isEmpty();
      assertThat(request.body()).contains("\"subject\":\"a\"", "\"data\":{\"n\":1}");
    }
  }

  @Test
  void attributes_stand_in_headers_where_that_is_configured() {
    try (TaskRig rig = new TaskRig(settings(server, "mode", "binary", "body", "payload"))) {
      rig.put(P0, fire("a", 0, s -> TestFires.payload(s, "text/plain", "hi")));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(server.received.get(0).header("ce-subject")).isEqualTo("a");
      assertThat(server.received.get(0).body()).isEqualTo("hi");
    }
  }

  @Test
  void a_server_that_is_away_gets_its_fires_when_it_is_back() {
    Map<String, String> settings = settings(server);
    int port = server.port();
    server.close();
    try (TaskRig rig = new TaskRig(settings)) {
      rig.put(P0, fire("a", 0), fire("b", 0));
      rig.put(P0, fire("a", 1));
      assertThat(rig.committed(P0)).isZero();
      try (WebhookServer back = WebhookServer.start(port)) {
        rig.await(() -> rig.committed(P0) == 3);
        assertThat(back.received).hasSize(3);
      }
    }
  }

  @Test
  void schedules_run_side_by_side_and_each_one_after_another() {
    CountDownLatch both = new CountDownLatch(2);
    server.answering(
        request -> {
          both.countDown();
          pause(both);
          return Reply.of(200);
        });
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("a", 0), fire("a", 1), fire("a", 2), fire("b", 0));
      rig.await(() -> rig.committed(P0) == 4);
      assertThat(server.most.get()).isEqualTo(2);
      assertThat(subjects()).containsOnlyOnce("b").hasSize(4);
    }
  }

  @Test
  void no_more_requests_run_at_a_time_than_allowed_and_reading_stops_while_too_much_is_held() {
    CountDownLatch open = new CountDownLatch(1);
    server.answering(
        request -> {
          pause(open);
          return Reply.of(200);
        });
    try (TaskRig rig = new TaskRig(settings(server, "max.in.flight", "3", "max.buffered", "10"))) {
      Fire[] fires = new Fire[20];
      Arrays.setAll(fires, i -> fire("s" + i, 0));
      rig.put(P0, fires);
      rig.await(() -> server.received.size() == 3);
      assertThat(rig.paused).contains(P0);
      open.countDown();
      rig.await(() -> rig.committed(P0) == 20);
      assertThat(server.most.get()).isEqualTo(3);
      assertThat(rig.paused).isEmpty();
    }
  }

  @Test
  void large_fires_count_by_their_bytes_and_a_partition_that_is_new_waits_too() {
    CountDownLatch open = new CountDownLatch(1);
    server.answering(
        request -> {
          pause(open);
          return Reply.of(200);
        });
    try (TaskRig rig = new TaskRig(settings(server, "max.buffered.bytes", "10000"))) {
      rig.assigned.remove(P1);
      rig.put(P0, fire("large", 0, s -> TestFires.payload(s, "text/plain", "x".repeat(20_000))));
      assertThat(rig.paused).containsExactly(P0);
      rig.assigned.add(P1);
      rig.put(P1);
      assertThat(rig.paused).containsExactlyInAnyOrder(P0, P1);
      open.countDown();
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.paused).isEmpty();
    }
  }

  @Test
  void a_receiver_that_fails_stops_the_reading_of_its_partition_alone() {
    AtomicInteger status = new AtomicInteger(503);
    server.answering(
        request -> Reply.of(request.header("ce-subject").equals("failing") ? status.get() : 204));
    Map<String, String> settings = settings(server, "mode", "binary", "max.buffered", "80");
    try (TaskRig rig = new TaskRig(settings)) {
      Fire[] fires = new Fire[11];
      Arrays.setAll(fires, i -> fire("failing", i));
      rig.put(P0, fires);
      assertThat(rig.paused).containsExactly(P0);
      rig.put(P1, fire("well", 0));
      rig.await(() -> rig.committed(P1) == 1);
      assertThat(rig.paused).containsExactly(P0);
      status.set(204);
      rig.await(() -> rig.committed(P0) == 11);
      assertThat(rig.paused).isEmpty();
      assertThat(rig.reported).isEmpty();
    }
  }

  /** The schedule may hold ten fires, and then waits until it holds five. */
  @Test
  void after_a_receiver_has_failed_for_too_long_later_fires_get_one_attempt_or_none_in_a_crowd() {
    server.answering(request -> Reply.of(503));
    Map<String, String> settings =
        settings(server, "mode", "binary", "max.buffered", "80", "retry.timeout.ms", "300");
    try (TaskRig rig = new TaskRig(settings)) {
      Fire[] fires = new Fire[40];
      Arrays.setAll(fires, i -> fire("failing", i));
      rig.put(P0, fires);
      rig.await(() -> rig.committed(P0) == 40);
      assertThat(rig.paused).isEmpty();
      assertThat(List.copyOf(rig.reported.keySet())).as("in order").isSorted().hasSize(40);
      assertThat(rig.reported.get(34L)).contains("not sent", "have failed since");
      List<String> ids = server.received.stream().map(request -> request.header("ce-id")).toList();
      for (int i = 35; i < 40; i++) {
        assertThat(rig.reported.get((long) i)).contains("given up after 1 attempt,");
        assertThat(ids).containsOnlyOnce(fires[i].getFireId());
      }
      assertThat(ids).doesNotContain(fires[34].getFireId());
    }
  }

  @Test
  void a_failure_is_committed_only_after_connect_could_wait_for_its_report() {
    server.answering(request -> Reply.of(404));
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("a", 0));
      Awaitility.await()
          .atMost(Duration.ofSeconds(90))
          .until(
              () -> {
                long committed = rig.committed(P0);
                assertThat(committed).isZero();
                return rig.reported.containsKey(0L);
              });
      assertThat(rig.committed(P0)).isEqualTo(1);
    }
  }

  @Test
  void a_fire_that_a_server_refuses_is_reported_and_the_others_continue() {
    server.answering(
        request ->
            request.attribute("subject").equals("bad")
                ? new Reply(422, Map.of(), "no such  job")
                : Reply.of(200));
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("bad", 0), fire("good", 0), fire("bad", 1));
      rig.putValue(P0, new byte[] {1, 2, 3});
      Fire nameless = fire("none", 0);
      nameless.setScheduleId("");
      rig.putWithoutKey(P0, nameless);
      rig.await(() -> rig.committed(P0) == 5);
      assertThat(rig.reported.keySet()).containsExactlyInAnyOrder(0L, 2L, 3L, 4L);
      assertThat(rig.reported.get(0L)).isEqualTo("HTTP 422: no such job");
      assertThat(rig.reported.get(3L)).contains("Fire cannot be read");
      assertThat(rig.reported.get(4L)).contains("id");
    }
  }

  @Test
  void a_task_that_cannot_read_the_fires_of_its_scheduler_ends_before_them() {
    ObjectNode newer = (ObjectNode) RecordCodecs.fire().toJson(fire("a", 0));
    byte[] json = newer.put("colour", "blue").toString().getBytes(UTF_8);
    byte[] avro = {(byte) 0xc3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
    byte[] registry = {0, 0, 0, 0, 42, 0};
    try (TaskRig rig = new TaskRig(settings(server))) {
      for (byte[] value : List.of(json, avro, registry)) {
        for (Object type : List.of(HeaderNames.FIRE_TYPE, HeaderNames.FIRE_TYPE.getBytes(UTF_8))) {
          assertThatThrownBy(() -> rig.putTyped(P0, value, type))
              .isInstanceOf(ConnectException.class)
              .hasMessageContaining("update the connector");
        }
      }
      assertThat(rig.reported).isEmpty();
      rig.putTyped(P0, registry, "another.type");
      rig.putValue(P0, avro);
      assertThat(rig.reported).as("what is not a fire of a scheduler").hasSize(2);
    }
  }

  @Test
  void without_an_error_reporter_a_failure_stops_the_task_and_loses_nothing() {
    server.answering(request -> Reply.of(404));
    try (TaskRig rig = new TaskRig(settings(server), false)) {
      rig.put(P0, fire("a", 0), fire("a", 1));
      assertThatThrownBy(() -> rig.await(() -> false))
          .hasRootCauseInstanceOf(ConnectException.class)
          .hasMessageContaining("errors.deadletterqueue.topic.name")
          .hasMessageContaining("HTTP 404");
      assertThat(server.received).hasSize(1);
    }
  }

  @Test
  void a_fire_that_takes_too_long_is_given_up_and_reported() {
    server.answering(request -> Reply.of(503));
    try (TaskRig rig = new TaskRig(settings(server, "retry.timeout.ms", "200"))) {
      rig.put(P0, fire("a", 0), fire("b", 0, schedule -> schedule.setTimeoutMs(1L)));
      rig.await(() -> rig.committed(P0) == 2);
      assertThat(rig.reported.get(0L)).matches("HTTP 503; given up after [0-9]+ attempts?, .*");
      assertThat(rig.reported.get(1L)).startsWith("HTTP 503; given up after 1 attempt,");
    }
  }

  @Test
  void an_answer_without_bounds_is_none() {
    server.answering(request -> new Reply(200, Map.of("X", "x".repeat(100_000)), ""));
    try (TaskRig rig = new TaskRig(settings(server, "retry.timeout.ms", "0"))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.reported.get(0L)).contains("Maximum line length limit exceeded");
    }
  }

  /** Each sends bytes for as long as it may, so that no time-out of a socket ends it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n|1000\r\nBODY\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n|BODY",
        "|HTTP/1.1 100 Continue\r\n\r\n",
      })
  void an_answer_without_end_ends_with_the_time_of_its_request(String script) throws Exception {
    String[] parts = script.replace("BODY", "x".repeat(4_096)).split("\\|");
    try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread sender = new Thread(() -> send(endless, parts[0], parts[1]), "endless");
      sender.start();
      Map<String, String> settings =
          settings(server, "request.timeout.ms", "500", "retry.timeout.ms", "0");
      settings.put("url", "http://127.0.0.1:" + endless.getLocalPort() + "/");
      try (TaskRig rig = new TaskRig(settings)) {
        rig.put(P0, fire("a", 0));
        rig.await(() -> rig.committed(P0) == 1);
        assertThat(rig.reported.get(0L)).contains("no answer within PT0.5S");
      }
      sender.join(); // the connection is closed
    }
  }

  private static void send(ServerSocket to, String beginning, String again) {
    try (Socket socket = to.accept()) {
      OutputStream out = socket.getOutputStream();
      out.write(beginning.getBytes(UTF_8));
      byte[] more = again.getBytes(UTF_8);
      while (!to.isClosed()) {
        out.write(more);
      }
    } catch (IOException e) {
      // the reader has closed it
    }
  }

  @Test
  void an_expired_fire_is_not_sent() {
    try (TaskRig rig = new TaskRig(settings(server))) {
      Fire old =
          TestFires.of(
              "a", Instant.parse("2026-01-01T00:00:00Z"), schedule -> schedule.setExpiresMs(1000L));
      rig.put(P0, old, fire("b", 0));
      rig.await(() -> rig.committed(P0) == 2);
      assertThat(subjects()).containsExactly("b");
      assertThat(rig.reported).isEmpty();
    }
  }

  @Test
  void an_internal_address_is_refused_unless_permitted_and_a_redirect_is_not_followed() {
    try (TaskRig rig = new TaskRig(settings(server, "internal.allow", "127.0.0.2"))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.reported.get(0L))
          .isEqualTo(
              "127.0.0.1 is the internal address 127.0.0.1, which internal.allow does not contain");
    }
    server.answering(request -> new Reply(307, Map.of("Location", server.url("/elsewhere")), ""));
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.reported.get(0L)).contains("does not follow redirects");
      assertThat(server.received).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1"})
  void an_internal_address_is_refused_in_whatever_notation(String host) {
    String url = "http://" + host + ":" + server.port() + "/";
    try (TaskRig rig = new TaskRig(Map.of("url", url))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
      assertThat(rig.reported.get(0L)).contains("is the internal address");
      assertThat(server.received).isEmpty();
    }
  }

  @Test
  void a_schedule_names_its_own_url_within_what_is_allowed() {
    String allowed = server.url("/jobs");
    Map<String, String> settings = settings(server, "url.allow", allowed);
    try (TaskRig rig = new TaskRig(settings)) {
      rig.put(
          P0,
          fire("a", 0, s -> s.setLabels(Map.of("webhook-url", server.url("/jobs/1")))),
          fire("b", 0, s -> s.setLabels(Map.of("webhook-url", server.url("/admin")))));
      rig.await(() -> rig.committed(P0) == 2);
      assertThat(server.received).extracting(Received::path).containsExactly("/jobs/1");
      assertThat(rig.reported.get(1L)).contains("which url.allow does not contain");
    }
  }

  @Test
  void basic_and_bearer_are_sent_with_each_request() {
    try (TaskRig rig =
        new TaskRig(
            settings(
                server,
                "auth.type",
                "basic",
                "auth.basic.user",
                "ann",
                "auth.basic.password",
                "sécret"))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
    }
    try (TaskRig rig =
        new TaskRig(settings(server, "auth.type", "bearer", "auth.bearer.token", "t0k"))) {
      rig.put(P0, fire("a", 0));
      rig.await(() -> rig.committed(P0) == 1);
    }
    assertThat(server.received)
        .extracting(request -> request.header("authorization"))
        .containsExactly("Basic YW5uOnPDqWNyZXQ=", "Bearer t0k");
  }

  @Test
  void a_token_of_oauth_is_kept_until_a_server_does_not_take_it() {
    AtomicInteger tokens = new AtomicInteger();
    AtomicInteger valid = new AtomicInteger(1);
    server.answering(
        request ->
            request.path().equals("/token")
                ? new Reply(
                    200,
                    Map.of(),
                    "{\"access_token\":\"t" + tokens.incrementAndGet() + "\",\"expires_in\":3600}")
                : Reply.of(
                    request.header("authorization").equals("Bearer t" + valid.get()) ? 200 : 401));
    try (TaskRig rig =
        new TaskRig(
            settings(
                server,
                "auth.type",
                "oauth2",
                "auth.oauth2.token.url",
                server.url("/token"),
                "auth.oauth2.client.id",
                "my id",
                "auth.oauth2.client.secret",
                "s:ecret",
                "auth.oauth2.scope",
                "hooks"))) {
      rig.put(P0, fire("a", 0), fire("a", 1));
      rig.await(() -> rig.committed(P0) == 2);
      assertThat(tokens).hasValue(1);
      Received token = server.received.get(0);
      assertThat(token.body()).isEqualTo("grant_type=client_credentials&scope=hooks");
      assertThat(token.header("authorization")).isEqualTo("Basic bXkraWQ6cyUzQWVjcmV0");
      valid.set(2);
      rig.put(P0, fire("a", 2));
      rig.await(() -> rig.committed(P0) == 3);
      assertThat(tokens).hasValue(2);
      valid.set(-1);
      rig.put(P0, fire("a", 3));
      rig.await(() -> rig.committed(P0) == 4);
      assertThat(rig.reported.get(3L)).isEqualTo("HTTP 401");
    }
  }

  @Test
  void a_missing_token_is_not_requested_again_for_each_request() {
    AtomicInteger asked = new AtomicInteger();
    server.answering(
        request -> {
          if (request.path().equals("/token?tenant=1")) {
            asked.incrementAndGet();
            return new Reply(503, Map.of(), "later");
          }
          return Reply.of(200);
        });
    try (TaskRig rig =
        new TaskRig(
            settings(
                server,
                "retry.timeout.ms",
                "0",
                "auth.type",
                "oauth2",
                "auth.oauth2.token.url",
                server.url("/token?tenant=1"),
                "auth.oauth2.client.id",
                "id",
                "auth.oauth2.client.secret",
                "s3cret"))) {
      Fire[] fires = new Fire[20];
      Arrays.setAll(fires, i -> fire("s" + i, 0));
      rig.put(P0, fires);
      rig.await(() -> rig.committed(P0) == fires.length);
      assertThat(asked).hasValueLessThan(fires.length);
      assertThat(rig.reported.get(0L))
          .contains("/token returns no token: HTTP 503 later")
          .doesNotContain("s3cret");
    }
  }

  @Test
  void requests_are_signed_over_what_is_sent() {
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    List<String> secrets = List.of("one".repeat(8), "two".repeat(8));
    Fire fire = fire("a", 0);
    try (TaskRig rig =
        new TaskRig(settings(server, "signature.secrets", String.join(",", secrets)))) {
      rig.put(P0, fire);
      rig.await(() -> rig.committed(P0) == 1);
      Received request = server.received.get(0);
      Instant at = Instant.ofEpochSecond(Long.parseLong(request.header("webhook-timestamp")));
      for (HttpHeader signed :
          Signature.of(secrets)
              .headers(fire, URI.create(server.url("/hook")), at, request.body().getBytes(UTF_8))) {
        assertThat(request.header(signed.name())).as(signed.name()).isEqualTo(signed.value());
      }
      assertThat(at).isBetween(before, Instant.now());
    }
  }

  @Test
  void partitions_are_handed_back_with_nothing_running_and_begun_again_by_the_next_owner() {
    CountDownLatch never = new CountDownLatch(1);
    server.answering(
        request -> {
          if (request.attribute("subject").equals("slow")) {
            pause(never);
          }
          return Reply.of(200);
        });
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(P0, fire("quick", 0), fire("slow", 0), fire("slow", 1));
      rig.put(P1, fire("other", 0));
      rig.await(() -> rig.committed(P0) == 1 && rig.committed(P1) == 1);
      rig.task.close(List.of(P0));
      server.answering(request -> Reply.of(200));
      rig.put(P1, fire("other", 1));
      rig.await(() -> rig.committed(P1) == 2);
      assertThat(subjects()).containsExactlyInAnyOrder("quick", "slow", "other", "other");
    } finally {
      never.countDown();
    }
  }

  @Test
  void a_delayed_record_is_for_its_target_and_not_for_a_webhook() {
    RawRecord content = new RawRecord(null, List.of(), null);
    Target alone = new Target("orders", null, TargetValue.FIRE, content);
    Target both = new Target("orders", null, TargetValue.FIRE, null);
    try (TaskRig rig = new TaskRig(settings(server))) {
      rig.put(
          P0,
          fire("retries/billing/1", 0, schedule -> schedule.setTarget(alone)),
          fire("both", 0, schedule -> schedule.setTarget(both)),
          fire("later/1", 0, schedule -> schedule.setTarget(alone)));
      rig.await(() -> rig.committed(P0) == 3);
      assertThat(subjects()).containsExactly("both");
      assertThat(rig.reported).isEmpty();
    }
  }

  @Test
  void a_partition_that_was_paused_and_comes_back_is_read_again() {
    CountDownLatch never = new CountDownLatch(1);
    server.answering(
        request -> {
          pause(never);
          return Reply.of(200);
        });
    try (TaskRig rig = new TaskRig(settings(server, "max.buffered", "10"))) {
      Fire[] fires = new Fire[20];
      Arrays.setAll(fires, i -> fire("s" + i, 0));
      rig.put(P0, fires);
      assertThat(rig.paused).containsExactlyInAnyOrder(P0, P1);
      rig.rebalance(P0, P1);
      assertThat(rig.paused).as("by Connect").containsExactlyInAnyOrder(P0, P1);
      rig.put(P0);
      assertThat(rig.paused).as("what the task held is dropped").isEmpty();
      rig.put(P0, fires);
      rig.rebalance(P1);
      rig.rebalance(P0, P1);
      rig.put(P1, fires);
      assertThat(rig.paused).as("also what was away meanwhile").containsExactlyInAnyOrder(P0, P1);
    } finally {
      never.countDown();
    }
  }

  @Test
  void a_value_that_is_not_bytes_is_refused_with_the_right_converter() {
    try (TaskRig rig = new TaskRig(settings(server))) {
      assertThatThrownBy(() -> rig.putValue(P0, "text"))
          .hasMessageContaining("org.apache.kafka.connect.converters.ByteArrayConverter");
    }
  }
}

package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Role;
import io.waterclock.console.access.Tokens;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Watermark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches a console over a socket, without a broker behind it. */
final class ConsoleServerTest {
  /** A loaded machine may take long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String GET = "GET /api/v1/session HTTP/1.1\r\nHost: localhost\r\n";

  private static final String ANN = "aaaaaaaaaaaaaaaaaaaa";
  private static final String BOB = "bbbbbbbbbbbbbbbbbbbb";

  private static TopicFollower follower;
  private static ConsoleServer.Served served;
  private static ConsoleServer server;

  @BeforeAll
  static void start() throws IOException {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1_000, 100));
    model.write(
        to ->
            to.written(
                "large",
                "waterclock.schedules-0@1",
                Optional.of(
                    Schedule.newBuilder()
                        .setTrigger(new CronTrigger("0 9 * * *"))
                        .setDescription("x".repeat(6 << 20))
                        .build()),
                Instant.EPOCH));
    TopicReader noBroker =
        new TopicReader(
            () -> {
              throw new KafkaException("there is no broker");
            });
    TopicSource source = new TopicSource(noBroker, Topics.ofDefault(), SchemaSource.none());
    follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1_000, InstantSource.system()));
    served =
        new ConsoleServer.Served(
            model,
            follower,
            source,
            Optional.empty(),
            new ConsoleServer.Offer(List.of("console.example.com"), List.of()));
    server = server();
  }

  private static ConsoleServer server() throws IOException {
    return server(served.model());
  }

  private static ConsoleServer server(ReadModel model) throws IOException {
    return server(model, System::nanoTime);
  }

  /** What was taken of an allowance does not come back, however long a loaded machine takes. */
  private static ConsoleServer serverOfStoppedClock() throws IOException {
    return server(served.model(), () -> 0);
  }

  private static ConsoleServer server(ReadModel model, LongSupplier clockNs) throws IOException {
    return ConsoleServer.start(
        new ConsoleServer.Listening(
            "127.0.0.1", 0, AccessRules.forEveryone(Role.EDITOR), new Identification.None("ann")),
        new ConsoleServer.Served(
            model, served.follower(), served.source(), Optional.empty(), served.offer()),
        InstantSource.system(),
        clockNs);
  }

  @AfterAll
  static void stop() {
    server.close();
    follower.close();
  }

  private static Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void write(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
  }

  /** All that comes until the console closes the connection. */
  private static String answer(String request) throws IOException {
    try (Socket socket = socket()) {
      write(socket, request);
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** The client would send its next request on a connection that is closed already. */
  @Test
  void an_answer_before_the_end_of_a_body_says_that_it_ends_the_connection() throws IOException {
    assertThat(
            answer(
                "POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
                    + "Content-Type: application/json\r\n\r\n"))
        .startsWith("HTTP/1.1 4")
        .containsIgnoringCase("\r\nConnection: close\r\n");
  }

  @Test
  void headers_that_do_not_end_keep_no_one_out() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        Socket socket = socket();
        slow.add(socket);
        write(socket, "GET / HTTP/1.1\r\nX-Slow: ");
      }
      assertThat(answer(GET + "Connection: close\r\n\r\n")).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /api/v1/check HTTP/1.1\r\n"
            + "Host: localhost\r\n"
            + "Content-Length: 2\r\n"
            + "Content-Length: 3\r\n\r\n"
            + "{}x",
        "POST /api/v1/check HTTP/1.1\r\n"
            + "Host: localhost\r\n"
            + "Content-Length: 2\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "0\r\n\r\n",
        "POST /api/v1/check HTTP/1.1\r\n"
            + "Host: localhost\r\n"
            + "Transfer-Encoding: chunked, gzip\r\n\r\n"
            + "0\r\n\r\n",
        "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example.com\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /..%2fapp.js HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /%c0%ae%c0%ae/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/schedule?id=%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET /api/v1/schedule?id=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      })
  void request_that_two_readers_could_read_differently_is_refused(String request)
      throws IOException {
    assertThat(answer(request))
        .startsWith("HTTP/1.1 400")
        .contains("default-src 'none'", "application/problem+json")
        .doesNotContain("HTTP/1.1 200");
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Type: application/json, 400",
    "Content-Type: Application/JSON; charset=utf-8, 400",
    "Content-Type: application/jsonx, 403",
    "Content-Type: application/json/x, 403",
    "Content-Type: text/plain, 403",
    "Content-Type: application/json|Origin: http://localhost, 400",
    "Content-Type: application/json|Origin: http://localhost|Origin: http://evil.example, 403",
    "Content-Type: application/json|Sec-Fetch-Site: same-origin|Sec-Fetch-Site: cross-site, 403",
  })
  void change_needs_one_origin_and_exactly_the_media_type_of_json(String headers, String status)
      throws IOException {
    try (Socket socket = socket()) {
      String token = token(socket);
      String head =
          "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
              + ("X-CSRF-Token: " + token + "\r\n")
              + headers.replace("|", "\r\n");
      write(socket, head + "\r\n\r\n{}");
      assertThat(reader(socket).readLine()).contains(" " + status + " ");
    }
  }

  /**
   * Two requests of 2 ms each, 600 times, are less than the allowance of 4 s, none of which comes
   * back.
   */
  @Test
  @Tag("all")
  void work_for_a_body_that_comes_late_is_paid_by_its_sender() throws IOException {
    String body = "{\"id\":\"a\",\"definition\":{\"cron\":\"* * * * * *\"}}";
    try (ConsoleServer other = serverOfStoppedClock();
        Socket late = new Socket(InetAddress.getLoopbackAddress(), other.port());
        Socket meanwhile = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      BufferedReader answers = reader(late);
      BufferedReader sessions = reader(meanwhile);
      write(meanwhile, GET + "\r\n");
      String token = body(sessions).replaceFirst(".*\"csrf\":\"(\\w+)\".*", "$1");
      String beginning =
          "POST /api/v1/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "X-CSRF-Token: %s\r\nContent-Length: %d\r\n\r\n".formatted(token, body.length());
      String status = "HTTP/1.1 200 OK";
      for (int i = 0; i < 600 && status.endsWith("200 OK"); i++) {
        write(late, beginning + body.substring(0, body.length() - 1));
        write(meanwhile, GET + "\r\n");
        body(sessions); // by now, the server waits for the end of the other body
        write(late, body.substring(body.length() - 1));
        status = answers.readLine();
        body(answers);
      }
      assertThat(status).contains(" 503 ");
    }
  }

  /** A page without one of its files stays blank. */
  @Test
  @Tag("all")
  void files_of_pages_come_however_much_was_asked_from_the_same_address() throws IOException {
    try (ConsoleServer other = serverOfStoppedClock();
        Socket flood = new Socket(InetAddress.getLoopbackAddress(), other.port());
        Socket page = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      BufferedReader answers = reader(flood);
      String status = "HTTP/1.1 200 OK";
      for (int i = 0; i < 20_000 && status.endsWith("200 OK"); i++) {
        write(flood, GET + "\r\n");
        status = answers.readLine();
        body(answers);
      }
      assertThat(status).contains(" 503 ");
      BufferedReader files = reader(page);
      for (String file : List.of("/", "/app.js", "/lib/preact.min.umd.js", "/console.css")) {
        write(page, "GET " + file + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(files.readLine()).as(file).isEqualTo("HTTP/1.1 200 OK");
        body(files);
      }
      write(page, "GET /app.js HTTP/1.1\r\nHost: evil.example.com\r\n\r\n");
      assertThat(files.readLine()).doesNotContain(" 200 ");
    }
  }

  @Test
  void a_connection_that_just_got_a_file_is_not_the_one_that_waits_longest() throws IOException {
    String file = "GET /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    List<Socket> idle = new ArrayList<>();
    try (ConsoleServer other = server();
        Socket page = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      BufferedReader files = reader(page);
      for (int i = 0; i < 256; i++) {
        if (i == 255) { // the bound is reached: one more connection closes one
          write(page, file);
          assertThat(files.readLine()).contains(" 200 ");
          body(files);
        }
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), other.port());
        idle.add(socket);
        write(socket, GET + "X: ");
      }
      await().atMost(PATIENCE).until(() -> isOneClosed(idle));
      write(page, file);
      assertThat(files.readLine()).contains(" 200 ");
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  /** Four of the longest bodies of one person may be in memory; 256 would be 512 MB. */
  @Test
  @Tag("all")
  void bodies_of_requests_have_a_bound_in_bytes() throws IOException {
    List<Socket> open = new ArrayList<>();
    try (ConsoleServer other = server()) {
      for (int i = 0; i < 6; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), other.port()));
      }
      String token = token(open.get(0));
      List<BufferedReader> answers = new ArrayList<>();
      for (Socket socket : open) {
        answers.add(reader(socket));
        write(socket, change("preview", token, 2 << 20) + "{");
      }
      List<String> statuses = new ArrayList<>();
      for (BufferedReader each : answers) {
        statuses.add(each.readLine().substring("HTTP/1.1 ".length(), 12));
      }
      assertThat(statuses)
          .containsOnly("408", "503")
          .areExactly(2, new Condition<>("503"::equals, "503"));
      try (Socket next = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
        write(next, change("preview", token, 2 << 20) + "{}" + " ".repeat((2 << 20) - 2));
        assertThat(reader(next).readLine()).as("there is room again").contains(" 400 ");
      }
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  void answers_that_are_not_read_have_a_bound_in_bytes() throws IOException {
    String ask = "GET /api/v1/schedule?id=large HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (ConsoleServer other = server();
        Socket second = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      try (Socket slow = new Socket()) {
        slow.setReceiveBufferSize(1_024);
        slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), other.port()));
        write(slow, ask);
        assertThat(slow.getInputStream().read()).as("it is being answered").isEqualTo('H');
        BufferedReader answers = reader(second);
        write(second, ask);
        assertThat(answers.readLine()).contains(" 503 ");
        body(answers);
        write(second, GET + "\r\n");
        assertThat(answers.readLine()).as("a small answer").contains(" 200 ");
        body(answers);
      }
      BufferedReader answers = reader(second);
      String status = "";
      while (!status.contains(" 200 ")) { // until the console knows that the other is gone
        write(second, ask);
        status = answers.readLine();
        body(answers);
      }
    }
  }

  @Test
  void events_that_are_not_read_count_as_answers_that_are_not_read() throws IOException {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1_000, 100));
    IntStream.range(0, 4_000)
        .mapToObj(ConsoleServerTest::largeWatermark)
        .forEach(row -> model.write(to -> to.watermark(row)));
    String ask = "GET /api/v1/overview HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (ConsoleServer other = server(model);
        Socket second = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      BufferedReader answers = reader(second);
      try (Socket slow = new Socket()) {
        slow.setReceiveBufferSize(1_024);
        slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), other.port()));
        write(slow, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(slow.getInputStream().read()).as("an event comes").isEqualTo('H');
        write(second, ask);
        assertThat(answers.readLine()).contains(" 503 ");
        body(answers);
      }
      String status = "";
      while (!status.contains(" 200 ")) { // until the console knows that the other is gone
        write(second, ask);
        status = answers.readLine();
        body(answers);
      }
    }
  }

  /** In JSON, 3 kB. */
  private static Watermark largeWatermark(int partition) {
    String text = "\u0001".repeat(255);
    return Watermark.newBuilder()
        .setPartition(partition)
        .setDecidedThrough(Instant.EPOCH)
        .setWrittenAt(Instant.EPOCH)
        .setInstance(text)
        .setTzdb(text)
        .setLive(0)
        .setCatchingUp(0)
        .setFired(0)
        .setMissed(0)
        .setWalked(0)
        .setRepaired(0)
        .setFaulted(0)
        .setRejected(0)
        .build();
  }

  /** Who watches on is identified anew: the login may have ended meanwhile. */
  @Test
  void a_stream_of_events_ends_after_some_minutes_between_two_events() throws IOException {
    AtomicLong ns = new AtomicLong();
    try (ConsoleServer other = server(served.model(), ns::get);
        Socket page = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
      BufferedReader answer = reader(page);
      write(page, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(answer.readLine()).contains(" 200 ");
      String line = answer.readLine();
      while (!line.startsWith("event: ")) {
        line = answer.readLine();
      }
      ns.set(Duration.ofMinutes(6).toNanos());
      List<String> rest = new ArrayList<>();
      for (int i = 0; i < 40 && !line.equals("0"); i++) {
        line = answer.readLine();
        rest.add(line);
      }
      assertThat(line).as("the end of a body of chunks").isEqualTo("0");
      assertThat(rest.stream().filter(one -> one.startsWith("data: ")).count())
          .as("each event is whole")
          .isEqualTo(1 + rest.stream().filter(one -> one.startsWith("event: ")).count());
      assertThat(answer.readLine()).isEmpty();
      write(page, GET + "\r\n");
      assertThat(answer.readLine()).as("the connection goes on").contains(" 200 ");
    }
  }

  /** The console cannot see from an answer without a body that its receiver has gone. */
  @Test
  void asking_for_the_head_of_the_events_takes_no_place_of_those_who_watch() throws IOException {
    try (ConsoleServer other = server()) {
      for (int i = 0; i < 33; i++) {
        assertThat(events("HEAD", other)).doesNotContain(" 503 ");
      }
      assertThat(events("GET", other)).contains(" 200 ");
    }
  }

  private static String events(String method, ConsoleServer of) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), of.port())) {
      write(socket, method + " /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return reader(socket).readLine();
    }
  }

  /** The scheduler does not answer, as no broker is there. */
  @Test
  void changes_of_one_person_that_wait_for_the_scheduler_leave_connections_for_others()
      throws IOException {
    List<Socket> open = new ArrayList<>();
    String command = "{\"id\":\"large\",\"action\":\"pause\"}";
    try (Schedules away = Schedules.builder("127.0.0.1:1").timeout(PATIENCE).build();
        ConsoleServer other = server(away)) {
      for (int i = 0; i < 33; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), other.port()));
      }
      String token = token(open.get(0), ANN);
      for (Socket socket : open) {
        write(socket, change("commands", token, command.length(), ANN) + command);
      }
      await().atMost(PATIENCE).until(() -> answered(open).size() == 1);
      BufferedReader refused = reader(answered(open).get(0));
      assertThat(refused.readLine()).contains(" 503 ");
      body(refused);
      try (Socket page = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
        write(page, GET + "Authorization: Bearer " + BOB + "\r\n\r\n");
        assertThat(reader(page).readLine()).contains(" 200 ");
      }
      assertThat(answered(open)).as("all others wait").isEmpty();
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static List<Socket> answered(List<Socket> sockets) throws IOException {
    List<Socket> found = new ArrayList<>();
    for (Socket socket : sockets) {
      if (socket.getInputStream().available() > 0) {
        found.add(socket);
      }
    }
    return found;
  }

  private static ConsoleServer server(Schedules schedules) throws IOException {
    return ConsoleServer.start(
        new ConsoleServer.Listening(
            "127.0.0.1",
            0,
            AccessRules.parse("operator ann\nviewer bob"),
            new Identification.Bearer(Tokens.parse("ann " + ANN + "\nbob " + BOB))),
        new ConsoleServer.Served(
            served.model(),
            served.follower(),
            served.source(),
            Optional.of(
                new Writing(
                    schedules,
                    Redrive.Brokers.of(Map.of(), Topics.ofDefault()),
                    (name, limit) -> {})),
            served.offer()),
        InstantSource.system());
  }

  /** In memory, this one would take fifty megabytes. */
  @Test
  void a_body_of_too_many_values_is_refused() throws IOException {
    String body = "{\"id\":\"a\",\"x\":[" + "{},".repeat(690_000) + "{}]}";
    try (Socket socket = socket()) {
      write(socket, change("check", token(socket), body.length()) + body);
      BufferedReader answer = reader(socket);
      assertThat(answer.readLine()).contains(" 400 ");
      assertThat(body(answer)).contains("Token count");
    }
  }

  private static String token(Socket socket) throws IOException {
    return token(socket, "");
  }

  private static String token(Socket socket, String bearer) throws IOException {
    write(socket, GET + "Authorization: Bearer " + bearer + "\r\n\r\n");
    return body(reader(socket)).replaceFirst(".*\"csrf\":\"(\\w+)\".*", "$1");
  }

  /** The head of a change. */
  private static String change(String what, String token, int length) {
    return change(what, token, length, "");
  }

  private static String change(String what, String token, int length, String bearer) {
    return ("POST /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "X-CSRF-Token: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n")
        .formatted(what, token, bearer, length);
  }

  /** With or without an answer. */
  private static boolean isOneClosed(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.setSoTimeout(1);
      try {
        socket.getInputStream().read();
        return true;
      } catch (SocketTimeoutException stillOpen) {
        continue;
      } catch (SocketException reset) {
        return true;
      }
    }
    return false;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  /** The body of an answer that says its length. */
  private static String body(BufferedReader in) throws IOException {
    int length = 0;
    for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      if (line.startsWith("Content-Length: ")) {
        length = Integer.parseInt(line.substring("Content-Length: ".length()));
      }
    }
    char[] body = new char[length];
    for (int read = 0; read < length; ) {
      read += in.read(body, read, length - read);
    }
    return new String(body);
  }
}

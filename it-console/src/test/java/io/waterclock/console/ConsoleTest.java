package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The console with a broker and a scheduler, over HTTP and in Chromium. Where there is no Chromium,
 * the tests that need it are skipped.
 */
final class ConsoleTest {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final double PATIENCE_MS = 20_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static @Nullable RunningConsole running;
  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;

  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    setDefaultAssertionTimeout(PATIENCE_MS);
    running = RunningConsole.start(Files.createTempDirectory("console"));
    running.fill();
    await().until(() -> running().schedules.fires("billing/invoices").join().size() >= 4);
    running.report("billing/invoices");
    if (Files.exists(CHROMIUM)) {
      playwright =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(CHROMIUM)
                      .setArgs(
                          List.of(
                              "--no-sandbox",
                              "--disable-gpu",
                              "--no-first-run",
                              "--disable-background-networking",
                              "--disable-component-update",
                              "--disable-sync")));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (playwright != null) {
      playwright.close();
    }
    running().close();
  }

  @AfterEach
  void closePages() {
    contexts.forEach(BrowserContext::close);
    assertThat(errors).isEmpty();
  }

  private static RunningConsole running() {
    return Objects.requireNonNull(running);
  }

  /** A page of a person; a message of the browser's console fails the test. */
  private Page open(String token, String path, Browser.NewContextOptions options) {
    assumeTrue(browser != null, "there is no " + CHROMIUM + ": apt-get install chromium");
    BrowserContext context = Objects.requireNonNull(browser).newContext(options);
    contexts.add(context);
    context.addInitScript("sessionStorage.setItem('waterclock.token', '" + token + "')");
    Page page = context.newPage();
    page.onPageError(errors::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            errors.add(message.text());
          }
        });
    page.navigate(running().address() + path);
    return page;
  }

  private Page open(String token, String path) {
    return open(token, path, new Browser.NewContextOptions().setLocale("en-GB"));
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator dialogButton(Page page, String name) {
    return page.locator("dialog")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static HttpResponse<String> get(String path, String token)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(running().address() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String csrf(String token) throws IOException, InterruptedException {
    return JSON.readTree(get("/api/v1/session", token).body()).path("csrf").asText();
  }

  private static HttpResponse<String> post(String token, String body, String... headers)
      throws IOException, InterruptedException {
    return send("/api/v1/commands", token, body, headers);
  }

  /** A post from the person's own pages. */
  private static HttpResponse<String> change(String path, String token, String body)
      throws IOException, InterruptedException {
    return send("/api/v1/" + path, token, body, "X-CSRF-Token", csrf(token));
  }

  private static JsonNode changed(String path, String token, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = change(path, token, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
    return JSON.readTree(answer.body());
  }

  private static JsonNode ended(JsonNode started) {
    String path = "/api/v1/job?id=" + started.path("job").asText();
    return await()
        .until(
            () -> JSON.readTree(get(path, RunningConsole.EDITOR).body()),
            job -> !List.of("WAITING", "RUNNING").contains(job.path("state").asText()));
  }

  private static HttpResponse<String> send(
      String path, String token, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(running().address() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static final String PAUSE = "{\"id\":\"ops/backup\",\"action\":\"pause\"}";

  @Test
  void request_without_a_known_token_is_refused() throws Exception {
    assertThat(get("/api/v1/overview", "wrong").statusCode()).isEqualTo(401);
    assertThat(get("/api/v1/events", "wrong").statusCode()).isEqualTo(401);
  }

  @Test
  void command_needs_role_token_against_forgery_and_own_origin() throws Exception {
    String viewer = RunningConsole.VIEWER;
    String operator = RunningConsole.OPERATOR;
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
      HttpResponse<String> answer = get(path, RunningConsole.VIEWER);
      Optional<String> policy = answer.headers().firstValue("Content-Security-Policy");
      assertThat(policy.orElse(""))
          .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
  }

  @Test
  void description_of_the_api_names_every_path_that_answers() throws Exception {
    JsonNode paths =
        JSON.readTree(get("/api/openapi.json", RunningConsole.VIEWER).body()).path("paths");
    List<String> named = new ArrayList<>();
    paths.fieldNames().forEachRemaining(named::add);
    for (String path : named) {
      if (paths.path(path).has("post")) {
        HttpResponse<String> answer =
            change(path.substring("/api/v1/".length()), RunningConsole.EDITOR, "{}");
        assertThat(answer.statusCode())
            .as(path + ": " + answer.body())
            .isEqualTo(path.endsWith("/audit") ? 202 : 400);
        assertThat(send(path, RunningConsole.EDITOR, "{}").statusCode())
            .as(path + " without the token against forgery")
            .isEqualTo(403);
      } else if (!path.endsWith("/events")) {
        String query = "?id=ops/backup&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
        int status = get(path + query, RunningConsole.VIEWER).statusCode();
        assertThat(status).as(path).isEqualTo(path.endsWith("/job") ? 404 : 200);
      }
    }
    assertThat(get("/api/v1/none", RunningConsole.VIEWER).statusCode()).isEqualTo(404);
    assertThat(change("none", RunningConsole.EDITOR, "{}").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "definitions | edits/a | {'id':'edits/a','definition':{'every':'1h'}}",
        "delete | reports/daily | {'id':'reports/daily','expected_revision':'x'}",
        "check | reports/daily | {'id':'reports/daily','definition':{'every':'1h'}}",
        "preview | reports/daily | {'id':'reports/daily','delete':true}"
      })
  void definitions_are_for_editors_of_the_id(String path, String id, String body) throws Exception {
    String request = body.replace('\'', '"');
    for (String token : List.of(RunningConsole.VIEWER, RunningConsole.OPERATOR)) {
      assertThat(change(path, token, request).statusCode()).isEqualTo(403);
    }
    String elsewhere = request.replace(id, "reports/other");
    assertThat(change(path, RunningConsole.PARTIAL, elsewhere).statusCode()).isEqualTo(403);
    assertThat(running().schedules.get("reports/other").join()).isEmpty();
  }

  @Test
  void bulk_changes_only_what_a_person_may_change() throws Exception {
    String pause =
        "{\"action\":\"pause\",\"note\":\"n\",\"filter\":{\"where\":\"owner = reports\"}";
    assertThat(change("bulk/count", RunningConsole.VIEWER, pause + "}").statusCode())
        .isEqualTo(403);
    JsonNode counted = changed("bulk/count", RunningConsole.PARTIAL, pause + "}");
    assertThat(counted.path("count").asInt()).isZero();
    assertThat(counted.path("not_allowed").asInt()).isEqualTo(2);
    String digest = counted.path("digest").asText();
    String go = pause + ",\"digest\":\"" + digest + "\"}";
    assertThat(change("bulk", RunningConsole.PARTIAL, go).statusCode()).isEqualTo(400);
    String ids = "{\"action\":\"delete\",\"ids\":[\"reports/daily\",\"ops/backup\"]";
    JsonNode byIds = changed("bulk/count", RunningConsole.PARTIAL, ids + "}");
    assertThat(byIds.path("count").asInt()).isZero();
    assertThat(change("bulk", RunningConsole.PARTIAL, ids + ",\"digest\":\"\"}").statusCode())
        .isEqualTo(400);
    assertThat(status("reports/daily").getPause()).isNull();
    for (String wrong :
        List.of(
            "{\"action\":\"explode\",\"filter\":{}}",
            "{\"action\":\"pause\"}",
            "{\"action\":\"pause\",\"filter\":{\"where\":\"colour = red\"}}",
            "{\"action\":\"pause\",\"filter\":{\"states\":[\"GONE\"]}}",
            "{\"action\":\"skip\",\"filter\":{},\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}")) {
      assertThat(change("bulk/count", RunningConsole.EDITOR, wrong).statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  /** More than 500 commands wait for their answers at a time; a longer run has 10,000 schedules. */
  @Test
  void bulk_carries_out_what_was_counted() throws Exception {
    int many = Integer.getInteger("waterclock.bulk", 700);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      answers.add(
          running().schedules.put("many/" + i, ScheduleBuilder.cron("0 0 1 1 *").label("m", "y")));
    }
    answers.forEach(answer -> answer.join().orThrow());
    String all = "\"filter\":{\"prefix\":\"many/\",\"labels\":{\"m\":\"y\"}}}";
    String pause = "{\"action\":\"pause\",\"note\":\"moving\"," + all;
    JsonNode counted =
        await()
            .until(
                () -> changed("bulk/count", RunningConsole.EDITOR, pause),
                found -> found.path("count").asInt() == many);
    String stale = pause.replace("{\"action", "{\"digest\":\"0\",\"action");
    assertThat(change("bulk", RunningConsole.EDITOR, stale).statusCode()).isEqualTo(409);
    String confirmed = stale.replace("\"0\"", counted.path("digest").toString());
    JsonNode started = changed("bulk", RunningConsole.EDITOR, confirmed);
    assertThat(
            get("/api/v1/job?id=" + started.path("job").asText(), RunningConsole.OPERATOR)
                .statusCode())
        .as("a job is its person's own")
        .isEqualTo(404);
    JsonNode job = ended(started);
    assertThat(job.path("result").path("executed").asInt()).as(job.toString()).isEqualTo(many);
    CommandedPause held = Objects.requireNonNull(status("many/" + (many - 1)).getPause());
    assertThat(held.getAuthor()).isEqualTo("edda");
    assertThat(held.getNote()).isEqualTo("moving");
    String delete = "{\"action\":\"delete\"," + all;
    String digest = changed("bulk/count", RunningConsole.EDITOR, delete).path("digest").toString();
    JsonNode gone =
        ended(
            changed(
                "bulk",
                RunningConsole.EDITOR,
                delete.replace("{\"action", "{\"digest\":" + digest + ",\"action")));
    assertThat(gone.path("result").path("executed").asInt()).as(gone.toString()).isEqualTo(many);
    await()
        .until(
            () ->
                JSON.readTree(get("/api/v1/schedules?prefix=many/", RunningConsole.VIEWER).body())
                        .path("total")
                        .asInt()
                    == 0);
  }

  @Test
  void bulk_page_counts_confirms_and_shows_progress() {
    Page page = open(RunningConsole.OPERATOR, "/#/schedules");
    page.getByLabel("Choose ops/backup").check();
    page.getByLabel("Choose reports/weekly").check();
    page.getByText("Change 2 chosen").click();
    page.getByLabel("Action").selectOption("trigger");
    button(page, "Count what would change").click();
    assertThat(page.getByText("2 schedules would change.")).isVisible();
    button(page, "Fire now: 2 schedules").click();
    dialogButton(page, "Fire now: 2").click();
    assertThat(page.getByText("2 done.")).isVisible();
    assertThat(running().schedules.fires("reports/weekly").join()).isNotEmpty();
  }

  @Test
  void edit_is_refused_if_another_came_first() throws Exception {
    String define =
        "{\"id\":\"edits/race\",\"definition\":{\"cron\":\"%s\"},\"expected_revision\":\"%s\"}";
    String first =
        changed("definitions", RunningConsole.PARTIAL, define.formatted("0 1 * * *", ""))
            .path("revision")
            .asText();
    assertThat(
            change("definitions", RunningConsole.EDITOR, define.formatted("0 2 * * *", ""))
                .statusCode())
        .as("it exists")
        .isEqualTo(409);
    String second =
        changed("definitions", RunningConsole.EDITOR, define.formatted("0 2 * * *", first))
            .path("revision")
            .asText();
    HttpResponse<String> late =
        change("definitions", RunningConsole.EDITOR, define.formatted("0 3 * * *", first));
    assertThat(late.statusCode()).as("at once, before the console has read it").isEqualTo(409);
    assertThat(late.body()).contains(second);
    String delete = "{\"id\":\"edits/race\",\"expected_revision\":\"%s\"}";
    assertThat(change("delete", RunningConsole.EDITOR, delete.formatted(first)).statusCode())
        .isEqualTo(409);
    changed("delete", RunningConsole.PARTIAL, delete.formatted(second));
    assertThat(running().schedules.get("edits/race").join()).isEmpty();
  }

  @Test
  void hostile_definition_is_previewed_within_bounds() throws Exception {
    for (String hostile :
        List.of(
            "{\"every\":\"1ms\"}",
            "{\"cron\":\"* * * * * *\",\"jitter\":\"1s\"}",
            "{\"rrule\":\"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO\"}")) {
      JsonNode preview =
          changed(
              "preview",
              RunningConsole.EDITOR,
              "{\"id\":\"edits/h\",\"definition\":" + hostile + "}");
      assertThat(preview.path("problems")).isEmpty();
      assertThat(preview.path("changes").size()).isLessThanOrEqualTo(200);
      assertThat(preview.path("fires_after").asInt()).isLessThanOrEqualTo(20_000);
      assertThat(preview.has("compared_until")).isEqualTo(!hostile.contains("rrule"));
    }
    String huge =
        "{\"id\":\"edits/h\",\"definition\":{\"every\":\"1h\",\"payload\":\"" + "x".repeat(2 << 20);
    assertThat(change("check", RunningConsole.EDITOR, huge + "\"}}").statusCode()).isEqualTo(413);
    String deep = "[".repeat(5_000);
    assertThat(change("check", RunningConsole.EDITOR, deep).statusCode()).isEqualTo(400);
  }

  /** Twenty senders that stop in the middle of a body; the console has twelve threads. */
  @Test
  void slow_bodies_hold_no_thread() throws Exception {
    String token = csrf(RunningConsole.EDITOR);
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
                        + RunningConsole.EDITOR
                        + "\r\nX-CSRF-Token: "
                        + token
                        + "\r\n\r\n{")
                    .getBytes(UTF_8));
      }
      assertThat(get("/api/v1/session", RunningConsole.VIEWER).statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void what_if_shows_an_outage_a_calendar_and_other_time_zone_data() throws Exception {
    JsonNode down =
        ended(changed("what-if", RunningConsole.EDITOR, "{\"kind\":\"down\",\"hours\":3}"))
            .path("result");
    assertThat(down.path("fires").asInt()).isPositive();
    assertThat(down.path("missed").asInt()).isGreaterThan(1_000);
    String calendar =
        "{\"kind\":\"calendar\",\"prefix\":\"reports/\",\"name\":\"none\",\"days\":7,\"for_all\":true,\"calendar\":{\"weekdays\":[\"MON\"]}}";
    JsonNode monday = ended(changed("what-if", RunningConsole.EDITOR, calendar)).path("result");
    assertThat(monday.path("removed").asInt()).as(monday.toString()).isEqualTo(2);
    JsonNode zones =
        ended(
                changed(
                    "what-if",
                    RunningConsole.EDITOR,
                    "{\"kind\":\"tzdb\",\"prefix\":\"reports/\",\"days\":7,\"version\":\"2099z\"}"))
            .path("result");
    assertThat(zones.path("moved").asInt()).as(zones.toString()).isEqualTo(7);
    for (String wrong :
        List.of(
            "{\"kind\":\"down\",\"hours\":1e9}",
            "{\"kind\":\"flood\"}",
            "{\"kind\":\"tzdb\",\"days\":7,\"version\":\"/etc/passwd\"}",
            calendar.replace("MON", "NOT A DAY"))) {
      assertThat(change("what-if", RunningConsole.EDITOR, wrong).statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  @Test
  void what_if_is_a_table_and_a_file() throws Exception {
    Page page = open(RunningConsole.VIEWER, "/#/what-if");
    button(page, "Compute").click();
    assertThat(page.locator(".words")).containsText("come due");
    assertThat(page.locator("main table")).containsText("billing/invoices");
    Download file = page.waitForDownload(() -> button(page, "Download as CSV").click());
    assertThat(file.suggestedFilename()).isEqualTo("what-if-down.csv");
    assertThat(Files.readString(file.path()))
        .startsWith("schedule,due,fires,missed,catch_up,first_due,last_due\r\n")
        .contains("\r\nbilling/invoices,5400,1,5399,COLLAPSE,");
  }

  @Test
  void audit_finds_nothing_wrong_and_an_occurrence_can_be_followed() {
    Page page = open(RunningConsole.VIEWER, "/#/audit");
    button(page, "Run the audit").click();
    assertThat(page.locator(".verdict")).containsText("fired");
    assertThat(page.locator(".verdict h2")).not().containsText("findings");
    Fire failed = running().schedules.fires("billing/invoices").join().get(3);
    page.navigate(
        running().address()
            + "/#/audit?id=billing%2Finvoices&occurrence="
            + failed.getOccurrence());
    Locator trail = page.locator("section", new Page.LocatorOptions().setHasText("One occurrence"));
    for (String place :
        List.of(
            "waterclock.schedules-",
            "waterclock.revisions-",
            "waterclock.fires-",
            "waterclock.outcomes-")) {
      assertThat(trail.locator("tbody")).containsText(place);
    }
    assertThat(trail.locator("tbody")).containsText("FAILED");
  }

  @Test
  void jobs_show_only_what_a_person_may_see() throws Exception {
    String trail = "{\"id\":\"ops/none\",\"occurrence\":\"2026-01-01T00:00:00Z\"}";
    assertThat(change("trail", RunningConsole.VIEWER, trail).statusCode()).isEqualTo(404);
    assertThat(change("audit", RunningConsole.VIEWER, "{\"id\":\"ops/none\"}").statusCode())
        .isEqualTo(404);
  }

  @Test
  void load_is_shown_by_group_and_with_jitter() {
    Page page = open(RunningConsole.VIEWER, "/#/load");
    page.getByLabel("Group by").selectOption("owner");
    Locator groups = page.locator("section", new Page.LocatorOptions().setHasText("By owner"));
    groups.getByText("billing", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page.getByText("Only owner billing.")).isVisible();
    assertThat(page.locator(".words")).containsText("of 1 active schedules");
    page.getByText("Show all").click();
    page.getByLabel("Jitter").selectOption("5m");
    assertThat(page.locator(".said")).containsText("the fullest minute has");
  }

  @Test
  void revisions_show_what_each_changed_and_hide_payloads() throws Exception {
    running()
        .schedules
        .put("edits/history", ScheduleBuilder.cron("0 1 1 * *").payloadText("s3cret"))
        .join();
    running()
        .schedules
        .put("edits/history", ScheduleBuilder.cron("0 2 1 * *").payloadText("other"))
        .join();
    await()
        .until(
            () ->
                get("/api/v1/revisions?id=edits/history", RunningConsole.OPERATOR)
                    .body()
                    .contains("0 1 1"));
    String viewers = get("/api/v1/revisions?id=edits/history", RunningConsole.VIEWER).body();
    assertThat(viewers).contains("\"hidden\":true").doesNotContain("s3cret", "czNjcmV0");
    Page page = open(RunningConsole.VIEWER, "/#/schedule?id=edits%2Fhistory");
    Locator revisions = page.locator("section", new Page.LocatorOptions().setHasText("2 known"));
    assertThat(revisions.locator(".revision").first()).containsText("0 1 1 * *");
    assertThat(revisions.locator(".revision").first()).containsText("0 2 1 * *");
    running().schedules.delete("edits/history").join();
  }

  @Test
  void backfill_lists_what_it_would_fire() {
    Page page = open(RunningConsole.OPERATOR, "/#/schedule?id=billing%2Finvoices");
    button(page, "Backfill").click();
    assertThat(page.locator("dialog")).containsText("fired before");
    assertThat(page.locator("dialog li").first()).isVisible();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".said")).containsText("the scheduler has begun it");
    assertThat(page.locator("main")).containsText("fired (backfill)");
  }

  @Test
  void new_schedule_is_checked_while_typing_previewed_and_defined() {
    Page page = open(RunningConsole.EDITOR, "/#/edit");
    page.getByLabel("Id", new Page.GetByLabelOptions().setExact(true)).fill("edits/page");
    Locator json = page.getByLabel("Definition as JSON");
    json.fill("{\"cron\":\"0 99 * * *\"}");
    assertThat(page.locator(".why")).containsText("cron");
    assertThat(button(page, "Preview")).isDisabled();
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("30 2 * * *");
    page.getByLabel("Time zone", new Page.GetByLabelOptions().setExact(true)).fill("Europe/Berlin");
    assertThat(json).hasValue(Pattern.compile("\"30 2 \\* \\* \\*\""));
    assertThat(page.getByText("The scheduler’s rules accept it.")).isVisible();
    button(page, "Preview").click();
    Locator preview =
        page.locator("section", new Page.LocatorOptions().setHasText("Occurrences added"));
    assertThat(preview).containsText(Pattern.compile("Occurrences added36[56]"));
    assertThat(preview).containsText("Clock changes");
    button(page, "Define it").click();
    assertThat(page.locator(".why")).containsText("It fires next");
    page.getByText("Edit", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("0 4 * * *");
    button(page, "Preview").click();
    assertThat(page.locator("main"))
        .containsText("Occurrences up to the moment of the edit stay with the definition in force");
    assertThat(page.locator("main")).containsText(Pattern.compile("Occurrences moved36[456]"));
    running().schedules.put("edits/page", ScheduleBuilder.cron("0 5 * * *")).join().orThrow();
    await()
        .until(
            () ->
                get("/api/v1/schedule?id=edits/page", RunningConsole.VIEWER)
                    .body()
                    .contains("0 5 * * *"));
    button(page, "Write the edit").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("has changed since you read it");
    errors.removeIf(error -> error.contains("409"));
    page.navigate(running().address() + "/#/edit?delete=1&id=edits%2Fpage");
    button(page, "Delete it").click();
    assertThat(page.locator("h1")).hasText("Schedules");
    assertThat(running().schedules.get("edits/page").join()).isEmpty();
  }

  @Test
  void viewer_gets_no_payload_and_no_headers() throws Exception {
    String path = "/api/v1/schedule?id=billing/invoices";
    assertThat(get(path, RunningConsole.VIEWER).body()).doesNotContain("s3cret");
    assertThat(get(path, RunningConsole.OPERATOR).body()).contains("s3cret", "s3cret-header");
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
      HttpResponse<String> answer = get(file, RunningConsole.VIEWER);
      assertThat(answer.statusCode()).as(file).isEqualTo(200);
      bytes += answer.body().length();
    }
    assertThat(bytes).isLessThan(200_000);
  }

  private static ScheduleStatus status(String id) {
    return running().schedules.get(id).join().orElseThrow().status().orElseThrow();
  }

  @Test
  void first_screen_says_that_it_fires_and_what_needs_a_person() {
    Page page = open(RunningConsole.VIEWER, "/");
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
        .hasText("Firing");
    Locator problems =
        page.getByRole(AriaRole.REGION)
            .filter(new Locator.FilterOptions().setHasText("ops/cleanup"))
            .first();
    assertThat(problems).containsText("disk is full, see #4711 by ann");
    assertThat(problems).containsText("61 is out of range");
    assertThat(page.locator("main")).containsText("Dead letters");
    page.locator("details summary").first().click();
    assertThat(page.locator("details").first()).containsText("ms");
  }

  @Test
  void first_screen_moves_by_itself() {
    Page page = open(RunningConsole.VIEWER, "/");
    Locator fires =
        page.locator(".tile", new Page.LocatorOptions().setHasText("Fires in the last hour"))
            .locator(".tile-value");
    String before = fires.textContent();
    assertThat(fires).not().hasText(before);
  }

  @Test
  void search_finds_by_label_and_state_and_leads_to_the_schedule() {
    Page page = open(RunningConsole.VIEWER, "/#/schedules");
    assertThat(page.locator("tbody tr")).hasCount(8);
    page.getByLabel("Search").fill("team=MONEY");
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByLabel("Search").fill("");
    page.getByLabel("State").selectOption("REJECTED");
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByText("broken/cron").click();
    assertThat(page.locator(".why")).containsText("Its definition was rejected, so nothing fires");
    page.goBack();
    assertThat(page.getByLabel("State")).hasValue("REJECTED");
  }

  @Test
  void fullest_minute_of_the_week_leads_to_its_schedules() {
    Page page = open(RunningConsole.VIEWER, "/#/load");
    assertThat(page.locator(".heat button").first()).isVisible();
    page.locator(".heat button[tabindex='0']").focus();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("Enter");
    assertThat(page.locator(".heat button[aria-pressed='true']")).isFocused();
    page.locator("section", new Page.LocatorOptions().setHasText("Fullest minutes"))
        .locator("tbody a")
        .first()
        .click();
    assertThat(page.locator("main")).containsText("Due in the minute from");
    assertThat(page.locator("main")).containsText("billing/invoices");
  }

  @Test
  void viewer_is_offered_no_action() throws Exception {
    running().report("billing/invoices");
    Page page = open(RunningConsole.VIEWER, "/#/schedule?id=billing%2Finvoices");
    assertThat(page.locator(".why")).containsText("It fires next");
    assertThat(page.locator("main button, main a.button")).hasCount(0);
    assertThat(page.locator("pre")).not().containsText("s3cret");
    assertThat(page.getByText("Payload and headers are hidden from viewers.")).isVisible();
    assertThat(page.locator(".badge", new Page.LocatorOptions().setHasText("failed")).first())
        .isVisible();
  }

  @ParameterizedTest
  @CsvSource({"otto, " + RunningConsole.OPERATOR, "edda, " + RunningConsole.EDITOR})
  void pause_and_resume_carry_author_and_note(String name, String token) {
    Page page = open(token, "/#/schedule?id=reports%2Fweekly");
    button(page, "Pause").click();
    page.getByLabel("Note").fill("moving house");
    page.keyboard().press("Enter");
    assertThat(page.locator(".why")).containsText("paused by " + name + ": moving house");
    CommandedPause pause = Objects.requireNonNull(status("reports/weekly").getPause());
    assertThat(pause.getAuthor()).isEqualTo(name);
    assertThat(pause.getNote()).isEqualTo("moving house");
    button(page, "Resume").click();
    dialogButton(page, "Resume").click();
    assertThat(page.locator(".why")).containsText("It fires next");
    assertThat(status("reports/weekly").getPause()).isNull();
  }

  @Test
  void manual_fire_names_its_author() {
    Page page = open(RunningConsole.OPERATOR, "/#/schedule?id=reports%2Fdaily");
    button(page, "Fire now").click();
    dialogButton(page, "Fire once").click();
    assertThat(page.locator("main")).containsText("fired (triggered)");
    List<Fire> fires = running().schedules.fires("reports/daily").join();
    assertThat(fires).isNotEmpty();
  }

  @Test
  void skip_leaves_an_occurrence_out_until_it_is_taken_back() {
    Page page = open(RunningConsole.OPERATOR, "/#/schedule?id=ops%2Fbackup");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Skip ")))
        .first()
        .click();
    dialogButton(page, "Skip it").click();
    assertThat(page.getByText("Skipped by commands")).isVisible();
    assertThat(status("ops/backup").getSkips()).hasSize(1);
    page.getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Take back")))
        .click();
    dialogButton(page, "Let it fire").click();
    assertThat(page.getByText("Skipped by commands")).isHidden();
    assertThat(status("ops/backup").getSkips()).isEmpty();
  }

  @Test
  void dialog_closes_on_escape_and_gives_the_focus_back() {
    Page page = open(RunningConsole.OPERATOR, "/#/schedule?id=ops%2Fbackup");
    button(page, "Pause").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(button(page, "Pause")).isFocused();
    assertThat(status("ops/backup").getPause()).isNull();
  }

  @Test
  void keyboard_reaches_the_content_at_once() {
    Page page = open(RunningConsole.VIEWER, "/#/schedules");
    assertThat(page.locator("tbody tr").first()).isVisible();
    page.keyboard().press("Tab");
    assertThat(page.getByText("Skip to the content")).isFocused();
    page.keyboard().press("Enter");
    page.keyboard().press("Tab");
    assertThat(page.getByLabel("Search")).isFocused();
  }

  @Test
  void one_switch_changes_the_zone_of_all_times() {
    Page page =
        open(
            RunningConsole.VIEWER,
            "/#/schedule?id=reports%2Fdaily",
            new Browser.NewContextOptions().setLocale("en-GB").setTimezoneId("America/New_York"));
    Locator next =
        page.locator("section", new Page.LocatorOptions().setHasText("Next"))
            .locator("tbody time")
            .first();
    page.getByLabel("Time zone of all times").selectOption("schedule");
    assertThat(next).containsText("02:30");
    page.getByLabel("Time zone of all times").selectOption("utc");
    assertThat(next).containsText(Pattern.compile("0[01]:30"));
    page.getByLabel("Time zone of all times").selectOption("local");
    assertThat(next).containsText(Pattern.compile("(20|21):30"));
  }

  @Test
  void hostile_text_stays_text() {
    for (String path :
        List.of(
            "/",
            "/#/schedules",
            "/#/schedule?id=hostile%2Fmarkup",
            "/#/schedule?id=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")) {
      Page page = open(RunningConsole.OPERATOR, path);
      if (path.contains("%3Cimg")) {
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("There is no schedule <img src=x");
        errors.removeIf(error -> error.contains("404"));
      } else {
        assertThat(page.locator("main")).containsText(RunningConsole.HOSTILE);
      }
      assertThat(page.locator("main img")).hasCount(0);
      assertThat(page.title()).endsWith("Waterclock");
    }
  }

  @Test
  void person_without_a_token_is_asked_for_one() {
    Page page = open("wrong", "/");
    page.getByLabel("Access token").fill(RunningConsole.VIEWER);
    page.keyboard().press("Enter");
    assertThat(page.getByText("vera, viewer")).isVisible();
    errors.removeIf(error -> error.contains("401"));
  }

  /** In the build two screens have both themes and both widths. */
  static Stream<Arguments> screens() {
    return Stream.of(
            Arguments.of(ColorScheme.LIGHT, 1280),
            Arguments.of(ColorScheme.DARK, 400),
            Arguments.of(ColorScheme.DARK, 1280),
            Arguments.of(ColorScheme.LIGHT, 400))
        .limit(Boolean.getBoolean("waterclock.allScreens") ? 4 : 2);
  }

  @ParameterizedTest
  @MethodSource("screens")
  void no_view_has_a_serious_barrier_or_is_wider_than_the_screen(ColorScheme theme, int width) {
    Browser.NewContextOptions screen =
        new Browser.NewContextOptions()
            .setLocale("en-GB")
            .setTimezoneId("Europe/Berlin")
            .setColorScheme(theme)
            .setViewportSize(width, 900);
    Page page = open(RunningConsole.OPERATOR, "/", screen);
    check(page, "overview", ".plot canvas", theme, width);
    page.navigate(running().address() + "/#/schedules");
    check(page, "schedules", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/schedule?id=billing%2Finvoices");
    check(page, "schedule", ".strip", theme, width);
    page.navigate(running().address() + "/#/load");
    check(page, "load", ".heat button", theme, width);
    page.navigate(running().address() + "/#/schedule?id=billing%2Finvoices");
    button(page, "Pause").click();
    check(page, "dialog", "dialog", theme, width);
    page.navigate(running().address() + "/#/bulk?prefix=ops%2F");
    button(page, "Count what would change").click();
    check(page, "bulk", ".ids", theme, width);
    page.navigate(running().address() + "/#/what-if");
    button(page, "Compute").click();
    check(page, "what-if", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/audit");
    button(page, "Run the audit").click();
    check(page, "audit", ".verdict", theme, width);
    Page edit = open(RunningConsole.EDITOR, "/#/edit?id=reports%2Fdaily", screen);
    edit.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("0 4 * * *");
    button(edit, "Preview").click();
    check(edit, "edit", ".tiles", theme, width);
  }

  private static void check(Page page, String view, String ready, ColorScheme theme, int width) {
    assertThat(page.locator(ready).first()).isVisible();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(
                SCREENSHOTS.resolve(
                    view + "-" + theme.name().toLowerCase(Locale.ROOT) + "-" + width + ".png"))
            .setFullPage(Boolean.getBoolean("waterclock.allScreens")));
    List<Rule> serious =
        new AxeBuilder(page)
                .setLegacyMode(true) // one frame: no second page is needed for the result
                .analyze()
                .getViolations()
                .stream()
                .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                .toList();
    assertThat(serious).as(view + " " + theme + " " + width).isEmpty();
    assertThat(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        .as(view + " is as wide as the screen")
        .isEqualTo(0);
  }
}

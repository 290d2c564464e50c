package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
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
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
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
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static @Nullable RunningConsole running;
  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;

  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
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
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(running().address() + "/api/v1/commands"))
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
    paths
        .fieldNames()
        .forEachRemaining(
            path ->
                assertThat(path)
                    .isIn(
                        "/api/v1/session",
                        "/api/v1/overview",
                        "/api/v1/events",
                        "/api/v1/schedules",
                        "/api/v1/schedule",
                        "/api/v1/load",
                        "/api/v1/commands"));
    for (String path :
        List.of("session", "overview", "schedules", "schedule?id=ops/backup", "load")) {
      assertThat(get("/api/v1/" + path, RunningConsole.VIEWER).statusCode()).isEqualTo(200);
    }
    assertThat(paths).hasSize(7);
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
  void viewer_is_offered_no_action() {
    Page page = open(RunningConsole.VIEWER, "/#/schedule?id=billing%2Finvoices");
    assertThat(page.locator(".why")).containsText("It fires next");
    assertThat(page.locator("main button")).hasCount(0);
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
    Page page =
        open(
            RunningConsole.OPERATOR,
            "/",
            new Browser.NewContextOptions()
                .setLocale("en-GB")
                .setTimezoneId("Europe/Berlin")
                .setColorScheme(theme)
                .setViewportSize(width, 900));
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
  }

  private static void check(Page page, String view, String ready, ColorScheme theme, int width) {
    assertThat(page.locator(ready).first()).isVisible();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(
                SCREENSHOTS.resolve(
                    view + "-" + theme.name().toLowerCase(Locale.ROOT) + "-" + width + ".png")));
    List<Rule> serious =
        new AxeBuilder(page)
            .analyze().getViolations().stream()
                .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                .toList();
    assertThat(serious).as(view + " " + theme + " " + width).isEmpty();
    assertThat(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        .as(view + " is as wide as the screen")
        .isEqualTo(0);
  }
}

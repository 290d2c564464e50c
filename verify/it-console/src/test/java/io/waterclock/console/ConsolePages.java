package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The console with a broker and a scheduler, over HTTP and in Chromium; all classes share one.
 * Where there is no Chromium, the tests that need it are skipped.
 */
@ExtendWith(ConsolePages.Starting.class)
abstract class ConsolePages {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final double PATIENCE_MS = 120_000;
  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static @Nullable Started started;

  private final List<BrowserContext> contexts = new ArrayList<>();
  final List<String> errors = new ArrayList<>();

  /** What the classes share, until the last one has ended. */
  private static final class Started implements AutoCloseable {
    final RunningConsole running;
    final Optional<Playwright> playwright;
    final Optional<Browser> browser;

    Started() {
      setDefaultAssertionTimeout(PATIENCE_MS);
      Awaitility.setDefaultTimeout(Duration.ofMillis((long) PATIENCE_MS));
      try {
        running = RunningConsole.start(Files.createTempDirectory("console"));
        running.fill();
        await().until(() -> running.schedules.fires("billing/invoices").join().size() >= 4);
        running.report("billing/invoices");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ExecutionException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      playwright =
          Files.exists(CHROMIUM)
              ? Optional.of(
                  Playwright.create(
                      new Playwright.CreateOptions()
                          .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))))
              : Optional.empty();
      browser =
          playwright.map(
              own ->
                  own.chromium()
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
                                      "--disable-sync"))));
    }

    @Override
    public void close() throws IOException {
      playwright.ifPresent(Playwright::close);
      running.close();
    }
  }

  /** Starts it before the first class. */
  static final class Starting implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      started =
          context
              .getRoot()
              .getStore(Namespace.create(ConsolePages.class))
              .getOrComputeIfAbsent(Started.class, key -> new Started(), Started.class);
    }
  }

  @AfterEach
  void closePages() {
    contexts.forEach(BrowserContext::close);
    assertThat(errors).isEmpty();
  }

  static RunningConsole running() {
    return Objects.requireNonNull(started).running;
  }

  /** A page of a person; a message of the browser's console fails the test. */
  final Page open(String token, String path, Browser.NewContextOptions options) {
    return open(running(), Optional.of(token), path, options);
  }

  /**
   * The same of any console.
   *
   * @param token empty for a person who is not known yet
   */
  final Page open(
      RunningConsole of, Optional<String> token, String path, Browser.NewContextOptions options) {
    Optional<Browser> browser = Objects.requireNonNull(started).browser;
    assumeTrue(browser.isPresent(), "there is no " + CHROMIUM + ": apt-get install chromium");
    BrowserContext context = browser.orElseThrow().newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.add(context);
    token.ifPresent(
        known ->
            context.addInitScript("sessionStorage.setItem('waterclock.token', '" + known + "')"));
    Page page = context.newPage();
    page.onPageError(errors::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            errors.add(message.text());
          }
        });
    page.navigate(of.address() + path);
    return page;
  }

  final Page open(String token, String path) {
    return open(token, path, new Browser.NewContextOptions().setLocale("en-GB"));
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  static Locator dialogButton(Page page, String name) {
    return page.locator("dialog")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  /** The panel that holds a text. */
  static Locator panel(Page page, String text) {
    return page.locator("section", new Page.LocatorOptions().setHasText(text));
  }

  static HttpResponse<String> get(String path, String token, String... headers)
      throws IOException, InterruptedException {
    return HTTP.send(request(path, token, headers).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path, String token, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(running().address() + path))
            .header("Authorization", "Bearer " + token);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request;
  }

  static String csrf(String token) throws IOException, InterruptedException {
    return JSON.readTree(get("/api/v1/session", token).body()).path("csrf").asText();
  }

  /** A post from the person's own pages. */
  static HttpResponse<String> change(String path, String token, String body)
      throws IOException, InterruptedException {
    return send("/api/v1/" + path, token, body, "X-CSRF-Token", csrf(token));
  }

  static JsonNode changed(String path, String token, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = change(path, token, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
    return JSON.readTree(answer.body());
  }

  static JsonNode ended(JsonNode begun) {
    return ended(begun, RunningConsole.EDITOR);
  }

  static JsonNode ended(JsonNode begun, String token) {
    String path = "/api/v1/job?id=" + begun.path("job").asText();
    return await()
        .until(
            () -> JSON.readTree(get(path, token).body()),
            job -> !List.of("WAITING", "RUNNING").contains(job.path("state").asText()));
  }

  static HttpResponse<String> send(String path, String token, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path, token, headers)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static void answerEvents(Page page, String overview) {
    page.route(
        "**/api/v1/events",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("text/event-stream")
                    .setBody("event: overview\ndata: " + overview + "\n\n")));
  }

  static ScheduleStatus status(String id) {
    return running().schedules.get(id).join().orElseThrow().status().orElseThrow();
  }
}

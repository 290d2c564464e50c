package io.waterclock.bench.http;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Chromium without a window: opens a page and says when it was painted. Not thread-safe. */
public final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Notes when the first element that fits is there. */
  private static final String WATCH =
      "(selector => { const look = () => { if (document.querySelector(selector)) {"
          + " requestAnimationFrame(() => { window.shownAt ??= performance.now(); }); }"
          + " else { requestAnimationFrame(look); } }; look(); })('%s')";

  private static final String FIRST =
      "performance.getEntriesByType('paint').map(e => e.startTime).sort((a, b) => a - b)[0]";

  private final Playwright playwright;
  private final Browser browser;

  /**
   * When a page was painted.
   *
   * @param firstMs anything at all, in milliseconds from the beginning of its navigation
   * @param shownMs what it was opened for
   * @param bytes that were transferred by then, headers included
   */
  public record Paint(double firstMs, double shownMs, long bytes) {}

  /** Starts it. */
  public Chromium() {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(PROGRAM)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  }

  /** Whether it is installed. */
  public static boolean isThere() {
    return Files.isExecutable(PROGRAM);
  }

  /**
   * Opens an address in a profile without a cache, and waits until an element is shown.
   *
   * @param selector without quotation marks
   */
  public Paint open(String address, String selector) {
    try (BrowserContext profile = browser.newContext()) {
      Page page = profile.newPage();
      CDPSession session = profile.newCDPSession(page);
      AtomicLong received = new AtomicLong();
      session.on(
          "Network.responseReceived",
          event -> received.addAndGet(bytes(event.getAsJsonObject("response"))));
      session.on("Network.dataReceived", event -> received.addAndGet(bytes(event)));
      session.send("Network.enable");
      page.addInitScript(WATCH.formatted(selector));
      page.navigate(address);
      page.waitForFunction(
          "window.shownAt",
          null,
          new Page.WaitForFunctionOptions().setTimeout((double) BOUND.toMillis()));
      return new Paint(
          number(page.evaluate(FIRST)), number(page.evaluate("window.shownAt")), received.get());
    }
  }

  private static long bytes(JsonObject transferred) {
    return transferred.get("encodedDataLength").getAsLong();
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  @Override
  public void close() {
    playwright.close(); // and the browser
  }
}

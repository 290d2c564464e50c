package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.HOSTILE;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static java.net.URLEncoder.encode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every page: no markup from a text, no barrier, no page wider than the screen. */
final class EveryPageTest extends ConsolePages {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  @Test
  void hostile_text_stays_text() {
    for (String path :
        List.of(
            "/",
            "/#/dead-letters",
            "/#/schedules",
            "/#/schedule?id=hostile%2Fmarkup",
            "/#/schedule?id=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")) {
      Page page = open(OPERATOR, path);
      if (path.contains("%3Cimg")) {
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("There is no schedule <img src=x");
        errors.removeIf(error -> error.contains("404"));
      } else {
        assertThat(page.locator("main")).containsText(HOSTILE);
      }
      assertThat(page.locator("main img")).hasCount(0);
      assertThat(page.title()).endsWith("Waterclock");
    }
  }

  /** What a page shows of what a person typed, of an answer and of a definition. */
  @Test
  @Tag("all")
  void hostile_input_stays_text() {
    Page bulk = open(OPERATOR, "/#/bulk");
    bulk.getByLabel("Condition").fill(HOSTILE);
    button(bulk, "Count what would change").click();
    assertThat(bulk.getByRole(AriaRole.ALERT)).isVisible();
    bulk.getByLabel("Condition").fill("");
    bulk.getByLabel("Id begins with").fill("hostile/");
    bulk.getByLabel("Action").selectOption("trigger");
    bulk.getByLabel("Note").fill(HOSTILE);
    button(bulk, "Count what would change").click();
    button(bulk, "Fire now: 1 schedule").click();
    dialogButton(bulk, "Fire now: 1").click();
    assertThat(bulk.getByText("1 done.")).isVisible();
    Page whatIf = open(OPERATOR, "/#/what-if");
    whatIf.getByLabel("What happens").selectOption("calendar");
    whatIf.getByLabel("Calendar", new Page.GetByLabelOptions().setExact(true)).fill(HOSTILE);
    button(whatIf, "Compute").click();
    assertThat(whatIf.getByRole(AriaRole.ALERT)).isVisible();
    Page audit = open(OPERATOR, "/#/audit");
    audit.getByLabel("Only this schedule").fill(HOSTILE);
    button(audit, "Run the audit").click();
    assertThat(audit.getByRole(AriaRole.ALERT)).isVisible();
    Page edit = open(EDITOR, "/#/edit?id=hostile%2Fmarkup");
    assertThat(edit.getByLabel("Description")).hasValue(HOSTILE);
    edit.getByLabel("Time zone", new Page.GetByLabelOptions().setExact(true)).fill(HOSTILE);
    assertThat(edit.locator(".why .bad").first()).isVisible();
    for (Page page : List.of(bulk, whatIf, audit, edit)) {
      assertThat(page.locator("main img")).hasCount(0);
      assertThat(page.title()).endsWith("Waterclock");
    }
    errors.removeIf(error -> error.contains("40"));
  }

  /** A text from outside cannot turn what stands beside it around, on any page. */
  @Test
  @Tag("all")
  void marks_of_direction_are_shown_as_what_they_are() {
    String id = "edits/direction";
    running()
        .schedules
        .put(
            id,
            ScheduleBuilder.cron("0 0 1 1 *")
                .owner("eni\u202egnellib")
                .description("pay \u2066ann\u2069\u0000"))
        .join()
        .orThrow();
    running().schedules.command(id, ScheduleCommand.pause("gnellib\u202e", "ann\u200f")).join();
    for (String path : List.of("/#/schedules?prefix=edits%2F", "/#/schedule?id=" + id, "/")) {
      Page page = open(EDITOR, path);
      assertThat(page.locator("main")).containsText(path.equals("/") ? "ann\\u200f" : "\\u202e");
      assertThat((String) page.evaluate("document.documentElement.outerHTML"))
          .doesNotContainPattern("[\u0000\u200f\u202a-\u202e\u2066-\u2069]");
      page.close();
    }
    Page named = open(EDITOR, "/#/schedule?id=gnp%E2%80%AE");
    assertThat(named.getByRole(AriaRole.ALERT)).isVisible();
    assertThat(named.title()).isEqualTo("gnp\\u202e · Waterclock");
    named.close();
    errors.removeIf(error -> error.contains("404"));
    Page edit = open(EDITOR, "/#/edit?id=" + id);
    assertThat(edit.getByLabel("Owner")).hasValue("eni\u202egnellib");
    running().schedules.delete(id).join();
  }

  /** The address of a page comes from outside, too. */
  @Test
  @Tag("all")
  void an_address_that_makes_no_sense_leaves_the_page_alive() {
    for (String occurrence : List.of("javascript:alert(1)", "+999999999-01-01T00:00:00Z", "x")) {
      Page page =
          open(OPERATOR, "/#/audit?id=billing%2Finvoices&occurrence=" + encode(occurrence, UTF_8));
      assertThat(page.locator("main")).containsText(occurrence);
      assertThat(page.locator("main a[href^=javascript]")).hasCount(0);
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Schedules"))
          .first()
          .click();
      assertThat(page.locator("tbody tr").first()).isVisible();
    }
    errors.removeIf(error -> error.contains("40"));
  }

  static Stream<Arguments> screens() {
    return Stream.of(
        Arguments.of(ColorScheme.LIGHT, 1280),
        Arguments.of(ColorScheme.DARK, 1280),
        Arguments.of(ColorScheme.LIGHT, 400),
        Arguments.of(ColorScheme.DARK, 400));
  }

  @ParameterizedTest
  @Tag("all")
  @MethodSource("screens")
  void no_view_has_a_serious_barrier_or_is_wider_than_the_screen(ColorScheme theme, int width) {
    checkViews(theme, width);
  }

  @Test
  @Tag("all")
  void what_one_sees_first_has_no_serious_barrier_on_a_narrow_screen() {
    Page page = open(OPERATOR, "/", screen(ColorScheme.DARK, 400));
    check(page, "overview", ".plot canvas", ColorScheme.DARK, 400);
    page.navigate(running().address() + "/#/problems");
    check(page, "problems", "tbody tr", ColorScheme.DARK, 400);
    page.navigate(running().address() + "/#/schedule?id=billing%2Finvoices");
    check(page, "schedule", ".strip", ColorScheme.DARK, 400);
  }

  @ParameterizedTest
  @Tag("all")
  @MethodSource("screens")
  void logins_have_no_serious_barrier(ColorScheme theme, int width) {
    Page tokens = open(running(), Optional.empty(), "/", screen(theme, width));
    check(tokens, "login-token", ".login input", theme, width);
    tokens.getByLabel("Access token").fill("a token of no one");
    tokens.getByText("Open the console").click();
    check(tokens, "login-token-unknown", ".login .problem", theme, width);
    Page provider = open(running(), Optional.empty(), "/", screen(theme, width));
    provider.route(
        "**/api/v1/session",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(401)
                    .setContentType("application/problem+json")
                    .setBody("{\"title\":\"Who are you?\",\"login\":\"/login\"}")));
    provider.reload();
    check(provider, "login-provider", ".login a.primary", theme, width);
    provider.navigate(running().address() + "/?again#/?login=expired");
    check(provider, "login-provider-expired", ".login .problem", theme, width);
    errors.removeIf(error -> error.contains("401"));
  }

  /** Each page before anything is defined, and while no broker answers. */
  @Test
  @Tag("all")
  void empty_console_and_one_without_a_broker_say_so_on_every_page() throws Exception {
    Map<String, String> pages =
        Map.of(
            "overview", "/#/",
            "problems", "/#/problems",
            "missed", "/#/missed",
            "dead-letters", "/#/dead-letters",
            "schedules", "/#/schedules",
            "load", "/#/load",
            "limits", "/#/limits",
            "what-if", "/#/what-if",
            "audit", "/#/audit");
    try (RunningConsole other = RunningConsole.start(Files.createTempDirectory("console"))) {
      for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        int width = theme == ColorScheme.LIGHT ? 1280 : 400;
        Page page = open(other, Optional.of(OPERATOR), "/", screen(theme, width));
        assertThat(page.locator(".verdict.good")).isVisible();
        pages.forEach(
            (name, path) -> {
              page.navigate(other.address() + path);
              check(page, "empty-" + name, "h1, .verdict", theme, width);
            });
        page.close();
      }
      other.fill();
      other.stopBroker();
      for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        int width = theme == ColorScheme.LIGHT ? 1280 : 400;
        Page page = open(other, Optional.of(OPERATOR), "/", screen(theme, width));
        assertThat(page.getByText("the Kafka brokers do not answer").first()).isVisible();
        pages.forEach(
            (name, path) -> {
              page.navigate(other.address() + path);
              check(page, "away-" + name, "h1, .verdict", theme, width);
              assertThat(page.getByText("the Kafka brokers do not answer").first()).isVisible();
            });
        page.navigate(other.address() + "/#/schedule?id=billing%2Finvoices");
        check(page, "away-schedule", ".why .bad", theme, width);
        assertThat(page.locator(".why .good")).hasCount(0);
        button(page, "Pause").click();
        dialogButton(page, "Pause").click();
        check(page, "away-dialog", "dialog .problem", theme, width);
        assertThat(page.locator("dialog")).not().containsText("ms");
        page.close();
      }
    }
    errors.removeIf(error -> error.contains("50"));
  }

  private static Browser.NewContextOptions screen(ColorScheme theme, int width) {
    return new Browser.NewContextOptions()
        .setLocale("en-GB")
        .setTimezoneId("Europe/Berlin")
        .setColorScheme(theme)
        .setViewportSize(width, 900);
  }

  private void checkViews(ColorScheme theme, int width) {
    Browser.NewContextOptions screen = screen(theme, width);
    Page page = open(OPERATOR, "/", screen);
    check(page, "overview", ".plot canvas", theme, width);
    page.navigate(running().address() + "/#/problems");
    check(page, "problems", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/missed?hours=168");
    check(page, "missed", ".panel", theme, width);
    page.navigate(running().address() + "/#/dead-letters");
    check(page, "dead-letters", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/nonsense");
    check(page, "not-found", ".empty", theme, width);
    page.navigate(running().address() + "/#/schedules");
    check(page, "schedules", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/schedule?id=billing%2Finvoices");
    check(page, "schedule", ".strip", theme, width);
    page.navigate(running().address() + "/#/load");
    check(page, "load", ".heat button", theme, width);
    page.navigate(running().address() + "/#/load?by=limit");
    check(page, "load-by-limit", ".heat button", theme, width);
    page.navigate(running().address() + "/#/limits");
    check(page, "limits", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/schedule?id=billing%2Finvoices");
    button(page, "Pause").click();
    check(page, "dialog", "dialog", theme, width);
    page.keyboard().press("Escape");
    button(page, "Backfill").click();
    check(page, "backfill", "dialog li", theme, width);
    assertThat(
            page.evaluate(
                "[...document.querySelectorAll('dialog input')].map(i => i.getBoundingClientRect())"
                    + ".every((box, at, all) => box.right <= document.querySelector('dialog')"
                    + ".getBoundingClientRect().right && all.slice(at + 1).every(other =>"
                    + " other.left >= box.right || other.top >= box.bottom))"))
        .as("fields of a dialog lie in it and beside each other")
        .isEqualTo(true);
    page.navigate(running().address() + "/#/bulk?prefix=ops%2F");
    button(page, "Count what would change").click();
    check(page, "bulk", ".ids", theme, width);
    page.navigate(running().address() + "/#/what-if");
    button(page, "Compute").click();
    check(page, "what-if", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/audit");
    button(page, "Run the audit").click();
    check(page, "audit", ".verdict", theme, width);
    String fired =
        running().schedules.fires("billing/invoices").join().get(3).getOccurrence().toString();
    page.navigate(running().address() + "/#/audit?id=billing%2Finvoices&occurrence=" + fired);
    check(page, "occurrence", "tbody tr", theme, width);
    page.navigate(running().address() + "/#/schedule?id=hostile%2Fmarkup");
    check(page, "paused", ".why", theme, width);
    Page edit = open(EDITOR, "/#/edit?id=reports%2Fdaily", screen);
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
    assertThat(
            page.evaluate(
                "new Set([...document.querySelectorAll('header nav a')].map(a =>"
                    + " a.offsetTop)).size <= 1"))
        .as(view + " has a menu of one line, or none")
        .isEqualTo(true);
  }
}

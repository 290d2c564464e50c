package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first screen, the list of schedules, and the frame around all pages. */
final class OverviewPageTest extends ConsolePages {
  @Test
  void first_screen_says_that_it_fires_and_what_needs_a_person() {
    Page page = open(VIEWER, "/");
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
  @Tag("all")
  void first_screen_moves_by_itself() {
    Page page = open(VIEWER, "/");
    Locator fires =
        page.locator(".tile", new Page.LocatorOptions().setHasText("Fires in the last hour"))
            .locator(".tile-value");
    String before = fires.textContent();
    assertThat(fires).not().hasText(before);
  }

  @Test
  void search_finds_by_label_and_state_and_leads_to_the_schedule() {
    Page page = open(VIEWER, "/#/schedules");
    assertThat(page.locator("tbody tr")).hasCount(8);
    page.getByLabel("Search").fill("team=MONEY");
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByLabel("Search").fill("berlin");
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByLabel("Search").fill("");
    page.getByLabel("State").selectOption("REJECTED");
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByText("broken/cron").click();
    assertThat(page.locator(".why")).containsText("Its newest definition was rejected");
    assertThat(page.locator(".why")).containsText("No definition was ever accepted");
    page.goBack();
    assertThat(page.getByLabel("State")).hasValue("REJECTED");
  }

  @Test
  @Tag("all")
  void list_is_narrowed_to_what_is_next_due_between_two_instants() {
    Page page = open(VIEWER, "/#/schedules");
    assertThat(page.locator("tbody tr")).hasCount(8);
    page.getByLabel("Next due").selectOption("between");
    page.getByLabel("From").fill("2020-01-01T00:00");
    page.getByLabel("To (").fill("2099-01-01T00:00");
    assertThat(page.getByText("reports/weekly")).isVisible();
    page.getByLabel("From").fill("2098-01-01T00:00");
    assertThat(page.getByText("No schedule fits the filter.")).isVisible();
    page.reload();
    assertThat(page.getByLabel("From")).hasValue("2098-01-01T00:00");
  }

  @Test
  void person_without_a_token_is_asked_for_one() {
    Page page = open("wrong", "/");
    page.getByLabel("Access token").fill(VIEWER);
    page.keyboard().press("Enter");
    assertThat(page.getByText("vera, viewer")).isVisible();
    errors.removeIf(error -> error.contains("401"));
  }

  @Test
  @Tag("all")
  void keyboard_reaches_the_content_at_once() {
    Page page = open(VIEWER, "/#/schedules");
    assertThat(page.locator("tbody tr").first()).isVisible();
    page.keyboard().press("Tab");
    assertThat(page.getByText("Skip to the content")).isFocused();
    page.keyboard().press("Enter");
    page.keyboard().press("Tab");
    assertThat(page.getByLabel("Search")).isFocused();
  }

  @Test
  void address_that_leads_nowhere_says_so() {
    Page page = open(VIEWER, "/#/nonsense");
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
        .hasText("Not found");
    assertThat(page).hasTitle("Not found · Waterclock");
  }

  /** An axis once said 0 ms, 3 min, 7 min for 0, 200 and 400 s. */
  @Test
  @Tag("all")
  void ticks_are_1_2_and_5_of_the_unit_that_people_read() {
    Page page = open(VIEWER, "/");
    assertThat(
            page.evaluate(
                "import('/times.js').then(t => [0, 997, 1000, 1500, 59960, 80e3, 120e3, 3600e3,"
                    + " 5400e3, 7 * 86400e3, 90000e3].map(t.milliseconds).join(', '))"))
        .isEqualTo(
            "0 ms, 997 ms, 1 s, 1.5 s, 1 min, 1 min 20 s, 2 min, 1 h, 1 h 30 min, 7 d, 1 d 1 h");
    assertThat(
            page.evaluate(
                "import('/times.js').then(t => t.TIME_STEPS.every((ms, i) => i === 0 || ms >"
                    + " t.TIME_STEPS[i - 1]) && t.TIME_STEPS.map(t.milliseconds).every(text =>"
                    + " /^[125]0* (ms|s|min|h|d)$/.test(text)))"))
        .isEqualTo(true);
  }

  @Test
  @Tag("all")
  void brokers_that_do_not_answer_are_named_on_every_page() throws Exception {
    String away =
        get("/api/v1/overview", VIEWER)
            .body()
            .replaceFirst("\\{", "{\"unreadable\":\"No Kafka broker answers at kafka:9092.\",");
    for (String path : List.of("/", "/#/schedules", "/#/load")) {
      Page page = open(VIEWER, "/");
      answerEvents(page, away);
      page.navigate(running().address() + path);
      page.reload();
      assertThat(page.getByText("No Kafka broker answers at kafka:9092.").first()).isVisible();
      page.close();
    }
  }

  @Test
  @Tag("all")
  void number_of_missed_leads_to_the_list_of_them() throws Exception {
    String missed =
        get("/api/v1/overview", VIEWER)
            .body()
            .replaceFirst("\"missed\":\\{\\}", "\"missed\":{\"OUT_OF_WINDOW\":1021}");
    Page page = open(VIEWER, "/");
    answerEvents(page, missed);
    page.reload();
    Locator tile =
        page.locator(".tile", new Page.LocatorOptions().setHasText("Missed in the last hour"));
    tile.getByText("1,021 out of window").click();
    assertThat(page.locator("h1")).hasText("Missed occurrences");
    assertThat(page.getByLabel("Reason")).hasValue("OUT_OF_WINDOW");
    assertThat(page.getByText("Nothing was missed, as far as this console remembers.")).isVisible();
  }

  @Test
  @Tag("all")
  void console_without_room_says_so_on_every_page() throws Exception {
    String full =
        get("/api/v1/overview", VIEWER).body().replaceFirst("\\{", "{\"no_room_mb\":100,");
    for (String path : List.of("/", "/#/schedules", "/#/schedule?id=billing%2Finvoices")) {
      Page page = open(VIEWER, "/");
      answerEvents(page, full);
      page.navigate(running().address() + path);
      page.reload();
      assertThat(page.locator(".banner", new Page.LocatorOptions().setHasText("no room")))
          .containsText("in 100 MB: lists, counts and loads are incomplete");
      page.close();
    }
  }
}

package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.waterclock.schemas.avro.Fire;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each page without a mouse, and its times in each zone. */
@Tag("all")
final class KeyboardTest extends ConsolePages {
  private static final Browser.NewContextOptions IN_NEW_YORK =
      new Browser.NewContextOptions().setLocale("en-GB").setTimezoneId("America/New_York");

  @Test
  void each_control_of_a_schedule_is_reached_and_shows_the_focus() {
    assertReached("/#/schedule?id=ops%2Fbackup");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/#/schedules",
        "/#/load",
        "/#/what-if",
        "/#/audit",
        "/#/bulk",
        "/#/edit?id=ops%2Fbackup"
      })
  void each_control_is_reached_and_shows_the_focus(String path) {
    assertReached(path);
  }

  private void assertReached(String path) {
    Page page = open(EDITOR, path);
    assertThat(page.locator("main h1")).isVisible();
    assertThat(page.locator("main .empty[role=status]")).hasCount(0);
    page.keyboard().press("Tab");
    page.keyboard().press("Enter"); // to the content
    page.keyboard().press("Tab");
    String inMain = "document.activeElement.closest('main') !== null";
    String isSeen =
        "(() => { const style = getComputedStyle(document.activeElement);"
            + " return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0; })()";
    int reached = 0;
    while (reached < 40 && page.evaluate(inMain).equals(true)) {
      assertThat(page.evaluate(isSeen))
          .as(path + ": " + page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
          .isEqualTo(true);
      page.keyboard().press("Tab");
      reached++;
    }
    assertThat(reached).as(path).isPositive();
  }

  @Test
  void what_if_is_computed_by_the_enter_key_and_follows_the_zone() {
    Page page = open(VIEWER, "/#/what-if", IN_NEW_YORK);
    page.getByLabel("Id begins with").fill("reports/daily");
    page.getByLabel("Hours from now").fill("30");
    page.keyboard().press("Enter");
    Locator first = page.locator("main tbody tr").first().locator("time").first();
    zones(page, first, "20|21", "0[01]");
  }

  @Test
  void edit_is_previewed_by_the_enter_key_and_follows_the_zone() {
    Page page = open(EDITOR, "/#/edit?id=reports%2Fdaily", IN_NEW_YORK);
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("30 4 * * *");
    page.keyboard().press("Enter");
    Locator after =
        panel(page, "Occurrences added").locator("tbody tr").first().locator("time").last();
    zones(page, after, "22|23", "0[23]");
    page.getByLabel("Time zone of all times").selectOption("schedule");
    assertThat(after).containsText("04:30");
    assertThat(page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)))
        .hasValue("30 4 * * *");
  }

  /** Looks at a time in the zone of the browser and in UTC. */
  private static void zones(Page page, Locator time, String local, String utc) {
    Locator zone = page.getByLabel("Time zone of all times");
    zone.selectOption("local");
    assertThat(time).containsText(Pattern.compile("(" + local + "):30"));
    zone.selectOption("utc");
    assertThat(time).containsText(Pattern.compile(utc + ":30"));
  }

  @Test
  void bulk_action_is_counted_and_confirmed_by_the_enter_key() {
    Page page = open(OPERATOR, "/#/bulk");
    page.getByLabel("Id begins with").fill("reports/");
    page.keyboard().press("Enter");
    assertThat(page.getByText("2 schedules would change.")).isVisible();
    button(page, "Pause: 2 schedules").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(button(page, "Pause: 2 schedules")).isFocused();
  }

  @Test
  void audit_and_one_occurrence_follow_the_zone() {
    Fire fire = running().schedules.fires("billing/invoices").join().get(0);
    Page page =
        open(
            VIEWER,
            "/#/audit?id=billing%2Finvoices&occurrence=" + fire.getOccurrence(),
            IN_NEW_YORK);
    Locator at = panel(page, "One occurrence").locator("tbody time").first();
    page.getByLabel("Time zone of all times").selectOption("utc");
    String utc = at.textContent();
    page.getByLabel("Time zone of all times").selectOption("local");
    assertThat(at).not().hasText(utc);
    page.getByLabel("Only this schedule").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator(".verdict")).containsText("fired");
  }

  @Test
  void load_follows_the_zone() {
    Page page = open(VIEWER, "/#/load", IN_NEW_YORK);
    Locator minute = panel(page, "Fullest minutes").locator("tbody time").first();
    page.getByLabel("Time zone of all times").selectOption("utc");
    String utc = minute.textContent();
    page.getByLabel("Time zone of all times").selectOption("local");
    assertThat(minute).not().hasText(utc);
  }
}

package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.VIEWER;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The load ahead. */
final class LoadPageTest extends ConsolePages {
  @Test
  @Tag("all")
  void fullest_minute_of_the_week_leads_to_its_schedules() {
    Page page = open(VIEWER, "/#/load");
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
  @Tag("all")
  void load_is_shown_by_group_and_with_jitter() {
    Page page = open(VIEWER, "/#/load");
    page.getByLabel("Group by").selectOption("owner");
    Locator groups = page.locator("section", new Page.LocatorOptions().setHasText("By owner"));
    groups.getByText("billing", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page.getByText("Only owner billing.")).isVisible();
    assertThat(page.locator(".words")).containsText("of 1 active schedules");
    page.getByText("Show all").click();
    page.getByLabel("Jitter").selectOption("5m");
    assertThat(page.locator(".said")).containsText("the fullest minute has");
  }
}

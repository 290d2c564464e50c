package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What needs a person: rejected edits, pauses of many, what was missed, what never fires. */
final class ProblemsPageTest extends ConsolePages {
  private static final List<String> PAUSED = List.of("held/a", "held/b", "held/c");
  private static final String EDITED = "edits/rejected";
  private static final String NEVER = "edits/never";

  @BeforeEach
  void define() throws Exception {
    Schedules schedules = running().schedules;
    PAUSED.forEach(
        id -> {
          schedules.put(id, ScheduleBuilder.cron("0 0 1 1 *").owner("held")).join().orThrow();
          schedules.command(id, ScheduleCommand.pause("it's \"moving\"?", "ann")).join().orThrow();
        });
    schedules.put(EDITED, ScheduleBuilder.cron("0 0 1 1 *").owner("held")).join().orThrow();
    schedules.putJson(EDITED, "{\"cron\":\"99 0 1 1 *\"}").join();
    running().excludeAllDays("all-days");
    ScheduleBuilder never = ScheduleBuilder.cron("0 0 1 1 *").owner("held").except("all-days");
    await() // the scheduler refuses it until it has read the calendar
        .until(() -> schedules.put(NEVER, never).join() instanceof Answer.Accepted);
  }

  @AfterEach
  void remove() {
    PAUSED.forEach(id -> running().schedules.delete(id).join());
    running().schedules.delete(EDITED).join();
    running().schedules.delete(NEVER).join();
  }

  @Test
  @Tag("all")
  void pauses_of_one_person_are_one_row_that_leads_to_all_of_them() {
    Page page = open(VIEWER, "/#/problems?owner=held");
    assertThat(page.getByLabel("Owner")).hasValue("held");
    Locator row = page.locator("tbody tr", new Page.LocatorOptions().setHasText("3 schedules"));
    assertThat(row).containsText("it's \"moving\"? by ann");
    assertThat(page.locator("tbody tr").first()).containsText(EDITED);
    page.locator(".chip", new Page.LocatorOptions().setHasText("paused")).click();
    assertThat(page.locator("tbody tr")).hasCount(1);
    row.getByText("3 schedules").click();
    assertThat(page.locator("tbody tr")).hasCount(3);
    assertThat(page.getByLabel("Condition"))
        .hasValue("paused_by = 'ann' and pause_note ~ 'it*s \"moving\"?'");
  }

  @Test
  void rejected_edit_is_in_the_list_of_rejected_and_on_its_page() {
    Page page = open(VIEWER, "/#/schedules?owner=held");
    page.getByLabel("State").selectOption("REJECTED");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tbody tr")).containsText("edit rejected");
    page.getByText(EDITED).click();
    assertThat(page.locator("h1")).containsText("active");
    assertThat(page.locator("h1")).containsText("edit rejected");
  }

  @Test
  @Tag("all")
  void list_is_sorted_by_its_headings_and_its_address_keeps_the_view() {
    Page page = open(OPERATOR, "/#/schedules?owner=held");
    assertThat(page.locator("tbody th a").first()).hasText(NEVER);
    page.locator("thead a", new Page.LocatorOptions().setHasText("State")).click();
    page.locator("thead a", new Page.LocatorOptions().setHasText("State")).click();
    assertThat(page.locator("thead th[aria-sort='descending']")).containsText("State");
    assertThat(page.locator("tbody th a").first()).hasText("held/a");
    page.reload();
    assertThat(page.locator("tbody th a").first()).hasText("held/a");
    page.getByText("Save this view").click();
    assertThat(page.getByText("owner held, by state")).isVisible();
    page.getByLabel("Condition").fill("owner = held and not paused_by");
    assertThat(page.locator("tbody tr")).hasCount(2);
    page.getByText("owner held, by state").click();
    assertThat(page.getByLabel("Condition")).hasValue("");
    assertThat(page.locator("tbody tr")).hasCount(5);
    page.getByText("Choose all of this page").click();
    assertThat(page.getByText("Change 5 chosen")).isVisible();
    page.getByText("Choose all of this page").click();
  }

  @Test
  @Tag("all")
  void schedule_that_never_fires_says_never() {
    Page page = open(VIEWER, "/#/schedules?owner=held&due=never");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tbody tr")).containsText(Pattern.compile(NEVER + ".*never"));
  }

  /** Ten missed in an hour, the same distance apart, before a fire and what is to come. */
  @Test
  @Tag("all")
  void timeline_draws_every_missed_occurrence_to_scale() {
    Page page = open(VIEWER, "/");
    Object drawn =
        page.evaluate(
            "import('/schedule.js').then(s => s.marks({fires: [{occurrence: '2026-11-24T10:00:00Z',"
                + " cause: 'SCHEDULED', outcome: 'FAILED'}],missed: [{first:"
                + " '2026-11-24T08:00:00Z', last: '2026-11-24T09:30:00Z', count: 10, reason:"
                + " 'GRACE'}], next: [{at: '2026-11-24T11:00:00Z'}]},{from:"
                + " Date.parse('2026-11-24T08:00:00Z'), to:"
                + " Date.parse('2026-11-24T11:00:00Z')}).map(m => new"
                + " Date(m.at).toISOString().slice(11, 16) + ' ' + m.kind).join(', '))");
    assertThat(drawn)
        .isEqualTo(
            "08:00 missed, 08:10 missed, 08:20 missed, 08:30 missed, 08:40 missed, 08:50 missed,"
                + " 09:00 missed, 09:10 missed, 09:20 missed, 09:30 missed, 10:00 failed, 11:00"
                + " next");
  }
}

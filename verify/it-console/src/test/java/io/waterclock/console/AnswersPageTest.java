package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.waterclock.schemas.avro.Fire;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What if, and the audit. */
final class AnswersPageTest extends ConsolePages {
  @Test
  @Tag("all")
  void what_if_shows_an_outage_a_calendar_and_other_time_zone_data() throws Exception {
    JsonNode down =
        ended(changed("what-if", EDITOR, "{\"kind\":\"down\",\"hours\":3}")).path("result");
    assertThat(down.path("fires").asInt()).isPositive();
    assertThat(down.path("missed").asInt()).isGreaterThan(1_000);
    String calendar =
        "{\"kind\":\"calendar\",\"prefix\":\"reports/\",\"name\":\"none\",\"days\":7,\"for_all\":true,\"calendar\":{\"weekdays\":[\"MON\"]}}";
    JsonNode monday = ended(changed("what-if", EDITOR, calendar)).path("result");
    assertThat(monday.path("removed").asInt()).as(monday.toString()).isEqualTo(2);
    JsonNode zones =
        ended(
                changed(
                    "what-if",
                    EDITOR,
                    "{\"kind\":\"tzdb\",\"prefix\":\"reports/\",\"days\":7,\"version\":\"2099z\"}"))
            .path("result");
    int moved = zones.path("moved").asInt();
    assertThat(moved).as(zones.toString()).isBetween(6, 7);
    // The hour that moves may hold the start of the seven days: its day is then at both ends.
    assertThat(moved + zones.path("added").asInt()).as(zones.toString()).isEqualTo(7);
    assertThat(moved + zones.path("removed").asInt()).as(zones.toString()).isEqualTo(7);
    for (String wrong :
        List.of(
            "{\"kind\":\"down\",\"hours\":1e9}",
            "{\"kind\":\"flood\"}",
            "{\"kind\":\"tzdb\",\"days\":7,\"version\":\"/etc/passwd\"}",
            calendar.replace("MON", "NOT A DAY"))) {
      assertThat(change("what-if", EDITOR, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  @Tag("all")
  void what_if_is_a_table_and_a_file() throws Exception {
    Page page = open(VIEWER, "/#/what-if");
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
  @Tag("all")
  void audit_finds_nothing_wrong_and_an_occurrence_can_be_followed() {
    Page page = open(VIEWER, "/#/audit");
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
    assertThat(trail.locator("tbody")).not().containsText(Pattern.compile("\\dT\\d\\d:\\d\\d"));
  }

  @Test
  @Tag("all")
  void one_occurrence_names_who_wrote_its_definition_and_why_in_the_zone_of_the_switch()
      throws Exception {
    changed(
        "definitions",
        EDITOR,
        "{\"id\":\"edits/followed\",\"definition\":{\"cron\":\"0 9 * * *\",\"timezone\":\"Asia/Tokyo\"},"
            + "\"expected_revision\":\"\",\"note\":\"the new shift\"}");
    Page page = open(VIEWER, "/#/audit?id=edits%2Ffollowed&occurrence=2099-01-01T00:00:00Z");
    Locator trail = page.locator("section", new Page.LocatorOptions().setHasText("One occurrence"));
    assertThat(trail.locator("tbody")).containsText("written by edda: the new shift");
    Locator owns =
        trail.locator("tr", new Locator.LocatorOptions().setHasText("owns")).locator("td time");
    page.getByLabel("Time zone of all times").selectOption("utc");
    String utc = owns.last().getAttribute("title");
    page.getByLabel("Time zone of all times").selectOption("schedule");
    assertThat(owns.last()).not().hasAttribute("title", utc);
    assertThat(owns.last()).hasAttribute("title", Pattern.compile("GMT\\+9|JST"));
    running().schedules.delete("edits/followed").join();
  }

  @Test
  void jobs_show_only_what_a_person_may_see() throws Exception {
    String trail = "{\"id\":\"ops/none\",\"occurrence\":\"2026-01-01T00:00:00Z\"}";
    assertThat(change("trail", VIEWER, trail).statusCode()).isEqualTo(404);
    assertThat(change("audit", VIEWER, "{\"id\":\"ops/none\"}").statusCode()).isEqualTo(404);
  }
}

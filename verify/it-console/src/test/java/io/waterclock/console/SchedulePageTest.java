package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.HOSTILE;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.VIEWER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One schedule, and the commands to it. */
final class SchedulePageTest extends ConsolePages {
  @Test
  void viewer_gets_no_payload_and_no_headers() throws Exception {
    String path = "/api/v1/schedule?id=billing/invoices";
    assertThat(get(path, VIEWER).body()).doesNotContain("s3cret", "payload_bytes");
    assertThat(get(path, OPERATOR).body())
        .contains("s3cret-header", "\"payload_bytes\":19")
        .doesNotContain("\"secret\"");
    String whole = "/api/v1/definition?id=billing/invoices";
    assertThat(get(whole, VIEWER).statusCode()).isEqualTo(403);
    assertThat(get(whole, OPERATOR).body()).contains("\"secret\":\"s3cret\"", "s3cret-header");
  }

  @Test
  void payload_is_read_from_its_topic_when_a_person_asks() throws Exception {
    ScheduleBuilder schedule = ScheduleBuilder.cron("0 1 1 * *").payloadJson("{\"to\":\"all\"}");
    running().schedules.put("edits/payload", schedule).join().orThrow();
    running().schedules.put("edits/payload", schedule).join().orThrow(); // of the same revision
    Page page = open(OPERATOR, "/#/schedule?id=edits%2Fpayload");
    assertThat(page.locator("pre")).not().containsText("\"to\"");
    button(page, "Show the payload (12 bytes)").click();
    assertThat(page.locator("pre")).containsText("\"to\": \"all\"");
    Page edit = open(EDITOR, "/#/edit?id=edits%2Fpayload");
    edit.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("0 2 1 * *");
    button(edit, "Preview").click();
    button(edit, "Write the edit").click();
    await()
        .untilAsserted(
            () ->
                assertThat(get("/api/v1/definition?id=edits/payload", EDITOR).body())
                    .contains("0 2 1 * *", "{\"to\":\"all\"}"));
    running().schedules.delete("edits/payload").join();
  }

  @Test
  @Tag("all")
  void viewer_is_offered_no_action() throws Exception {
    running().report("billing/invoices");
    Page page = open(VIEWER, "/#/schedule?id=billing%2Finvoices");
    assertThat(page.locator(".why")).containsText("It fires next");
    assertThat(page.locator("main button, main a.button")).hasCount(0);
    assertThat(page.locator("pre")).not().containsText("s3cret");
    assertThat(page.getByText("Payload and headers are hidden from viewers.")).isVisible();
    assertThat(page.locator(".badge", new Page.LocatorOptions().setHasText("failed")).first())
        .isVisible();
  }

  @ParameterizedTest
  @CsvSource({"otto, " + OPERATOR, "edda, " + EDITOR})
  void pause_and_resume_carry_author_and_note(String name, String token) {
    Page page = open(token, "/#/schedule?id=reports%2Fweekly");
    button(page, "Pause").click();
    page.getByLabel("Note").fill("moving house");
    page.keyboard().press("Enter");
    assertThat(page.locator(".why"))
        .containsText(Pattern.compile(name + " paused it at .*: moving house"));
    CommandedPause pause = Objects.requireNonNull(status("reports/weekly").getPause());
    assertThat(pause.getAuthor()).isEqualTo(name);
    assertThat(pause.getNote()).isEqualTo("moving house");
    button(page, "Resume").click();
    dialogButton(page, "Resume").click();
    assertThat(page.locator(".why")).containsText("It fires next");
    assertThat(status("reports/weekly").getPause()).isNull();
  }

  @Test
  @Tag("all")
  void manual_fire_names_its_author() {
    Page page = open(OPERATOR, "/#/schedule?id=reports%2Fdaily");
    button(page, "Fire now").click();
    dialogButton(page, "Fire once").click();
    assertThat(page.locator("main")).containsText("fired (triggered)");
    List<Fire> fires = running().schedules.fires("reports/daily").join();
    assertThat(fires).isNotEmpty();
  }

  @Test
  @Tag("all")
  void every_command_carries_author_and_note_and_the_page_shows_them() {
    Page page = open(OPERATOR, "/#/schedule?id=ops%2Fbackup");
    button(page, "Fire now").click();
    page.getByLabel("Note").fill(HOSTILE);
    dialogButton(page, "Fire once").click();
    Locator given = panel(page, "whatever became of them").locator("tbody tr").first();
    assertThat(given).containsText("otto");
    assertThat(given).containsText("trigger");
    assertThat(given).containsText(HOSTILE);
    assertThat(page.locator("main img")).hasCount(0);
  }

  @Test
  @Tag("all")
  void skip_leaves_an_occurrence_out_until_it_is_taken_back() {
    Page page = open(OPERATOR, "/#/schedule?id=ops%2Fbackup");
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
  @Tag("all")
  void dialog_closes_on_escape_and_gives_the_focus_back() {
    Page page = open(OPERATOR, "/#/schedule?id=ops%2Fbackup");
    button(page, "Pause").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(button(page, "Pause")).isFocused();
    assertThat(status("ops/backup").getPause()).isNull();
  }

  @Test
  @Tag("all")
  void one_switch_changes_the_zone_of_all_times() {
    Page page =
        open(
            VIEWER,
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
        .until(() -> get("/api/v1/revisions?id=edits/history", OPERATOR).body().contains("0 1 1"));
    String viewers = get("/api/v1/revisions?id=edits/history", VIEWER).body();
    assertThat(viewers).contains("\"hidden\":true").doesNotContain("s3cret", "czNjcmV0", "SHA-256");
    assertThat(get("/api/v1/revisions?id=edits/history", OPERATOR).body())
        .contains("6 bytes, SHA-256 ", "5 bytes, SHA-256 ");
    Page page = open(VIEWER, "/#/schedule?id=edits%2Fhistory");
    Locator revisions = page.locator("section", new Page.LocatorOptions().setHasText("2 known"));
    assertThat(revisions.locator(".revision").first()).containsText("0 1 1 * *");
    assertThat(revisions.locator(".revision").first()).containsText("0 2 1 * *");
    Page editors = open(EDITOR, "/#/schedule?id=edits%2Fhistory");
    editors
        .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Define it again"))
        .click();
    assertThat(editors.getByLabel("Definition as JSON"))
        .hasValue(Pattern.compile("0 1 1 \\* \\*(.|\n)*(s3cret|czNjcmV0)"));
    button(editors, "Preview").click();
    button(editors, "Write the edit").click();
    await()
        .until(
            () ->
                running()
                    .schedules
                    .get("edits/history")
                    .join()
                    .orElseThrow()
                    .schedule()
                    .orElseThrow()
                    .getPayload()
                    .equals(ByteBuffer.wrap("s3cret".getBytes(UTF_8))));
    running().schedules.delete("edits/history").join();
  }

  @Test
  @Tag("all")
  void backfill_lists_what_it_would_fire() {
    Page page = open(OPERATOR, "/#/schedule?id=billing%2Finvoices");
    button(page, "Backfill").click();
    assertThat(page.locator("dialog")).containsText("fired before");
    assertThat(page.locator("dialog li").first()).isVisible();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".said")).containsText("the scheduler has begun it");
    assertThat(page.locator("main")).containsText("fired (backfill)");
  }
}

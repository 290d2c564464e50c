package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.PARTIAL;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.waterclock.client.schedules.ScheduleBuilder;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions: their check, preview, writing and deleting. */
final class EditPageTest extends ConsolePages {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "definitions | edits/a | {'id':'edits/a','definition':{'every':'1h'}}",
        "delete | reports/daily | {'id':'reports/daily','expected_revision':'x'}",
        "check | reports/daily | {'id':'reports/daily','definition':{'every':'1h'}}",
        "preview | reports/daily | {'id':'reports/daily','delete':true}"
      })
  void definitions_are_for_editors_of_the_id(String path, String id, String body) throws Exception {
    String request = body.replace('\'', '"');
    for (String token : List.of(VIEWER, OPERATOR)) {
      assertThat(change(path, token, request).statusCode()).isEqualTo(403);
    }
    String elsewhere = request.replace(id, "reports/other");
    assertThat(change(path, PARTIAL, elsewhere).statusCode()).isEqualTo(403);
    assertThat(running().schedules.get("reports/other").join()).isEmpty();
  }

  @Test
  void edit_is_refused_if_another_came_first() throws Exception {
    String define =
        "{\"id\":\"edits/race\",\"definition\":{\"cron\":\"%s\"},\"expected_revision\":\"%s\"}";
    String first =
        changed("definitions", PARTIAL, define.formatted("0 1 * * *", ""))
            .path("revision")
            .asText();
    assertThat(change("definitions", EDITOR, define.formatted("0 2 * * *", "")).statusCode())
        .as("it exists")
        .isEqualTo(409);
    String second =
        changed("definitions", EDITOR, define.formatted("0 2 * * *", first))
            .path("revision")
            .asText();
    HttpResponse<String> late = change("definitions", EDITOR, define.formatted("0 3 * * *", first));
    assertThat(late.statusCode()).as("at once, before the console has read it").isEqualTo(409);
    assertThat(late.body()).contains(second);
    String delete = "{\"id\":\"edits/race\",\"expected_revision\":\"%s\"}";
    assertThat(change("delete", EDITOR, delete.formatted(first)).statusCode()).isEqualTo(409);
    changed("delete", PARTIAL, delete.formatted(second));
    assertThat(running().schedules.get("edits/race").join()).isEmpty();
  }

  @Test
  void hostile_definition_is_previewed_within_bounds() throws Exception {
    for (String hostile :
        List.of(
            "{\"every\":\"1ms\"}",
            "{\"cron\":\"* * * * * *\",\"jitter\":\"1s\"}",
            "{\"rrule\":\"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO\"}")) {
      JsonNode preview =
          changed("preview", EDITOR, "{\"id\":\"edits/h\",\"definition\":" + hostile + "}");
      assertThat(preview.path("problems")).isEmpty();
      assertThat(preview.path("changes").size()).isLessThanOrEqualTo(200);
      assertThat(preview.path("fires_after").asInt()).isLessThanOrEqualTo(20_000);
      assertThat(preview.has("compared_until")).isEqualTo(!hostile.contains("rrule"));
    }
    String huge =
        "{\"id\":\"edits/h\",\"definition\":{\"every\":\"1h\",\"payload\":\"" + "x".repeat(2 << 20);
    assertThat(change("check", EDITOR, huge + "\"}}").statusCode()).isEqualTo(413);
    String deep = "[".repeat(5_000);
    assertThat(change("check", EDITOR, deep).statusCode()).isEqualTo(400);
  }

  @Test
  void new_schedule_is_checked_while_typing_previewed_and_defined() {
    Page page = open(EDITOR, "/#/edit");
    page.getByLabel("Id", new Page.GetByLabelOptions().setExact(true)).fill("edits/page");
    Locator json = page.getByLabel("Definition as JSON");
    json.fill("{\"cron\":\"0 99 * * *\"}");
    assertThat(page.locator(".why")).containsText("cron");
    assertThat(button(page, "Preview")).isDisabled();
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("30 2 * * *");
    page.getByLabel("Time zone", new Page.GetByLabelOptions().setExact(true)).fill("Europe/Berlin");
    assertThat(json).hasValue(Pattern.compile("\"30 2 \\* \\* \\*\""));
    assertThat(page.getByText("The scheduler’s rules accept it.")).isVisible();
    button(page, "Preview").click();
    Locator preview =
        page.locator("section", new Page.LocatorOptions().setHasText("Occurrences added"));
    assertThat(preview).containsText(Pattern.compile("Occurrences added36[56]"));
    assertThat(preview).containsText("Clock changes");
    button(page, "Define it").click();
    assertThat(page.locator(".why")).containsText("It fires next");
    page.getByText("Edit", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("0 4 * * *");
    button(page, "Preview").click();
    assertThat(page.locator("main"))
        .containsText("Occurrences up to the moment of the edit stay with the definition in force");
    assertThat(page.locator("main")).containsText(Pattern.compile("Occurrences moved36[456]"));
    running().schedules.put("edits/page", ScheduleBuilder.cron("0 5 * * *")).join().orThrow();
    await().until(() -> get("/api/v1/schedule?id=edits/page", VIEWER).body().contains("0 5 * * *"));
    button(page, "Write the edit").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("has changed since you read it");
    errors.removeIf(error -> error.contains("409"));
    List<Route> held = new CopyOnWriteArrayList<>();
    page.route("**/api/v1/schedule?*", held::add);
    page.navigate(running().address() + "/#/edit?delete=1&id=edits%2Fpage");
    page.waitForCondition(() -> !held.isEmpty());
    assertThat(button(page, "Delete it")).hasCount(0); // with the revision that the edit read
    page.unroute("**/api/v1/schedule?*");
    held.forEach(Route::resume);
    button(page, "Delete it").click();
    assertThat(page.locator("h1")).hasText("Schedules");
    assertThat(running().schedules.get("edits/page").join()).isEmpty();
  }

  @Test
  @Tag("all")
  void refusal_of_an_edit_stays_when_an_earlier_check_is_answered() {
    running().schedules.put("edits/late", ScheduleBuilder.cron("0 3 * * *")).join().orThrow();
    Page page = open(EDITOR, "/#/edit?id=edits%2Flate");
    List<Route> held = new CopyOnWriteArrayList<>();
    page.route("**/api/v1/check", held::add);
    page.getByLabel("cron", new Page.GetByLabelOptions().setExact(true)).fill("0 4 * * *");
    button(page, "Preview").click();
    page.waitForCondition(() -> !held.isEmpty());
    page.route("**/api/v1/definitions", Route::abort);
    button(page, "Write the edit").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("The console does not answer.");
    page.unroute("**/api/v1/definitions");
    errors.removeIf(error -> error.contains("ERR_FAILED"));
    running().schedules.put("edits/late", ScheduleBuilder.cron("0 5 * * *")).join().orThrow();
    button(page, "Write the edit").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("has changed since you read it");
    errors.removeIf(error -> error.contains("409"));
    page.waitForResponse("**/api/v1/check", () -> held.forEach(Route::resume));
    page.evaluate("() => new Promise(done => setTimeout(done, 200))");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("has changed since you read it");
    running().schedules.delete("edits/late").join().orThrow();
  }
}

package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.PARTIAL;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters; the one that every console of these tests has is a definition without an id. */
final class LettersPageTest extends ConsolePages {
  private static final String ALL = "{\"action\":\"redrive\",\"dry_run\":true,\"filter\":{}}";

  @Test
  void a_definition_is_sent_again_by_an_editor_and_its_new_failure_counts() {
    Page page = open(EDITOR, "/#/dead-letters");
    Locator letter =
        page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("schedule id"));
    assertThat(letter).hasCount(1);
    page.getByLabel("Topic").fill("waterclock.schedules");
    button(page, "Count what matches").click();
    assertThat(page.locator("main"))
        .containsText("1 dead letter would be sent again to waterclock.schedules.");
    button(page, "Send again: 1 dead letter").click();
    page.getByRole(AriaRole.DIALOG)
        .getByText("Send again", new Locator.GetByTextOptions().setExact(true))
        .click();
    assertThat(page.locator("main"))
        .containsText("1 dead letter sent again to waterclock.schedules.");
    assertThat(letter).hasCount(1);
    assertThat(letter.locator("[data-label='Sent again']")).hasText("1");
  }

  @Test
  @Tag("all")
  void who_may_not_write_a_record_may_not_send_it_again() throws Exception {
    assertThat(change("dead-letters", VIEWER, ALL).statusCode()).isEqualTo(403);
    for (String token : List.of(OPERATOR, PARTIAL)) {
      JsonNode result = ended(changed("dead-letters", token, ALL), token).path("result");
      assertThat(result.path("done").asInt()).as(token).isZero();
      assertThat(result.path("stay").asInt()).as(token).isZero();
    }
    JsonNode editors = ended(changed("dead-letters", EDITOR, ALL)).path("result");
    assertThat(editors.path("done").asInt()).isEqualTo(1);
    assertThat(editors.path("done_by").path(0).path("to").asText())
        .isEqualTo("waterclock.schedules");
    Page page = open(VIEWER, "/#/dead-letters");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.getByText("Count what matches")).hasCount(0);
  }

  @Test
  void a_wrong_request_is_refused() throws Exception {
    for (String wrong :
        List.of(
            "{\"action\":\"explode\",\"filter\":{}}",
            "{\"action\":\"redrive\"}",
            "{\"action\":\"redrive\",\"letters\":[\"waterclock.schedules-0@1\"]}",
            "{\"action\":\"redrive\",\"filter\":{\"from\":\"yesterday\"}}",
            "{\"action\":\"redrive\",\"filter\":{\"reasons\":\"one that is misspelt would be all\"}}",
            "{\"action\":\"redrive\",\"filter\":{\"reason\":7}}")) {
      assertThat(change("dead-letters", EDITOR, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }
}

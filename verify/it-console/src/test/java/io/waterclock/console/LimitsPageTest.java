package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.ONE_PREFIX;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.PARTIAL;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A limit that is paused while the fires of a schedule wait, and a name without a limit. */
final class LimitsPageTest extends ConsolePages {
  private static final LimitName PARTNER = new LimitName("partner");
  private static final String CALL = "edits/call";
  private static final String TYPO = "edits/typo";

  @BeforeAll
  static void define() {
    running()
        .limit(
            PARTNER,
            Optional.of(
                Limit.newBuilder()
                    .setPerSecond(50)
                    .setPaused(new LimitPause("their release", "ann", null))
                    .build()));
    await().until(() -> row(EDITOR, "partner").has("pause"));
    running()
        .schedules
        .put(CALL, ScheduleBuilder.every(Duration.ofSeconds(2)).limit("partner"))
        .join()
        .orThrow();
    running()
        .schedules
        .put(TYPO, ScheduleBuilder.cron("0 0 1 1 *").limit("partnr"))
        .join()
        .orThrow();
    await().until(() -> row(EDITOR, "partner").path("waiting").asLong() >= 2);
  }

  @AfterAll
  static void delete() {
    running().schedules.delete(CALL).join();
    running().schedules.delete(TYPO).join();
    running().limit(PARTNER, Optional.empty());
  }

  private static JsonNode row(String token, String name) throws Exception {
    JsonNode limits = JSON.readTree(get("/api/v1/limits", token).body()).path("limits");
    return StreamSupport.stream(limits.spliterator(), false)
        .filter(row -> row.path("name").asText().equals(name))
        .findFirst()
        .orElseGet(JSON::createObjectNode);
  }

  private static Locator row(Page page, String text) {
    return page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
  }

  @Test
  @Tag("all")
  void a_limit_is_resumed_and_paused_from_the_page() throws Exception {
    Page page = open(OPERATOR, "/#/limits?text=partner");
    assertThat(row(page, "partner").first()).containsText("by ann: their release");
    assertThat(row(page, "partner").first()).containsText(CALL);
    button(page, "Resume partner").click();
    dialogButton(page, "Resume").click();
    assertThat(button(page, "Pause partner")).isVisible();
    await().until(() -> row(VIEWER, "partner").path("starts_in_minute").asLong() >= 2);
    button(page, "Pause partner").click();
    page.getByLabel("Note").fill("again");
    dialogButton(page, "Pause").click();
    assertThat(row(page, "partner").first()).containsText("by otto: again");
    await().until(() -> row(VIEWER, "partner").path("waiting").asLong() >= 2);
    assertThat(row(VIEWER, "partner").path("text").asText()).isEqualTo("50 a second");
  }

  @Test
  @Tag("all")
  void what_waits_too_long_and_a_name_without_a_limit_are_problems() {
    Page page = open(VIEWER, "/#/problems");
    assertThat(row(page, CALL)).containsText("waiting");
    assertThat(row(page, CALL)).containsText("although it has occurred again");
    assertThat(row(page, TYPO)).containsText("There is no limit partnr");
    Page schedule = open(VIEWER, "/#/schedule?id=edits%2Fcall");
    assertThat(schedule.locator(".why .bad")).containsText("waits for the limit partner");
    Page load = open(VIEWER, "/#/load?by=limit&value=partner");
    assertThat(load.locator("main")).containsText("When fires wait for this limit");
  }

  @Test
  void a_limit_is_seen_by_those_who_see_its_schedules_and_paused_by_operators_of_all()
      throws Exception {
    assertThat(get("/api/v1/limits", ONE_PREFIX).body())
        .isEqualTo("{\"limits\":[],\"may_pause\":false}");
    String pause = "{\"name\":\"partner\",\"action\":\"pause\"}";
    for (String token : List.of(VIEWER, PARTIAL, ONE_PREFIX)) {
      assertThat(change("limit", token, pause).statusCode()).as(token).isEqualTo(403);
    }
    for (String wrong :
        List.of(
            "{\"name\":\"partner\"}",
            "{\"name\":\"partner\",\"action\":\"explode\"}",
            "{\"name\":\"a b\",\"action\":\"pause\"}",
            "{\"name\":\"partner\",\"action\":\"pause\",\"until\":\"soon\"}")) {
      assertThat(change("limit", OPERATOR, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(change("limit", OPERATOR, pause.replace("partner", "none")).statusCode())
        .isEqualTo(404);
  }
}

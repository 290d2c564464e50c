package io.waterclock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.waterclock.console.RunningConsole.EDITOR;
import static io.waterclock.console.RunningConsole.OPERATOR;
import static io.waterclock.console.RunningConsole.PARTIAL;
import static io.waterclock.console.RunningConsole.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Page;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.bulk.BulkAction;
import io.waterclock.console.bulk.BulkPlan;
import io.waterclock.console.bulk.BulkWork;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One action for many schedules. */
final class BulkPageTest extends ConsolePages {
  @Test
  void bulk_changes_only_what_a_person_may_change() throws Exception {
    String pause =
        "{\"action\":\"pause\",\"note\":\"n\",\"filter\":{\"where\":\"owner = reports\"}";
    assertThat(change("bulk/count", VIEWER, pause + "}").statusCode()).isEqualTo(403);
    JsonNode counted = changed("bulk/count", PARTIAL, pause + "}");
    assertThat(counted.path("count").asInt()).isZero();
    assertThat(counted.path("not_allowed").asInt()).isEqualTo(2);
    String digest = counted.path("digest").asText();
    String go = pause + ",\"digest\":\"" + digest + "\"}";
    assertThat(change("bulk", PARTIAL, go).statusCode()).isEqualTo(400);
    String ids = "{\"action\":\"delete\",\"ids\":[\"reports/daily\",\"ops/backup\"]";
    JsonNode byIds = changed("bulk/count", PARTIAL, ids + "}");
    assertThat(byIds.path("count").asInt()).isZero();
    assertThat(change("bulk", PARTIAL, ids + ",\"digest\":\"\"}").statusCode()).isEqualTo(400);
    assertThat(status("reports/daily").getPause()).isNull();
    for (String wrong :
        List.of(
            "{\"action\":\"explode\",\"filter\":{}}",
            "{\"action\":\"pause\"}",
            "{\"action\":\"pause\",\"filter\":{\"where\":\"colour = red\"}}",
            "{\"action\":\"pause\",\"filter\":{\"states\":[\"GONE\"]}}",
            "{\"action\":\"backfill\",\"filter\":{}}",
            "{\"action\":\"backfill\",\"filter\":{},\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-03-01T00:00:00Z\"}",
            "{\"action\":\"skip\",\"filter\":{},\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}")) {
      assertThat(change("bulk/count", EDITOR, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }

  /** More than 500 commands wait for their answers at a time; a longer run has 10,000 schedules. */
  @Test
  void bulk_carries_out_what_was_counted() throws Exception {
    int many = Integer.getInteger("waterclock.bulk", 550);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      answers.add(
          running().schedules.put("many/" + i, ScheduleBuilder.cron("0 0 1 1 *").label("m", "y")));
    }
    answers.forEach(answer -> answer.join().orThrow());
    String all = "\"filter\":{\"prefix\":\"many/\",\"labels\":{\"m\":\"y\"}}}";
    String pause = "{\"action\":\"pause\",\"note\":\"moving\"," + all;
    JsonNode counted =
        await()
            .until(
                () -> changed("bulk/count", EDITOR, pause),
                found -> found.path("count").asInt() == many);
    String stale = pause.replace("{\"action", "{\"digest\":\"0\",\"action");
    assertThat(change("bulk", EDITOR, stale).statusCode()).isEqualTo(409);
    String confirmed = stale.replace("\"0\"", counted.path("digest").toString());
    JsonNode started = changed("bulk", EDITOR, confirmed);
    assertThat(get("/api/v1/job?id=" + started.path("job").asText(), OPERATOR).statusCode())
        .as("a job is its person's own")
        .isEqualTo(404);
    JsonNode job = ended(started);
    assertThat(job.path("result").path("executed").asInt()).as(job.toString()).isEqualTo(many);
    CommandedPause held = Objects.requireNonNull(status("many/" + (many - 1)).getPause());
    assertThat(held.getAuthor()).isEqualTo("edda");
    assertThat(held.getNote()).isEqualTo("moving");
    String delete = "{\"action\":\"delete\"," + all;
    String digest = changed("bulk/count", EDITOR, delete).path("digest").toString();
    JsonNode gone =
        ended(
            changed(
                "bulk",
                EDITOR,
                delete.replace("{\"action", "{\"digest\":" + digest + ",\"action")));
    assertThat(gone.path("result").path("executed").asInt()).as(gone.toString()).isEqualTo(many);
    await()
        .until(
            () ->
                JSON.readTree(get("/api/v1/schedules?prefix=many/", VIEWER).body())
                        .path("total")
                        .asInt()
                    == 0);
  }

  @Test
  void bulk_pause_leaves_a_pause_that_a_person_made_after_the_count() {
    Schedules schedules = running().schedules;
    schedules.put("held/one", ScheduleBuilder.cron("0 0 1 1 *")).join().orThrow();
    BulkPlan counted = new BulkPlan(List.of("held/one"), 0, 0, List.of(), 0, false);
    schedules.command("held/one", ScheduleCommand.pause("deploying", "ann")).join().orThrow();
    BulkAction pause =
        new BulkAction(BulkAction.Kind.PAUSE, "moving", Instant.EPOCH, Instant.EPOCH);
    ReadModel unused = new ReadModel(ZoneOffset.UTC, ModelWriter.Limits.DEFAULT);
    JsonNode result =
        new BulkWork(counted, pause, "edda", "c-1", new BulkWork.Target(unused, schedules))
            .run(new Unwatched());
    assertThat(result.path("unchanged").asInt()).as(result.toString()).isOne();
    CommandedPause held = Objects.requireNonNull(status("held/one").getPause());
    assertThat(held.getAuthor()).isEqualTo("ann");
    assertThat(held.getNote()).isEqualTo("deploying");
    schedules.delete("held/one").join().orThrow();
  }

  @Test
  @Tag("all")
  void bulk_backfill_says_how_much_it_fires_and_fires_it() {
    Page page = open(OPERATOR, "/#/bulk?prefix=billing%2F");
    page.getByLabel("Action").selectOption("backfill");
    button(page, "Count what would change").click();
    assertThat(page.getByText(Pattern.compile("^\\d+ occurrences of the range are decided")))
        .isVisible();
    button(page, "Backfill: 1 schedule").click();
    dialogButton(page, "Backfill: 1").click();
    assertThat(page.getByText("1 done.")).isVisible();
    await()
        .until(
            () ->
                running().schedules.fires("billing/invoices").join().stream()
                    .anyMatch(fire -> fire.getCause() == Cause.BACKFILL));
  }

  private record Unwatched() implements Work.Progress {
    @Override
    public void at(long done, long total) {}

    @Override
    public boolean isCancelled() {
      return false;
    }
  }

  @Test
  @Tag("all")
  void bulk_page_counts_confirms_and_shows_progress() {
    Page page = open(OPERATOR, "/#/schedules");
    page.getByLabel("Choose ops/backup").check();
    page.getByLabel("Choose reports/weekly").check();
    page.getByText("Change 2 chosen").click();
    page.getByLabel("Action").selectOption("trigger");
    button(page, "Count what would change").click();
    assertThat(page.getByText("2 schedules would change.")).isVisible();
    button(page, "Fire now: 2 schedules").click();
    dialogButton(page, "Fire now: 2").click();
    assertThat(page.getByText("2 done.")).isVisible();
    assertThat(running().schedules.fires("reports/weekly").join()).isNotEmpty();
  }
}

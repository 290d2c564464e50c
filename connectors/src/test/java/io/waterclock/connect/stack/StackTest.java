package io.waterclock.connect.stack;

import static io.waterclock.connect.stack.Stack.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.waterclock.connect.webhook.WebhookServer.Received;
import io.waterclock.connect.webhook.WebhookServer.Reply;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows in, rows and requests out, with everything real: PostgreSQL's log, Debezium, Connect, the
 * scheduler, the JDBC sink, HTTP. One stack for all methods, which go on where the one before them
 * ended.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("all")
class StackTest {
  private static final String JOB = "jobs/sync";
  private static final String POLL = "polls/6f1c2f0e-7d0b-4b0a-9d51-1f0c8f6f2b11";
  private static final String WORKFLOW = "workflows/7";
  private static final String TASK = "tasks/t1";

  /** A one-time row in the past that the first snapshot finds. */
  private static final String FOUND_DONE = "workflows/6";

  private static final List<String> ALL = List.of(JOB, POLL, WORKFLOW, TASK);
  private static final int KINDS_OF_ANSWERS = 5;

  /** Rows that PostgreSQL takes, with what is said of them. */
  private static final Map<String, String> BAD =
      Map.of(
          "jobs/odd", "cron (column cron)",
          "jobs/endless", "anchor (column anchor)",
          "polls/00000000-0000-0000-0000-000000000001", "every (column interval)",
          "polls/00000000-0000-0000-0000-000000000002", "every (column interval)",
          "workflows/9", "kind (column schedule_type)",
          "tasks/never", "at (column next_run_at)");

  private Stack stack;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    assumeThat(Plugins.arePacked()).as("the plug-in archive, which mvn verify builds").isTrue();
    stack = new Stack(dir);
    stack.exampleTables();
    stack.postgres.sql(
        "INSERT INTO jobs (name, job_class, interval, interval_unit, args)"
            + " VALUES ('sync', 'SyncJob', 1, 'second', '{\"v\":1}');"
            + "INSERT INTO polls VALUES ('6f1c2f0e-7d0b-4b0a-9d51-1f0c8f6f2b11',"
            + " '2 seconds', now() + interval '1 second', null, 'feeds');"
            + "INSERT INTO workflows VALUES"
            + " (6, 'wf', 'one-time', '2026-01-01T00:00:00Z', 'active', null);");
    stack.postgres.sql(
        "CREATE TABLE reports (nr serial PRIMARY KEY, name text NOT NULL UNIQUE, every text);"
            + "ALTER TABLE reports REPLICA IDENTITY FULL;"
            + "INSERT INTO reports (name, every) VALUES ('daily', '1s')");
    stack.connectSource(
        "table.include.list",
        "public.jobs,public.polls,public.workflows,public.tasks,public.reports",
        "message.key.columns",
        "public.reports:name",
        "transforms",
        "jobs,polls,workflows,tasks,reports",
        "transforms.reports.type",
        "io.waterclock.connect.ScheduleRow",
        "transforms.reports.id.column",
        "name",
        "transforms.reports.id.prefix",
        "reports/",
        "transforms.reports.every.column",
        "every",
        "transforms.reports.predicate",
        "reports",
        "predicates",
        "jobs,polls,workflows,tasks,reports",
        "predicates.reports.type",
        "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.reports.pattern",
        "db\\.public\\.reports");
    stack.connectHistory();
    stack.connectResults();
    stack.connectWebhook();
    stack.postgres.sql(
        "INSERT INTO workflows VALUES (7, 'wf', 'interval', '2s', 'active', '{\"v\":1}'),"
            + " (8, 'wf', 'one-time', 'now', 'active', null);"
            + "INSERT INTO tasks VALUES ('t1', 'interval', null, 2000, false, now());");
  }

  @AfterAll
  void stop() throws Exception {
    if (stack != null) {
      stack.stop();
    }
  }

  @Test
  @Order(1)
  void the_archive_brings_what_a_worker_lacks_and_nothing_that_it_has() throws IOException {
    assertThat(Plugins.jars())
        .anyMatch(jar -> jar.startsWith("waterclock-connectors-"))
        .anyMatch(jar -> jar.startsWith("httpclient5-"))
        .noneMatch(jar -> jar.matches("(kafka|connect|slf4j|zstd|lz4|snappy)-.*"));
  }

  @Test
  @Order(2)
  void rows_of_all_shapes_fire_into_the_history_and_to_the_webhook() {
    for (String id : ALL) {
      eventually(() -> assertThat(stack.history(id)).as(id).hasSizeGreaterThan(1));
      eventually(() -> assertThat(stack.delivered(id)).as(id).hasSizeGreaterThan(1));
    }
    eventually(() -> assertThat(stack.history("workflows/8")).hasSize(1));
    eventually(() -> assertThat(stack.states()).containsEntry(FOUND_DONE, State.COMPLETED));
  }

  @Test
  @Order(3)
  void the_outcome_of_a_request_is_reported_for_a_schedule_that_asks_for_it() {
    eventually(
        () ->
            assertThat(stack.records(stack.topics.outcomes()))
                .filteredOn(record -> record.key().equals(TASK))
                .extracting(record -> RecordCodecs.outcome().decode(record.value()))
                .anySatisfy(
                    outcome -> {
                      assertThat(outcome.getState()).isEqualTo(OutcomeState.SUCCEEDED);
                      assertThat(outcome.getOutput()).isEqualTo("HTTP 204");
                    }));
  }

  @Test
  @Order(3)
  void results_of_runs_are_rows_beside_their_fires_and_a_poll_has_its_times_written_back() {
    eventually(
        () ->
            assertThat(
                    stack.postgres.query(
                        "SELECT status || ' ' || output FROM fires JOIN runs USING (fire_id)"
                            + " WHERE runs.schedule_id = 'tasks/t1' AND attempt = 1"
                            + " AND runs.started_at >= fired_at AND ended_at >= runs.started_at"))
                .contains("SUCCEEDED HTTP 204"));
    eventually(
        () ->
            assertThat(
                    stack.postgres.query(
                        "SELECT guid FROM polls JOIN fires ON schedule_id = 'polls/' || guid"
                            + " AND next_occurrence = next_run AT TIME ZONE 'UTC'"
                            + " JOIN runs ON runs.schedule_id = fires.schedule_id"
                            + " AND runs.started_at = last_run AT TIME ZONE 'UTC'"))
                .isNotEmpty());
  }

  @Test
  @Order(4)
  void edits_of_rows_take_effect_and_those_that_mean_nothing_change_nothing() throws SQLException {
    stack.postgres.sql(
        "UPDATE jobs SET args = '{\"v\":2}'; UPDATE workflows SET input_data = '{\"v\":2}';"
            + "UPDATE tasks SET interval_ms = 1000;"
            + "UPDATE polls SET last_run = now(), next_run = '2099-01-01';");
    for (String id : List.of(JOB, WORKFLOW)) {
      eventually(
          () ->
              assertThat(
                      stack.postgres.query(
                          "SELECT payload FROM fires WHERE schedule_id = '" + id + "'"))
                  .anyMatch(payload -> payload.replace(" ", "").equals("{\"v\":2}")));
    }
    eventually(() -> assertThat(revisions(TASK)).hasSize(2));
    int polled = stack.history(POLL).size();
    eventually(() -> assertThat(stack.history(POLL)).hasSizeGreaterThan(polled));
    assertThat(revisions(POLL)).hasSize(1);
  }

  private List<String> revisions(String scheduleId) throws SQLException {
    return stack.postgres.query(
        "SELECT DISTINCT revision FROM fires WHERE schedule_id = '" + scheduleId + "'");
  }

  @Test
  @Order(5)
  void the_webhook_gets_each_fire_in_order_though_it_fails_is_slow_says_429_and_goes_away()
      throws SQLException {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger requests = new AtomicInteger();
    stack.webhookAnswers(rough(requests, never));
    eventually(() -> assertThat(requests).hasValueGreaterThan(3 * KINDS_OF_ANSWERS));
    stack.stopWebhook();
    never.countDown();
    int before = stack.history(JOB).size();
    eventually(() -> assertThat(stack.history(JOB)).hasSizeGreaterThan(before + 1));
    stack.startWebhookAgain();
    Map<String, Set<String>> fired = stack.fired();
    assertThat(fired).containsKeys(ALL.toArray(String[]::new));
    for (String id : ALL) {
      eventually(() -> assertThat(stack.deliveredIds(id)).as(id).containsAll(fired.get(id)));
      assertThat(stack.delivered(id))
          .as(id)
          .extracting(request -> Instant.parse(request.attribute("time")))
          .isSorted();
    }
  }

  private static Function<Received, Reply> rough(AtomicInteger requests, CountDownLatch never) {
    return request ->
        switch (requests.getAndIncrement() % KINDS_OF_ANSWERS) {
          case 1 -> Reply.of(503);
          case 2 -> {
            pause(never);
            yield Reply.of(204);
          }
          case 3 -> new Reply(429, Map.of("Retry-After", "1"), "");
          default -> Reply.of(204);
        };
  }

  private static void pause(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Order(6)
  void a_paused_row_pauses_and_a_deleted_one_deletes() throws SQLException {
    stack.postgres.sql(
        "UPDATE jobs SET enabled = false; UPDATE workflows SET status = 'paused' WHERE id = 7;"
            + "UPDATE tasks SET paused = true;");
    eventually(
        () ->
            assertThat(stack.states())
                .containsEntry(JOB, State.PAUSED)
                .containsEntry(WORKFLOW, State.PAUSED)
                .containsEntry(TASK, State.PAUSED));
    stack.postgres.sql("UPDATE tasks SET paused = false; DELETE FROM workflows WHERE id = 7;");
    eventually(
        () ->
            assertThat(stack.states())
                .containsEntry(TASK, State.ACTIVE)
                .doesNotContainKey(WORKFLOW));
  }

  /** For a primary key, and for a column that Debezium is configured to use as the key. */
  @Test
  @Order(7)
  void a_renamed_row_is_a_schedule_under_its_new_name_alone() throws SQLException {
    stack.postgres.sql(
        "INSERT INTO tasks VALUES ('before', 'interval', null, 1000, false, now());"
            + "UPDATE tasks SET id = 'renamed' WHERE id = 'before';"
            + "UPDATE reports SET name = 'hourly'; UPDATE reports SET every = '2s'");
    eventually(
        () ->
            assertThat(stack.states())
                .containsEntry("tasks/renamed", State.ACTIVE)
                .containsEntry("reports/hourly", State.ACTIVE)
                .doesNotContainKeys("tasks/before", "reports/daily"));
    stack.postgres.sql("DELETE FROM tasks WHERE id = 'renamed'; DELETE FROM reports");
    eventually(
        () -> assertThat(stack.states()).doesNotContainKeys("tasks/renamed", "reports/hourly"));
  }

  @Test
  @Order(8)
  void bad_rows_go_to_the_error_topic_with_the_reason_and_stop_nothing() throws Exception {
    stack.postgres.sql(
        "INSERT INTO jobs (name, job_class, cron) VALUES ('odd', 'OddJob', '61 * * * *');"
            + "INSERT INTO jobs (name, job_class, anchor, interval, interval_unit)"
            + " VALUES ('endless', 'OddJob', 'infinity', 1, 'day');"
            + "INSERT INTO polls VALUES ('00000000-0000-0000-0000-000000000001', '1 month 2 hours');"
            + "INSERT INTO polls VALUES ('00000000-0000-0000-0000-000000000002', '-1 second');"
            + "INSERT INTO workflows VALUES (9, 'wf', 'weekly', '1d', 'active', null);"
            + "INSERT INTO tasks VALUES ('never', 'once', null, null, false, '-infinity');"
            + "INSERT INTO tasks VALUES ('after', 'interval', null, 1000, false, now())");
    eventually(() -> assertThat(stack.states()).containsEntry("tasks/after", State.ACTIVE));
    eventually(() -> assertThat(refusals()).containsOnlyKeys(BAD.keySet()));
    Map<String, String> reasons = refusals();
    BAD.forEach((id, column) -> assertThat(reasons.get(id)).as(id).contains(column));
    assertThat(stack.connect.failures()).isEmpty();
  }

  /** The reasons in the error topic, by what they are about. */
  private Map<String, String> refusals() {
    Map<String, String> reasons = new HashMap<>();
    for (ConsumerRecord<String, byte[]> refused : stack.records(stack.topics.dlq())) {
      byte[] reason = refused.headers().lastHeader(HeaderNames.ERROR).value();
      reasons.put(refused.key(), new String(reason, StandardCharsets.UTF_8));
    }
    return reasons;
  }

  private int fires(String scheduleId) {
    return stack.fired().getOrDefault(scheduleId, Set.of()).size();
  }

  @Test
  @Order(9)
  void nothing_is_lost_when_connect_postgresql_and_the_broker_go_and_come_back() throws Exception {
    stack.connect.close();
    stack.postgres.sql("UPDATE jobs SET enabled = true WHERE name = 'sync'");
    stack.connect.start();
    eventually(() -> assertThat(stack.states()).containsEntry(JOB, State.ACTIVE));
    stack.postgres.crash();
    // the history finds no database, and more than once
    int before = fires(JOB);
    eventually(() -> assertThat(fires(JOB)).isGreaterThan(before + 2));
    stack.postgres.startAgain();
    stack.postgres.sql("INSERT INTO tasks VALUES ('t2', 'interval', null, 1000, false, now())");
    stack.restartKafka();
    stack.postgres.sql("INSERT INTO tasks VALUES ('t3', 'interval', null, 1000, false, now())");
    List<String> added = List.of("tasks/t2", "tasks/t3");
    for (String id : added) {
      eventually(
          () -> {
            stack.restartHistory(); // its commit may have been under way in the crash
            assertThat(stack.history(id)).as(id).isNotEmpty();
          });
    }
    stack.postgres.sql("DELETE FROM jobs; DELETE FROM polls; DELETE FROM tasks;");
    List<String> deleted = List.of(JOB, POLL, TASK, "tasks/after", "tasks/t2", "tasks/t3");
    eventually(() -> assertThat(stack.states()).doesNotContainKeys(deleted.toArray(String[]::new)));
    Map<String, Set<String>> fired = stack.fired();
    assertThat(fired).containsKeys(deleted.toArray(String[]::new));
    assertThat(fired).containsKeys(WORKFLOW, "workflows/8").doesNotContainKey(FOUND_DONE);
    fired.forEach(
        (id, ids) ->
            eventually(
                () -> {
                  assertThat(stack.history(id))
                      .as("history of " + id)
                      .containsExactlyInAnyOrderElementsOf(ids);
                  assertThat(stack.deliveredIds(id)).as("delivered of " + id).isEqualTo(ids);
                }));
    assertThat(stack.connect.failures()).isEmpty();
  }
}

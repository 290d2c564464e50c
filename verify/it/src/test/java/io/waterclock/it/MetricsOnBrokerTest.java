package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.testkit.Scrape;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Compares the metrics of running instances with the dashboard, the alerts and the table. */
@Timeout(600)
final class MetricsOnBrokerTest {
  private static final Path DOCS = Path.of("..", "..", "docs");

  /** What Prometheus adds to each sample that it scrapes. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  /** Labels whose values no document can name. */
  private static final Set<String> OPEN = Set.of("partition", "schedule", "le");

  /** The owners of schedules, and not those of the settings. */
  private static final Set<String> OF_OWNERS =
      Set.of(
          "waterclock_failing_schedules",
          "waterclock_overdue_schedules",
          "waterclock_owner_missed_lately",
          "waterclock_owner_rejected_lately");

  private static final Pattern ROW = Pattern.compile("\\| `(waterclock_\\w+)` \\|.*\\|.*\\|.*\\|");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern ALERT_NAMES =
      Pattern.compile("alertname=~?\"(\\w+)(?:\\(([\\w|]+)\\))?\"");
  private static final Pattern ALERT_LABEL = Pattern.compile("\\$labels\\.(\\w+)");

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_SESSIONS);

  @Test
  void everything_that_the_dashboard_the_alerts_and_the_table_name_is_there() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "metrics", dir);
    try (Waterclock scheduler =
            Waterclock.start(
                tenant.config(
                    Map.of("partitions", "2", "targets.allow", "metrics.*", "limits", "true")));
        Producing schedules = tenant.schedules();
        Producing outcomes = tenant.outcomes()) {
      schedules.put("team/fails", "{\"every\":\"1s\",\"anchor\":\"2026-01-01T00:00:00Z\"}");
      schedules.put("a", "{\"every\":\"1s\"}");
      schedules.put("team/silent", "{\"every\":\"1s\",\"expect\":{\"succeeded_within\":\"1s\"}}");
      schedules.put("wrong", "{\"every\":\"0s\"}");
      schedules.put("late", "{\"every\":\"1s\",\"grace\":\"PT0.001S\",\"catch_up\":\"skip\"}");
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                // again and again: a producer that a loaded machine replaces counts from nothing
                schedules.put("not an id", "{\"every\":\"1s\"}");
                reportFailures(outcomes, "team/fails");
                assertAllNamed(scrape(scheduler));
              });
    }
  }

  /** Of the latest occurrences of a schedule that occurs at each second. */
  private static void reportFailures(Producing outcomes, String id) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    for (int second = 1; second <= 5; second++) {
      String key = FireKey.of(ScheduleId.parse(id), now.minusSeconds(second)).text();
      outcomes.put(id, "{\"fire_key\":\"" + key + "\",\"state\":\"failed\"}");
    }
  }

  @Test
  void an_alert_says_how_bad_it_is_and_what_to_do_and_names_labels_that_it_has() throws Exception {
    assertThat(alerts()).hasSizeGreaterThan(5);
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asText();
      assertThat(alert.at("/labels/severity").asText()).as(name).isIn("warning", "critical");
      JsonNode annotations = alert.path("annotations");
      assertThat(annotations.path("summary").asText()).as(name).isNotEmpty();
      assertThat(annotations.path("description").asText()).as(name).isNotEmpty();
      Promql query = Promql.parse(alert.path("expr").asText());
      Set<String> has = query.grouped().isEmpty() ? ADDED : query.grouped();
      assertThat(has)
          .as(name)
          .containsAll(
              ALERT_LABEL
                  .matcher(annotations.toString())
                  .results()
                  .map(found -> found.group(1))
                  .toList());
    }
    assertThat(alerts())
        .extracting(alert -> alert.path("alert").asText())
        .doesNotHaveDuplicates()
        .contains("WaterclockWatermarkOld", "WaterclockOccurrenceMissed");
  }

  @Test
  void the_runbook_has_a_section_for_each_alert_and_no_other() throws Exception {
    List<String> sections =
        Pattern.compile("(?m)^## (\\w+)$")
            .matcher(Files.readString(DOCS.resolve("runbook.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(alerts())
        .extracting(alert -> alert.at("/annotations/runbook").asText())
        .containsExactlyElementsOf(
            sections.stream()
                .map(name -> "docs/runbook.md#" + name.toLowerCase(Locale.ROOT))
                .toList());
    assertThat(alerts())
        .extracting(alert -> alert.path("alert").asText())
        .containsExactlyElementsOf(sections);
  }

  @Test
  void what_holds_alerts_back_names_alerts_that_there_are() throws Exception {
    JsonNode example = new YAMLMapper().readTree(DOCS.resolve("alertmanager.yml").toFile());
    Set<String> names =
        alerts().stream().map(alert -> alert.path("alert").asText()).collect(Collectors.toSet());
    List<String> matchers = new ArrayList<>();
    example
        .path("inhibit_rules")
        .forEach(
            rule ->
                List.of("source_matchers", "target_matchers")
                    .forEach(side -> rule.path(side).forEach(one -> matchers.add(one.asText()))));
    assertThat(matchers).hasSizeGreaterThan(5);
    for (String matcher : matchers) {
      Matcher parts = ALERT_NAMES.matcher(matcher);
      assertThat(parts.matches()).as(matcher).isTrue();
      List<String> named =
          parts.group(2) == null
              ? List.of(parts.group(1))
              : Stream.of(parts.group(2).split("\\|")).map(end -> parts.group(1) + end).toList();
      assertThat(names).as(matcher).containsAll(named);
    }
  }

  /** By Prometheus' own tool, where it is installed: docs/testing.md says how. */
  @Test
  void the_rules_do_what_their_tests_say() throws Exception {
    String tests = Files.readString(DOCS.resolve("alerts-test.yml"));
    assertThat(alerts())
        .extracting(alert -> alert.path("alert").asText())
        .allMatch(tests::contains);
    Optional<Path> promtool =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeThat(promtool).isPresent();
    Process process =
        new ProcessBuilder(
                promtool.orElseThrow().toString(),
                "test",
                "rules",
                DOCS.resolve("alerts-test.yml").toString(),
                Path.of("src", "test", "resources", "recorded-alerts.yml").toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  /** A job is a group of instances: what one of them has must not hide what another one lacks. */
  @Test
  void an_alert_looks_at_each_job_or_at_each_instance() throws Exception {
    for (JsonNode alert : alerts()) {
      String query = alert.path("expr").asText();
      assertThat(query).doesNotContain("absent(");
      Set<String> grouped = Promql.parse(query).grouped();
      assertThat(grouped.isEmpty() || grouped.contains("job")).as(query).isTrue();
    }
  }

  @Test
  @Tag("all")
  void instances_count_together_what_the_topic_has_though_partitions_move() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "moving", dir);
    int each = 6;
    int count = 30;
    int all = 2 * count * each;
    try (Waterclock one = Waterclock.start(config(tenant, "one"));
        Producing schedules = tenant.schedules()) {
      for (int i = 0; i < count; i++) {
        schedules.put("s" + i, "{\"every\":\"1s\",\"max_occurrences\":" + each + "}");
      }
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> scrape(one).sum("waterclock_fires_total") >= count);
      try (Waterclock two = Waterclock.start(config(tenant, "two"))) {
        await().atMost(Duration.ofMinutes(4)).until(() -> !partitions(scrape(two)).isEmpty());
        for (int i = count; i < 2 * count; i++) {
          schedules.put("s" + i, "{\"every\":\"1s\",\"max_occurrences\":" + each + "}");
        }
        await()
            .atMost(Duration.ofMinutes(4))
            .until(
                () ->
                    scrape(one).sum("waterclock_fires_total")
                            + scrape(two).sum("waterclock_fires_total")
                        >= all);
        Set<String> partitionsOfOne = partitions(scrape(one));
        Set<String> partitionsOfTwo = partitions(scrape(two));
        assertThat(partitionsOfOne).isNotEmpty().doesNotContainAnyElementsOf(partitionsOfTwo);
        assertThat(Stream.concat(partitionsOfOne.stream(), partitionsOfTwo.stream()))
            .containsExactlyInAnyOrder("0", "1", "2", "3");
        try (TopicReader<?> fires = tenant.fires()) {
          assertThat(fires.toEnd()).hasSize(all);
        }
        assertThat(
                scrape(one).sum("waterclock_fires_total")
                    + scrape(two).sum("waterclock_fires_total"))
            .isEqualTo(all);
        assertThat(scrape(two).sum("waterclock_fires_total")).isPositive();
      }
    }
  }

  private static void assertAllNamed(Scrape scrape) throws IOException {
    assertThat(scrape.sum("waterclock_fires_total")).isPositive();
    for (String query : dashboard()) {
      assertAnswered(query, scrape);
    }
    for (JsonNode alert : alerts()) {
      assertAnswered(alert.path("expr").asText(), scrape);
    }
    assertTableIsComplete(scrape);
    assertThat(scrape.by("topic", "kafka_consumer_fetch_manager_records_lag").keySet())
        .anyMatch(topic -> topic.endsWith("fires"));
    assertThat(scrape.by("rocksdb_state_id", "kafka_stream_state_put_rate"))
        .as("a metric that the store in memory has too")
        .containsOnlyKeys("schedules", "progress", "commands", "limiter");
  }

  private static WaterclockConfig config(Tenant tenant, String instance) {
    return WaterclockConfig.parse(tenant.settings(instance, Map.of("partitions", "4")));
  }

  private static Set<String> partitions(Scrape scrape) {
    return scrape.by("partition", "waterclock_schedules").keySet();
  }

  private static Scrape scrape(Waterclock scheduler) throws IOException, InterruptedException {
    int port = scheduler.healthPort().orElseThrow();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return Scrape.of(answer.body());
  }

  /** The queries of the dashboard: of its panels and of its variables. */
  private static List<String> dashboard() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(DOCS.resolve("grafana-dashboard.json").toFile());
    List<String> queries = new ArrayList<>(dashboard.findValuesAsText("expr"));
    dashboard
        .at("/templating/list")
        .forEach(
            variable -> {
              if (variable.path("type").asText().equals("query")) {
                queries.add(variable.at("/query/query").asText());
              }
            });
    assertThat(queries).hasSizeGreaterThan(20);
    return queries;
  }

  private static List<JsonNode> alerts() throws IOException {
    List<JsonNode> alerts = new ArrayList<>();
    new YAMLMapper()
        .readTree(DOCS.resolve("alerts.yml").toFile())
        .path("groups")
        .forEach(group -> group.path("rules").forEach(alerts::add));
    return alerts;
  }

  private static void assertAnswered(String query, Scrape scrape) {
    Promql parsed = Promql.parse(query);
    assertThat(parsed.selectors()).as(query).isNotEmpty();
    Set<String> labels = new TreeSet<>(ADDED);
    for (Promql.Selector selector : parsed.selectors()) {
      List<Scrape.Sample> samples = scrape.samples(selector.name());
      assertThat(samples).as("%s in %s", selector.name(), query).isNotEmpty();
      samples.forEach(sample -> labels.addAll(sample.labels().keySet()));
      for (Promql.Condition condition : selector.conditions()) {
        if (!ADDED.contains(condition.label())) {
          assertThat(samples)
              .as("%s in %s", condition, query)
              .anyMatch(sample -> meets(sample, condition));
        }
      }
    }
    assertThat(labels).as(query).containsAll(parsed.grouped());
  }

  private static boolean meets(Scrape.Sample sample, Promql.Condition condition) {
    String value = sample.labels().get(condition.label());
    return value != null
        && switch (condition.operator()) {
          case "=" -> value.equals(condition.value());
          case "!=" -> !value.equals(condition.value());
          case "=~" -> value.matches(condition.value());
          case "!~" -> !value.matches(condition.value());
          default -> throw new AssertionError("no operator: " + condition.operator());
        };
  }

  private static void assertTableIsComplete(Scrape scrape) throws IOException {
    Map<String, Set<String>> documented = new TreeMap<>();
    ROW.matcher(Files.readString(DOCS.resolve("metrics.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), quoted(row)));
    List<Scrape.Sample> own =
        scrape.samples().stream().filter(s -> s.name().startsWith("waterclock_")).toList();
    assertThat(own.stream().map(MetricsOnBrokerTest::family).collect(Collectors.toSet()))
        .isEqualTo(documented.keySet());
    for (Scrape.Sample sample : own) {
      Set<String> row = documented.getOrDefault(family(sample), Set.of());
      sample
          .labels()
          .forEach(
              (label, value) -> {
                assertThat(row.contains(label) || label.equals("le")).as("%s", sample).isTrue();
                assertThat(row.contains(value) || isOpen(sample, label)).as("%s", sample).isTrue();
              });
    }
  }

  /** The causes of the histogram are those of the counter. */
  private static boolean isOpen(Scrape.Sample sample, String label) {
    return OPEN.contains(label)
        || (label.equals("owner") && OF_OWNERS.contains(sample.name()))
        || sample.name().startsWith("waterclock_fire_lateness_seconds");
  }

  private static Set<String> quoted(MatchResult row) {
    return QUOTED
        .matcher(row.group())
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  private static String family(Scrape.Sample sample) {
    return sample.name().replaceFirst("_seconds_(bucket|sum|count)$", "_seconds");
  }
}

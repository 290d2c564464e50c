package io.waterclock.cli.moving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole sets of schedules move: each entry is moved and compared, or left behind with a reason, and
 * nothing is dropped silently.
 */
final class MigrationTest {
  private static final Pattern COUNTS =
      Pattern.compile("(\\d+) schedules? moved, (\\d+) left behind.*");
  private static final Pattern PROOF =
      Pattern.compile(
          "proof: (\\S+): (\\d+) occurrences up to \\S+ are the same, (\\d+) differ\\.");

  /** Objects that the report names as a whole. */
  private static final Set<String> LEFT_OUT = Set.of("annotations", "memo");

  @TempDir Path folder;

  /** What moved, and the report. */
  private record Migration(List<String> ids, String yaml, List<String> report) {
    long moved() {
      return count(1);
    }

    long left() {
      return count(2);
    }

    private long count(int group) {
      Matcher counts = COUNTS.matcher(report.get(0));
      assertThat(counts.matches()).as(report.get(0)).isTrue();
      return Long.parseLong(counts.group(group));
    }

    /** The ids of the schedules that were compared, with how many occurrences differ. */
    Map<String, Integer> proofs() {
      Map<String, Integer> proofs = new TreeMap<>();
      for (String line : report) {
        Matcher proof = PROOF.matcher(line);
        if (proof.matches()) {
          assertThat(Integer.parseInt(proof.group(2))).as(line).isPositive();
          proofs.put(proof.group(1), Integer.parseInt(proof.group(3)));
        }
      }
      return proofs;
    }
  }

  private Migration migrate(String system, String source, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("import-from", system, source));
    words.addAll(List.of(more));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isIn(0, 2);
    List<String> report = run.err().lines().toList();
    List<String> ids =
        run.out()
            .lines()
            .filter(line -> line.startsWith("schedule: "))
            .map(line -> line.substring("schedule: ".length()).replace("\"", ""))
            .toList();
    Migration migration = new Migration(ids, run.out(), report);
    assertThat(migration.moved()).isEqualTo(ids.size());
    if (!ids.isEmpty()) {
      readsAsWritten(run.out(), ids.size());
    }
    return migration;
  }

  /** The file is one that apply accepts. */
  private void readsAsWritten(String yaml, int schedules) throws IOException {
    String file = Files.writeString(folder.resolve("moved.yaml"), yaml).toString();
    CliRun diff = CliRun.of("diff", file, "--before", file, "--days=1");
    assertThat(diff.exitCode()).as(diff.err()).isZero();
    assertThat(diff.out()).startsWith("0 of " + schedules + " schedules differ");
  }

  private String resource(String name) throws IOException {
    try (InputStream in = MigrationTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  @Tag("all")
  void a_crontab_of_sixty_lines() throws IOException {
    String crontab = resource("crontab.txt");
    assertThat(crontab.lines()).hasSize(60);
    List<String> entries = crontab.lines().filter(line -> line.matches("[-@0-9*].*")).toList();

    Migration migration = migrate("crontab", file("crontab.txt", crontab), "--prove=500");

    assertThat(entries).hasSize(48);
    assertThat(migration.moved() + migration.left()).isEqualTo(entries.size());
    List<String> left =
        migration.report().stream()
            .filter(line -> line.startsWith("left behind: "))
            .map(line -> line.replaceFirst("left behind: line \\d+: ", ""))
            .toList();
    assertThat(left)
        .containsExactly(
            "@reboot /opt/app/warm-up.sh",
            "0 22-2 * * * /opt/app/night.sh",
            "0~59 3 * * * /opt/app/random.sh",
            "0 0 L * * /opt/app/month-end.sh",
            "0 9 * * 8 /opt/app/eighth-day.sh",
            "5/15 * * * * /opt/app/from-five.sh");
    assertThat(migration.proofs()).hasSize((int) migration.moved());
    assertThat(String.join("\n", migration.report())).doesNotContain("unexplained");
    assertThat(migration.yaml())
        .contains("jitter: PT30M", "timezone: Europe/Berlin", "timezone: UTC")
        .contains("MAILTO: \"ops@example.org\"", "stdin: \"hello\\nthere\\n\"");
    assertThat(String.join("\n", migration.report()))
        .contains("It names no zone, so cron uses that of its machine; here it is UTC.")
        .contains("the minus sign, which keeps the command out of the log");
  }

  @Test
  void the_tables_of_quartz() throws Exception {
    String url = "jdbc:h2:mem:migration";
    try (Connection database = DriverManager.getConnection(url, "app", "");
        Statement statement = database.createStatement()) {
      String ddl = resource("/org/quartz/impl/jdbcjobstore/tables_h2.sql");
      for (String one : (ddl + ";" + resource("quartz.sql")).split(";", -1)) {
        if (!one.isBlank() && !one.strip().equalsIgnoreCase("COMMIT")) {
          statement.execute(one);
        }
      }
      String secret = file("secret", "\n");

      Migration migration =
          migrate("quartz", url, "--user=app", "--password-file=" + secret, "--prove=500");

      assertThat(migration.ids())
          .containsExactly(
              "billing/daily",
              "billing/hourly",
              "billing/month-end",
              "billing/once",
              "mail/paused");
      assertThat(migration.report().stream().filter(line -> line.startsWith("left behind: ")))
          .containsExactly(
              "left behind: trigger billing/done",
              "left behind: trigger mail/blob",
              "left behind: trigger mail/holidays");
      assertThat(migration.proofs())
          .containsOnlyKeys("billing/daily", "billing/hourly", "billing/month-end", "mail/paused");
      assertThat(String.join("\n", migration.report()))
          .contains("billing/daily: Left out, as it has no equal here: the recovery of a run")
          .contains("proof: billing/once: there is no library to compare it with.");
    }
  }

  @Test
  void cron_jobs_of_kubernetes() throws IOException {
    Migration migration =
        migrate(
            "kubernetes", file("jobs.yaml", "---\n" + resource("cronjobs.yaml")), "--prove=500");

    assertThat(migration.ids())
        .containsExactly(
            "billing/report",
            "billing/odd-days-or-wednesdays",
            "default/every-minute",
            "ops/zoned");
    assertThat(migration.left()).isOne();
    assertThat(migration.report())
        .anyMatch(line -> line.equals("left behind: Service billing/web"));
    assertThat(migration.proofs().keySet()).containsExactlyInAnyOrderElementsOf(migration.ids());
    assertThat(migration.report())
        .contains(
            "billing/report: Left out, as it has no equal here: metadata.annotations,"
                + " spec.successfulJobsHistoryLimit.");
  }

  @ParameterizedTest
  @CsvSource({
    "eventbridge, eventbridge.json, 4, 1",
    "temporal, temporal.json, 5, 1",
    "kubernetes, cronjobs.yaml, 4, 1",
  })
  void a_field_that_is_not_known_is_never_dropped_silently(
      String system, String name, int moved, int left) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<String> markers = new ArrayList<>();
    StringBuilder marked = new StringBuilder();
    String separator = system.equals("kubernetes") ? "---\n" : "";
    List<String> documents = List.of(resource(name).split("(?m)^---$", -1));
    for (String one : documents) {
      JsonNode tree = json.readTree(one);
      if (!one.equals(documents.get(documents.size() - 1))) {
        mark(tree, markers);
      } // the last one is left behind
      marked.append(separator).append(json.writeValueAsString(tree)).append('\n');
    }

    Migration migration = migrate(system, file(name, marked.toString()), "--prove=100");

    assertThat(migration.moved()).isEqualTo(moved);
    assertThat(migration.left()).isEqualTo(left);
    assertThat(markers).hasSizeGreaterThan(10);
    String all = migration.yaml() + String.join("\n", migration.report());
    assertThat(markers).allSatisfy(marker -> assertThat(all).contains(marker));
  }

  /** Adds a field to each object that is moved. */
  private static void mark(JsonNode tree, List<String> markers) {
    tree.properties().stream()
        .filter(field -> !LEFT_OUT.contains(field.getKey()))
        .forEach(field -> mark(field.getValue(), markers));
    if (tree.isArray()) {
      tree.forEach(element -> mark(element, markers));
    }
    if (tree instanceof ObjectNode object) {
      String marker = "unknown" + markers.size() + "x";
      object.put(marker, "y");
      markers.add(marker);
    }
  }
}

package io.waterclock.cli.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImportFromCommandTest {
  @TempDir Path dir;

  @Test
  void a_file_is_written_once_and_the_report_goes_to_standard_error() throws Exception {
    Path output = dir.resolve("cron.yaml");
    String[] command = {
      "import-from", "crontab", "-", "--prefix", "ops/", "--output", output.toString()
    };
    CliRun run = CliRun.withInput("0 9 * * 1-5 /bin/report\n", command);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("1 schedule moved, 0 left behind.");
    assertThat(Files.readString(output))
        .startsWith("---\n# It names no zone, so cron uses that of its machine; here it is UTC.\n")
        .contains("schedule: ops/report\ncron: \"0 9 * * 1-5\"\n");
    CliRun again = CliRun.withInput("0 9 * * 1-5 /bin/report\n", command);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("exists already");
  }

  @Test
  void schedules_that_are_not_written_whole_are_a_failure() {
    CliRun run = CliRun.onFullDisk("0 9 * * 1-5 /bin/report\n", "import-from", "crontab", "-");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("not written whole").doesNotContain("moved");
  }

  /** 2 is for what is left behind. */
  @Test
  void wrong_usage_has_the_exit_code_1() {
    CliRun unknown = CliRun.of("import-from", "foo", "x");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err())
        .contains(
            "\"foo\" is none of crontab, quartz, spring, eventbridge, kubernetes, db-scheduler");
    assertThat(CliRun.of("import-from", "quartz", "-", "--users").exitCode()).isEqualTo(1);
    assertThat(CliRun.of("import-from", "quartz", "-", "--no-such").exitCode()).isEqualTo(1);
  }

  @Test
  void what_is_left_behind_makes_the_exit_code_2() {
    CliRun run = CliRun.withInput("@reboot x\n", "import-from", "crontab", "-");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("left behind: line 1: @reboot x");
  }

  @Test
  void an_owner_is_that_of_all_schedules_and_fields_without_an_equal_are_counted() {
    CliRun run =
        CliRun.withInput(
            "-0 9 * * 1-5 /bin/report\n", "import-from", "crontab", "-", "--owner", "billing");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("owner: billing");
    assertThat(run.err())
        .startsWith("1 schedule moved, 0 left behind, 1 fields of those moved left out.");
  }

  @Test
  void a_proof_without_an_occurrence_is_none() {
    String never =
        """
        <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData">
          <schedule><trigger><cron>
            <name>a</name><job-name>j</job-name>
            <start-time>2090-01-01T10:00:00Z</start-time><end-time>2090-01-02T08:00:00Z</end-time>
            <cron-expression>0 0 9 * * ?</cron-expression><time-zone>UTC</time-zone>
          </cron></trigger></schedule>
        </job-scheduling-data>
        """;
    CliRun run = CliRun.withInput(never, "import-from", "quartz", "-", "--prove");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("proof: DEFAULT/a: nothing to compare, as neither side occurs after ")
        .doesNotContain("are the same");
  }

  @Test
  void sources_that_cannot_be_read_say_why() {
    assertThat(CliRun.withInput("<a/>", "import-from", "quartz", "-").err())
        .contains("the root element is <a>, not <job-scheduling-data>");
    assertThat(CliRun.of("import-from", "quartz", "/no/such/file").err())
        .contains("There is no file /no/such/file.");
    assertThat(CliRun.of("import-from", "spring", "/no/such/folder").err())
        .contains("/no/such/folder");
    assertThat(CliRun.of("import-from", "db-scheduler", "tasks.json").err())
        .contains("give a JDBC URL");
    assertThat(CliRun.of("import-from", "quartz", "jdbc:nosuch:x?password=s3cret").err())
        .contains("There is no driver for jdbc:nosuch:...")
        .doesNotContain("s3cret");
    assertThat(CliRun.of("import-from", "crontab", "jdbc:h2:mem:x").err())
        .contains("crontab is read from a file, not from a database");
    assertThat(CliRun.of("import-from", "airflow", "x").err()).contains("airflow");
    assertThat(CliRun.of("import-from", "crontab", "-", "--jars", "/no/such.jar").err())
        .contains("--jars: there is no file /no/such.jar.");
  }
}

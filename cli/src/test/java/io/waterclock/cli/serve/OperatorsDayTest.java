package io.waterclock.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays the session of docs/operations.md against {@code waterclock dev}. Each command must print
 * what the page shows, except times, ids, names of instances, and the number of occurrences; a
 * number above zero on the page must be above zero. A line of three dots matches any lines.
 */
@Timeout(600)
@Tag("all")
final class OperatorsDayTest {
  private static final Path PAGE = Path.of("..", "docs", "operations.md");
  private static final Pattern SESSION =
      Pattern.compile(
          "## A day\\n.*?```yaml\\n(.*?)```\\n\\n```console\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern BULK_ID =
      Pattern.compile("(?:pause|resume)-\\d{8}T[0-9.]+Z-[0-9a-f]{8}");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Pattern ACCOUNT =
      Pattern.compile("(\\d+) occurrences, (\\d+) fired, (\\d+) missed");
  private static final String PROMPT = "$ ";
  private static final String DOTS = "...";

  @TempDir Path dir;
  private String bulkId = "";

  /**
   * A command line and its output.
   *
   * @param output the lines of both streams
   */
  private record Step(String typed, List<String> output) {}

  @Test
  void the_session_prints_what_is_documented() throws Exception {
    List<Step> steps = session();
    assertThat(steps).hasSizeGreaterThan(10);
    Matcher page = SESSION.matcher(Files.readString(PAGE));
    assertThat(page.find()).isTrue();
    Files.writeString(
        Files.createDirectory(dir.resolve("schedules")).resolve("acme.yaml"), page.group(1));
    try (DevProcess dev = DevProcess.start(dir.resolve("data"))) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> dev.lines().stream().anyMatch(line -> line.contains("SCHEDULED")));
      for (Step step : steps) {
        replay(step, dev.bootstrapServer());
      }
      assertThat(dev.terminate()).isZero();
    }
  }

  private void replay(Step step, String bootstrapServer) throws InterruptedException {
    List<String> words = words(step.typed());
    if (words.get(0).equals("sleep")) {
      Thread.sleep(Duration.ofSeconds(Long.parseLong(words.get(1))).toMillis());
      return;
    }
    assertThat(words.get(0)).isEqualTo("./waterclock");
    List<String> args = new ArrayList<>(words.subList(1, words.size()));
    args.replaceAll(word -> BULK_ID.matcher(word).matches() ? bulkId : word);
    args.replaceAll(word -> word.equals("schedules/") ? dir.resolve(word).toString() : word);
    args.add("--bootstrap-server");
    args.add(bootstrapServer);
    CliRun run = CliRun.today(args.toArray(String[]::new));
    List<String> printed = new ArrayList<>(run.err().lines().map(OperatorsDayTest::plain).toList());
    printed.removeIf(line -> line.startsWith("waterclock: read "));
    Matcher bulk = BULK_ID.matcher(run.err());
    bulkId = bulk.find() ? bulk.group() : bulkId;
    printed.addAll(run.out().lines().map(OperatorsDayTest::plain).toList());
    assertThat(String.join("\n", printed)).as(step.typed()).matches(pattern(step.output()));
    run.out().lines().forEach(OperatorsDayTest::assertAddsUp);
  }

  /** The numbers vary, but every occurrence has been fired or missed. */
  private static void assertAddsUp(String line) {
    Matcher account = ACCOUNT.matcher(line);
    if (account.find()) {
      assertThat(Long.parseLong(account.group(2)) + Long.parseLong(account.group(3)))
          .as(line)
          .isEqualTo(Long.parseLong(account.group(1)));
    }
  }

  private static Pattern pattern(List<String> shown) {
    StringBuilder pattern = new StringBuilder();
    for (String line : shown) {
      pattern.append(
          line.equals(DOTS) ? "(?:.*\\n|.+$)*?" : Pattern.quote(plain(line)) + "(?:\\n|$)");
    }
    return Pattern.compile(pattern.toString());
  }

  /** A line without the parts that differ from run to run. */
  private static String plain(String line) {
    return line.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll(BULK_ID.pattern(), "BULK")
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UUID")
        .replaceAll("[0-9]+@[A-Za-z0-9.-]+", "INSTANCE")
        .replaceAll("127\\.0\\.0\\.1:\\d+", "ADDRESS")
        .replaceAll("\\d+(\\.\\d+)? (ms|s|min|h)\\b", "DURATION")
        .replaceAll(" +", " ")
        .stripTrailing()
        .replaceAll("\\d+(?= due,)", "N")
        .replaceAll("\\b[1-9]\\d*(?= (occurrences|fired|are due|schedules checked)\\b)", "N")
        .replaceAll("\\b\\d+(?= missed\\b)", "N") // none when the pause was short
        .replaceAll("(?<=TIME to TIME )\\([1-9]\\d*\\)", "(N)")
        .replaceAll("(?<=TIME TIME) [1-9]\\d* [1-9]\\d* \\d+$", " N N N");
  }

  private static List<Step> session() throws IOException {
    Matcher session = SESSION.matcher(Files.readString(PAGE));
    assertThat(session.find()).isTrue();
    List<Step> steps = new ArrayList<>();
    for (String line : session.group(2).lines().toList()) {
      if (line.startsWith(PROMPT)) {
        steps.add(new Step(line.substring(PROMPT.length()), new ArrayList<>()));
      } else {
        steps.get(steps.size() - 1).output().add(line);
      }
    }
    return steps;
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group().replaceAll("^['\"]|['\"]$", ""));
    }
    return words;
  }
}

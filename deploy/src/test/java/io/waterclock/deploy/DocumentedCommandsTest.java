package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes the commands of all pages with the unpacked release and its {@code dev}. What is not
 * executed here names the test that does, or what it needs that a build does not have.
 */
@Timeout(900)
final class DocumentedCommandsTest {
  /** The exit code of {@code timeout} for a command that had to be ended. */
  private static final int ENDED = 124;

  private static final Pattern BLOCK =
      Pattern.compile("^ *```(\\w*)\\n(.*?)^ *```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile(
          "(\\./)?waterclock [a-z-]|(kcat|mvn|docker|kubectl|helm|pip|npm|curl|psql|node|go|echo"
              + "|osv-scanner|sha512sum|tar|verify/bench/run|examples/run|kafka-[a-z-]+\\.sh"
              + "|waterclock\\.cmd|\\./waterclock\\.cmd|python3?|sudo|systemctl) .*");

  /**
   * Commands that other tests execute, or nothing here can; the pattern is for page and command.
   */
  private static final Map<String, String> ELSEWHERE = new LinkedHashMap<>();

  static {
    ELSEWHERE.put("time.md .*", "TimePageTest");
    ELSEWHERE.put("what-if.md .*", "WhatIfPageTest");
    ELSEWHERE.put("moving-in.md .*", "MovingInPageTest");
    ELSEWHERE.put("operations.md \\$ .*jq .*", "needs jq");
    ELSEWHERE.put("operations.md \\$ .*", "OperatorsDayTest");
    ELSEWHERE.put("(operations|commands).md .*(context|--cancel) .*", "ConnectionOptionsTest");
    ELSEWHERE.put("connectors.md .*", "StackTest");
    ELSEWHERE.put("console.md .*", "ConsoleRequestsTest, ConsoleCommandTest");
    ELSEWHERE.put("disaster.md .*", "DisasterTest");
    ELSEWHERE.put("dead-letters.md \\$ .*", "DlqCommandTest");
    ELSEWHERE.put(
        "(deploy|platforms).md (docker|psql|kubectl|sudo) .*", "needs Docker, a cluster, or root");
    ELSEWHERE.put("platforms.md helm .*", "HelmTest");
    ELSEWHERE.put("(deploy|platforms).md (tar|sha512sum|mvn|/opt/).*", "ReleaseArchiveTest");
    ELSEWHERE.put("README.md (\\./waterclock (dev|run)|mvn) .*", "ReleaseArchiveTest");
    ELSEWHERE.put("examples/README.md (\\./waterclock|examples/run) .*", "ExamplesTest");
    ELSEWHERE.put(
        "(README|commands).md .* backfill .* --to .*",
        "needs a schedule that is days old; CommandsOnBrokerTest");
    ELSEWHERE.put("targets.md kcat .* -C .*", "needs a topic of yours; RouterOnBrokerTest");
    ELSEWHERE.put("(java|spring).md .*", "JavaGuideTest");
    ELSEWHERE.put("publishing.md .*", "needs a key for signatures, and accounts");
    ELSEWHERE.put("libraries.md .*", "needs today's lists of versions and of advisories");
    ELSEWHERE.put(
        "(internals/)?(performance|measurements).md .*", "needs a quiet machine, and hours");
    ELSEWHERE.put(
        "internals/verification.md .*",
        "needs the source, and hours; SimulationTest, JudgeTest, fuzz");
    ELSEWHERE.put("testing.md mvn .*", "needs half an hour; WorkerKillTest");
    ELSEWHERE.put("outages.md .*", "SetAsideCommandTest, HangingTransactionTest");
  }

  /** What most commands are about. */
  private static final String DEFINITION =
      "waterclock put reports/daily --cron '0 9 * * 1-5' --zone Europe/Berlin";

  /** Whose commands every build executes; each starts a JVM. */
  private static final Set<String> FIRST = Set.of("README.md", "producing.md");

  @TempDir static Path dir;
  private static UnpackedRelease release;
  private static Service scheduler;
  private static String server;
  private static Map<String, String> variables;

  /**
   * A command of a page.
   *
   * @param text as the page has it, on one line
   */
  private record Command(String page, String text) {
    Optional<String> elsewhere() {
      return ELSEWHERE.entrySet().stream()
          .filter(known -> is(known.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    }

    boolean isHere() {
      return elsewhere().isEmpty();
    }

    boolean is(String known) {
      return Pattern.matches("(?s)" + known, page + " " + text + " ");
    }

    /** Whether it goes on until somebody ends it. */
    boolean isEndless() {
      return text.contains("--follow")
          || (text.contains("kcat") && text.matches("(?s).* -[CG] .*") && !text.contains(" -e"));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    release = UnpackedRelease.shared();
    int health = Ports.free();
    server = "127.0.0.1:" + Ports.free();
    variables = Map.of("WATERCLOCK_BOOTSTRAP_SERVERS", server, "HOME", dir.toString());
    List<String> dev =
        List.of(
            release.launcher().toString(),
            "dev",
            "--port",
            server.substring(server.indexOf(':') + 1),
            "--set",
            "health.port=" + health,
            "--set",
            "targets.allow=orders.*");
    scheduler = Service.start(dev, release.environment());
    scheduler.awaitOk(URI.create("http://127.0.0.1:" + health + "/ready"));
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(scheduler.terminate()).isZero();
    scheduler.close();
  }

  private static Stream<String> pages() throws IOException {
    return commands().stream().filter(Command::isHere).map(Command::page).distinct();
  }

  static Stream<String> firstPages() throws IOException {
    return pages().filter(FIRST::contains);
  }

  static Stream<String> otherPages() throws IOException {
    return pages().filter(page -> !FIRST.contains(page));
  }

  @Test
  void pages_have_commands() throws IOException {
    assertThat(commands().stream().map(Command::page).distinct()).hasSizeGreaterThan(15);
    assertThat(firstPages()).hasSameSizeAs(FIRST);
  }

  @ParameterizedTest
  @MethodSource("firstPages")
  void every_command_works_as_the_first_pages_have_it(String page) throws Exception {
    follow(page);
  }

  @ParameterizedTest
  @Tag("all")
  @MethodSource("otherPages")
  void every_command_works_as_its_page_has_it(String page) throws Exception {
    follow(page);
  }

  private static void follow(String page) throws Exception {
    release.bash(DEFINITION, variables);
    boolean hasKcat = Files.isExecutable(Path.of("/usr/bin/kcat"));
    List<String> failures = new ArrayList<>();
    for (Command command : commands()) {
      if (!command.page().equals(page)
          || !command.isHere()
          || (command.text().contains("kcat") && !hasKcat)) {
        continue;
      }
      String text = here(command.text());
      int seconds = command.isEndless() ? 5 : 120;
      UnpackedRelease.Run run =
          release.bash(
              "set -o pipefail; timeout "
                  + seconds
                  + " bash -c '"
                  + text.replace("'", "'\\''")
                  + "'",
              variables);
      if (run.exitCode() != (command.isEndless() ? ENDED : 0)) {
        failures.add(command + " ends with " + run.exitCode() + ": " + run.output());
      }
      if (text.contains("delete reports/daily") || text.contains("'reports/daily|'")) {
        release.bash(DEFINITION, variables);
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void what_names_another_test_names_one_that_is_there() throws IOException {
    List<String> tests;
    try (Stream<Path> files = Files.walk(Documents.ROOT)) {
      tests =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Test.java"))
              .toList();
    }
    assertThat(
            ELSEWHERE.values().stream()
                .flatMap(reason -> Pattern.compile("[A-Za-z]+Test\\b").matcher(reason).results())
                .map(name -> name.group() + ".java")
                .filter(name -> !tests.contains(name)))
        .as("tests that do not exist")
        .isEmpty();
    List<Command> commands = commands();
    assertThat(
            ELSEWHERE.keySet().stream()
                .filter(known -> commands.stream().noneMatch(command -> command.is(known))))
        .as("patterns without a command")
        .isEmpty();
  }

  /** With the broker of this test and an occurrence that is not yet over. */
  private static String here(String command) {
    ZonedDateTime now = ZonedDateTime.now(ZoneId.of("Europe/Berlin"));
    return command
        .replace("127.0.0.1:9092", server)
        .replace("2026-12-24T08:00:00Z", workday(now.plusDays(1)).toString());
  }

  /** Nine o'clock of a day, or of the Monday after it. */
  private static Instant workday(ZonedDateTime from) {
    ZonedDateTime day = from.with(LocalTime.of(9, 0));
    while (day.getDayOfWeek().compareTo(DayOfWeek.FRIDAY) > 0) {
      day = day.plusDays(1);
    }
    return day.toInstant();
  }

  private static List<Command> commands() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(Path.of("README.md"), Path.of("examples/README.md")));
    try (Stream<Path> docs = Files.walk(Documents.ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md"))
          .map(page -> Documents.ROOT.relativize(page))
          .sorted()
          .forEach(pages::add);
    }
    List<Command> commands = new ArrayList<>();
    for (Path page : pages) {
      String name = page.toString().replaceFirst("^docs/", "");
      BLOCK
          .matcher(Files.readString(Documents.ROOT.resolve(page)))
          .results()
          .filter(block -> List.of("", "sh", "bash", "console").contains(block.group(1)))
          .flatMap(block -> lines(block.group(2)))
          .map(line -> new Command(name, line))
          .forEach(commands::add);
    }
    return commands;
  }

  /** The commands of a block, those that go on in the next lines as one. */
  private static Stream<String> lines(String block) {
    String whole = block.replaceAll("\\\\\\n\\s*", "").replaceAll("\\|\\n\\s*", "| ");
    if (whole.contains("while read")) {
      return Stream.of(whole.strip());
    }
    return whole
        .lines()
        .map(line -> line.replaceFirst("\\s{2,}# .*", "").strip())
        .filter(
            line ->
                COMMAND.matcher(line.replaceFirst("^\\$ ", "")).matches()
                    || line.matches("(\\$ )?(\\./)?waterclock [a-z].*"));
  }
}

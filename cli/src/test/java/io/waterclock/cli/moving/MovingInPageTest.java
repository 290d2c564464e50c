package io.waterclock.cli.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example of docs/moving-in.md and compares what it prints with the page. */
final class MovingInPageTest {
  private static final Path PAGE = Path.of("..", "docs", "moving-in.md");
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:^`([\\w.]+)`[^\\n]*:\\n\\n)?^```\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String DATABASE = "jdbc:h2:mem:moving";

  @TempDir Path dir;

  @Test
  void every_example_prints_what_the_page_says() throws Exception {
    List<String> page = new ArrayList<>();
    List<String> printed = new ArrayList<>();
    try (Connection database = database()) {
      Files.writeString(dir.resolve("secret"), "\n");
      Files.createDirectory(dir.resolve("jars")); // the class path of tests has the libraries
      Matcher block = BLOCK.matcher(Files.readString(PAGE));
      while (block.find()) {
        String name = block.group(1);
        List<String> lines = block.group(2).lines().toList();
        if (name != null) {
          Files.writeString(dir.resolve(name), block.group(2));
        } else {
          page.addAll(lines);
          printed.add(lines.get(0));
          printed.addAll(run(lines.get(0)));
        }
      }
      assertThat(database.isValid(1)).isTrue();
    }
    assertThat(printed.stream().filter(line -> line.startsWith("$ "))).hasSize(8);
    assertThat(printed).containsExactlyElementsOf(page);
  }

  private List<String> run(String command) {
    String[] words =
        WORD.matcher(command.replace("$ waterclock ", ""))
            .results()
            .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
            .map(word -> word.startsWith("jdbc:") ? DATABASE : word)
            .map(word -> Files.exists(dir.resolve(word)) ? dir.resolve(word).toString() : word)
            .toArray(String[]::new);
    CliRun run = CliRun.of(words);
    assertThat(run.exitCode()).as("%s: %s", command, run.err()).isIn(0, 2);
    return Stream.of(run.out(), run.err()).flatMap(String::lines).toList();
  }

  private static Connection database() throws SQLException, IOException {
    Connection database = DriverManager.getConnection(DATABASE, "app", "");
    database
        .createStatement()
        .execute(
            """
            CREATE TABLE scheduled_tasks(task_name VARCHAR(99), task_instance VARCHAR(99),
              task_data BLOB, execution_time TIMESTAMP WITH TIME ZONE);
            INSERT INTO scheduled_tasks VALUES('report', 'recurring', NULL, '2026-11-22 09:00:00Z');
            INSERT INTO scheduled_tasks VALUES('mail', '42', NULL, '2026-12-24 18:00:00Z')
            """);
    return database;
  }
}

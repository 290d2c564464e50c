package io.waterclock.cli.create;

import io.waterclock.cli.files.EditorSchema;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.TerminalCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(
    name = "new",
    description = {
      "Write a small service to begin with, in Java or with Spring Boot.",
      "",
      "Its sources are those of docs/java.md and docs/spring.md, which say how to go on. Beside"
          + " them stand schedules for apply, and a JSON Schema with which editors complete and"
          + " check them."
    })
public final class NewCommand extends TerminalCommand {
  private static final String SCHEMA = "waterclock.schema.json";
  private static final String SCHEDULES =
      """
      # yaml-language-server: $schema=../%s
      schedule: reports/daily
      description: the daily report
      cron: "0 9 * * 1-5"
      timezone: Europe/Berlin
      except: [holidays]
      payload: {kind: daily}
      ---
      calendar: holidays
      dates: [2026-12-25/2026-12-26, 2027-01-01]
      """
          .formatted(SCHEMA);

  private static final Pattern POM = Pattern.compile("```xml\\n(<project .*?)```", Pattern.DOTALL);
  private static final Pattern JAVA =
      Pattern.compile("```java\\n(package ([\\w.]+);.*?)```", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");

  /** What to begin with. */
  enum Kind {
    JAVA("java.md", "Kafka and a scheduler (waterclock dev)", "mvn -q compile exec:java"),
    SPRING(
        "spring.md",
        "Kafka at localhost:9092 (the application runs a scheduler of its own)",
        "mvn -q compile spring-boot:run");

    private final String page;
    private final String needed;
    private final String start;

    Kind(String page, String needed, String start) {
      this.page = page;
      this.needed = needed;
      this.start = start;
    }
  }

  @Parameters(index = "0", paramLabel = "KIND", description = "java or spring.")
  Kind kind = Kind.JAVA;

  @Parameters(index = "1", paramLabel = "DIR", description = "A new folder, or an empty one.")
  Path dir = Path.of("");

  @Override
  public Integer call() {
    Map<String, String> files = filesOf(kind.page);
    files.put("schedules/reports.yaml", SCHEDULES);
    files.put(SCHEMA, EditorSchema.text() + "\n");
    try {
      requireEmpty();
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = dir.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
        println(path);
      }
    } catch (IOException e) {
      throw new Failure("The files cannot be written: " + e, e);
    }
    println("");
    println("With " + kind.needed + ", in " + dir + ":");
    println("  " + kind.start);
    println("  waterclock apply schedules");
    return ExitCode.OK;
  }

  private void requireEmpty() throws IOException {
    if (Files.isDirectory(dir)) {
      try (Stream<Path> found = Files.list(dir)) {
        if (found.findAny().isPresent()) {
          throw new Failure(dir + " is not empty; nothing was written. Name a new folder.");
        }
      }
    }
  }

  /**
   * The files of a page, by their paths in a project of Maven: its first pom.xml, and its Java
   * files, those with a package. The build runs what is in a page, so a project that is made of it
   * runs, too.
   *
   * @param page the name of a page in the resources of this package
   */
  private static Map<String, String> filesOf(String page) {
    String text = read(page);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", first(POM, text));
    Matcher java = JAVA.matcher(text);
    while (java.find()) {
      String type = first(TYPE, java.group(1));
      String folder = java.group(2).replace('.', '/');
      String kind = type.endsWith("Test") ? "test" : "main";
      files.put("src/%s/java/%s/%s.java".formatted(kind, folder, type), java.group(1));
    }
    return files;
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("the page has nothing like " + pattern);
    }
    return found.group(1);
  }

  private static String read(String page) {
    try (InputStream in = NewCommand.class.getResourceAsStream(page)) {
      return new String(Objects.requireNonNull(in, page).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

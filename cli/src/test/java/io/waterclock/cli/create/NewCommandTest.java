package io.waterclock.cli.create;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.files.DefinitionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NewCommandTest {
  @TempDir Path dir;

  private static List<String> files(Path project) throws IOException {
    try (Stream<Path> found = Files.walk(project)) {
      return found
          .filter(Files::isRegularFile)
          .map(file -> project.relativize(file).toString())
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "java, src/main/java/com/example/FirstFire.java, waterclock-client",
    "Spring, src/main/java/hello/Hello.java, waterclock-spring-boot-starter"
  })
  void it_writes_the_files_of_a_page_and_schedules_with_their_schema(
      String kind, String source, String artifact) throws IOException {
    Path project = dir.resolve("service");
    CliRun run = CliRun.of("new", kind, project.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(files(project))
        .contains("pom.xml", source, "schedules/reports.yaml", "waterclock.schema.json");
    assertThat(project.resolve("pom.xml"))
        .content()
        .startsWith("<project ")
        .endsWith("</project>\n")
        .contains("<artifactId>" + artifact + "</artifactId>");
    assertThat(project.resolve(source)).content().startsWith("package ").endsWith("}\n");
    assertThat(run.lines()).contains(project.resolve(source).toString());
  }

  @Test
  void apply_reads_the_schedules_and_the_first_line_leads_an_editor_to_the_schema()
      throws IOException {
    CliRun.of("new", "java", dir.toString());
    Path schedules = dir.resolve("schedules");
    DefinitionFiles read = DefinitionFiles.read(List.of(schedules), ZoneOffset.UTC);
    assertThat(read.problems()).isEmpty();
    assertThat(read.schedules())
        .extracting(one -> one.id().value())
        .containsExactly("reports/daily");
    String first = Files.readAllLines(schedules.resolve("reports.yaml")).get(0);
    assertThat(schedules.resolve(first.replaceFirst(".*schema=", ""))).exists();
  }

  @Test
  void a_folder_with_files_stays_as_it_is() throws IOException {
    Files.writeString(dir.resolve("mine"), "");
    CliRun run = CliRun.of("new", "java", dir.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("is not empty; nothing was written");
    assertThat(files(dir)).containsExactly("mine");
  }
}

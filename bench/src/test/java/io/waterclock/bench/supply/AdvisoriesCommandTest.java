package io.waterclock.bench.supply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.bench.run.BadOptionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class AdvisoriesCommandTest {
  /** Ranges and versions of GHSA-jfh8-c2jp-5v3q (Log4Shell), without those before 2.4. */
  private static final String LOG4SHELL =
      """
      {"id":"GHSA-jfh8-c2jp-5v3q","aliases":["CVE-2021-44228"],"modified":"2024-01-01T00:00:00Z",
       "summary":"Remote code injection in Log4j","database_specific":{"severity":"CRITICAL"},
       "affected":[{"package":{"ecosystem":"Maven","name":"org.apache.logging.log4j:log4j-core"},
         "ranges":[{"type":"ECOSYSTEM","events":[{"fixed":"2.15.0"},{"introduced":"2.13.0"}]},
                   {"type":"ECOSYSTEM","events":[{"introduced":"2.4"},{"fixed":"2.12.2"}]}]}]}
      """;

  private static final String OTHERS =
      """
      {"id":"GHSA-%s","modified":"2026-02-03T04:05:06Z","affected":[{
        "package":{"ecosystem":"%s","name":"g:a"},
        "ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"},{"last_affected":"1.2"}]},
                  {"type":"SEMVER","events":[{"introduced":"0"}]}],
        "versions":["9-custom"]}]%s}
      """;

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "2.14.1, true",
    "2.15.0-rc1, true",
    "2.15.0, false",
    "2.12.2, false",
    "2.12.3, false",
    "2.12.1, true",
    "2.4, true",
    "2.4-beta1, false",
    "2.100, false"
  })
  void a_version_is_affected_from_the_one_that_introduced_it_to_before_the_one_that_fixed_it(
      String version, boolean affected) throws IOException {
    JsonNode osv = JsonMapper.builder().build().readTree(LOG4SHELL);
    assertThat(Advisory.of(osv, osv.path("affected").get(0)).affects(version)).isEqualTo(affected);
  }

  @Test
  void lists_what_names_a_library_in_its_version() throws IOException {
    Path bom = bom("pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar");
    Run run = run(bom, export(LOG4SHELL));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.output())
        .startsWith(
            "org.apache.logging.log4j:log4j-core 2.14.1: GHSA-jfh8-c2jp-5v3q CVE-2021-44228"
                + " CRITICAL, fixed in 2.15.0\n    Remote code injection in Log4j\n");
  }

  @ParameterizedTest
  @CsvSource({
    "1.2, Maven, '', 1",
    "1.2.1, Maven, '', 0",
    "9-custom, Maven, '', 1",
    "1.2, npm, '', 0",
    "1.2, Maven, ',\"withdrawn\":\"2026-01-01T00:00:00Z\"', 0"
  })
  void lists_no_other_version_nor_ecosystem_nor_what_was_withdrawn(
      String version, String ecosystem, String more, int code) throws IOException {
    Run run = run(bom("pkg:maven/g/a@" + version), export(OTHERS.formatted("x", ecosystem, more)));
    assertThat(run.code()).isEqualTo(code);
    assertThat(run.output()).contains("the newest of the file is of 2026-02-03T04:05:06Z");
  }

  @Test
  void a_file_that_cannot_be_used_is_no_clean_result() throws IOException {
    Path bom = bom("pkg:maven/g/a@1");
    Path empty = dir.resolve("empty.zip");
    new ZipOutputStream(Files.newOutputStream(empty)).close();
    assertThatThrownBy(() -> run(bom, empty)).hasMessageContaining("holds no advisory");
    assertThatThrownBy(() -> run(bom, bom)).hasMessageContaining("no export of osv.dev");
    assertThatThrownBy(() -> run(bom, export("{}"))).hasMessageContaining("no export of osv.dev");
    assertThatThrownBy(() -> run(bom("pkg:npm/a@1"), export(LOG4SHELL)))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("lists no library");
  }

  private record Run(int code, String output) {}

  private static Run run(Path bom, Path export) {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      AdvisoriesCommand command = new AdvisoriesCommand();
      new CommandLine(command).parseArgs(bom.toString(), "--osv", export.toString());
      return new Run(command.call(), printed.toString(UTF_8));
    } finally {
      System.setOut(before);
    }
  }

  private Path bom(String purl) throws IOException {
    return Files.writeString(
        dir.resolve("bom.json"), "{\"components\":[{\"purl\":\"" + purl + "\"}]}");
  }

  private Path export(String record) throws IOException {
    Path file = dir.resolve("all.zip");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("one.json"));
      zip.write(record.getBytes(UTF_8));
    }
    return file;
  }
}

package io.waterclock.bench.supply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.waterclock.bench.run.BadOptionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** Ranges of GHSA-36hm-qxxp-pg3m. */
  private static final String PREACT =
      """
      {"id":"GHSA-36hm-qxxp-pg3m","aliases":["CVE-2026-22028"],"modified":"2026-01-08T00:00:00Z",
       "summary":"Preact has JSON VNode Injection issue","database_specific":{"severity":"HIGH"},
       "affected":[
         {"package":{"ecosystem":"npm","name":"preact"},
          "ranges":[{"type":"SEMVER","events":[{"introduced":"10.26.5"},{"fixed":"10.26.10"}]}]},
         {"package":{"ecosystem":"npm","name":"preact"},
          "ranges":[{"type":"SEMVER","events":[{"introduced":"10.27.0"},{"fixed":"10.27.3"}]}]},
         {"package":{"ecosystem":"npm","name":"preact"},
          "ranges":[{"type":"SEMVER","events":[{"introduced":"10.28.0"},{"fixed":"10.28.2"}]}]}]}
      """;

  private static final String ORDERED =
      """
      {"package":{"ecosystem":"npm","name":"a"},
       "ranges":[{"type":"SEMVER","events":[{"introduced":"10.28.0-beta.2"},{"fixed":"10.28.2"}]},
                 {"type":"SEMVER","events":[{"introduced":"9.0.0"},{"last_affected":"9.5.0"}]},
                 {"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"0.1.0"}]}],
       "versions":["4.0.0-odd"]}
      """;

  /** Names the webjar and the package, as an export of Maven's has it. */
  private static final String OF_BOTH =
      """
      {"id":"GHSA-both","modified":"2026-03-03T00:00:00Z","affected":[
        {"package":{"ecosystem":"Maven","name":"org.webjars.npm:preact"},
         "ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]},
        {"package":{"ecosystem":"npm","name":"preact"},
         "ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}]}]}
      """;

  private static final String OF_NPM =
      """
      {"id":"GHSA-npm","modified":"2026-02-02T00:00:00Z","affected":[{
        "package":{"ecosystem":"npm","name":"%s"},
        "ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}]}]}
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
    assertThat(Advisory.of(osv, Ecosystem.MAVEN, osv.path("affected").get(0)).affects(version))
        .isEqualTo(affected);
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
    Run run =
        run(
            bom("pkg:maven/g/a@" + version),
            export(OTHERS.formatted("x", ecosystem, more)),
            export(LOG4SHELL));
    assertThat(run.code()).isEqualTo(code);
    assertThat(run.output())
        .contains(
            ecosystem.equals("npm")
                ? "the newest are of 2024-01-01T00:00:00Z (Maven)"
                : "the newest are of 2026-02-03T04:05:06Z (Maven)");
  }

  @ParameterizedTest
  @CsvSource({
    "10.28.0-beta.1, false",
    "10.28.0-beta.2, true",
    "10.28.0-beta.11, true",
    "10.28.0-rc.1, true",
    "10.28.0-0, false",
    "10.28.0, true",
    "10.28.2-rc.1, true",
    "10.28.2, false",
    "10.100.0, false",
    "9.5.0, true",
    "9.5.0+build.7, true",
    "9.5.1-0, false",
    "9.0.0-rc.1, false",
    "4.0.0-odd, true",
    "4.0.0, false",
    "0.0.0-alpha, true",
    "0.1.0-alpha, true",
    "0.1.0, false"
  })
  void versions_of_npm_have_the_order_of_semantic_versions(String version, boolean affected)
      throws IOException {
    JsonNode ordered = JsonMapper.builder().build().readTree(ORDERED);
    assertThat(Advisory.of(MissingNode.getInstance(), Ecosystem.NPM, ordered).affects(version))
        .isEqualTo(affected);
  }

  @ParameterizedTest
  @CsvSource({"org.webjars.npm:preact, pkg:maven/org.webjars.npm/preact", "preact, pkg:npm/preact"})
  void an_advisory_about_a_package_of_npm_names_its_webjar(String name, String purl)
      throws IOException {
    Run run = run(bom(purl + "@10.28.0?type=jar"), export(PREACT), export(LOG4SHELL));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.output())
        .startsWith(
            name
                + " 10.28.0: GHSA-36hm-qxxp-pg3m CVE-2026-22028 HIGH, fixed in 10.28.2\n"
                + "    Preact has JSON VNode Injection issue\n");
    for (String unaffected : List.of("10.26.4", "10.26.10", "10.28.2")) {
      assertThat(run(bom(purl + "@" + unaffected), export(PREACT), export(LOG4SHELL)).code())
          .isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "preact, pkg:maven/org.webjars.npm/preact@1.0.0, 1",
    "preact, pkg:maven/org.example/preact@1.0.0, 0",
    "preact, pkg:maven/preact/preact@1.0.0, 0",
    "org.example:preact, pkg:maven/org.example/preact@1.0.0, 0",
    "preact, pkg:maven/org.webjars.npm/preact__core@1.0.0, 0",
    "preact, pkg:npm/%40scope/preact@1.0.0, 0",
    "@babel/core, pkg:maven/org.webjars.npm/babel__core@7.0.0, 1",
    "@babel/core, pkg:npm/%40babel/core@7.0.0, 1",
    "@babel/core, pkg:npm/@babel/core@7.0.0, 1",
    "core, pkg:npm/%40babel/core@7.0.0, 0"
  })
  void an_advisory_about_a_package_of_npm_names_nothing_of_the_same_name_elsewhere(
      String name, String purl, int code) throws IOException {
    Run run = run(bom(purl), export(OF_NPM.formatted(name)), export(LOG4SHELL));
    assertThat(run.code()).as(run.output()).isEqualTo(code);
  }

  @Test
  void an_advisory_that_names_a_webjar_and_its_package_is_listed_once() throws IOException {
    Run run =
        run(
            bom("pkg:maven/org.webjars.npm/preact@10.28.0"),
            export(OF_BOTH, LOG4SHELL),
            export(OF_BOTH, OF_NPM.formatted("other")));
    assertThat(run.output())
        .containsOnlyOnce("GHSA-both")
        .contains("1 advisories name 1 libraries")
        .endsWith("2024-01-01T00:00:00Z (Maven), 2026-02-02T00:00:00Z (npm)\n");
  }

  @Test
  void a_directory_stands_for_the_zips_in_it() throws IOException {
    export(PREACT);
    export(LOG4SHELL);
    Files.writeString(dir.resolve("notes.txt"), "no zip");
    assertThat(run(bom("pkg:maven/org.webjars.npm/preact@10.28.0"), dir).output())
        .startsWith("org.webjars.npm:preact 10.28.0: GHSA-36hm-qxxp-pg3m ");
  }

  @Test
  void a_file_that_cannot_be_used_is_no_clean_result() throws IOException {
    Path bom = bom("pkg:maven/g/a@1");
    Path empty = dir.resolve("empty.zip");
    new ZipOutputStream(Files.newOutputStream(empty)).close();
    assertThatThrownBy(() -> run(bom, empty)).hasMessageContaining("holds no advisory");
    assertThatThrownBy(() -> run(bom, bom)).hasMessageContaining("no export of osv.dev");
    assertThatThrownBy(() -> run(bom, export("{}"))).hasMessageContaining("no export of osv.dev");
    assertThatThrownBy(() -> run(bom, export(LOG4SHELL), export(OTHERS.formatted("x", "PyPI", ""))))
        .hasMessageContaining("holds no advisory about Maven or npm");
    assertThatThrownBy(() -> run(bom("pkg:deb/a@1"), export(LOG4SHELL)))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("lists no library");
    assertThatThrownBy(() -> run(bom("pkg:npm/preact@odd"), export(PREACT)))
        .isInstanceOf(BadOptionException.class)
        .hasMessage("GHSA-36hm-qxxp-pg3m: odd is no semantic version, which npm wants");
  }

  @Test
  void without_the_export_of_an_ecosystem_nothing_is_known_about_its_packages() throws IOException {
    Path webjar = bom("pkg:maven/org.webjars.npm/uplot@1.6.30");
    assertThatThrownBy(() -> run(webjar, export(LOG4SHELL, OF_BOTH)))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("packages of npm, and no file of --osv is an export of npm");
    assertThatThrownBy(() -> run(webjar, export(PREACT, OF_BOTH)))
        .hasMessageContaining("packages of Maven");
    assertThat(run(webjar, export(LOG4SHELL), export(PREACT)).code()).isZero();
  }

  private record Run(int code, String output) {}

  private static Run run(Path bom, Path... exports) {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      AdvisoriesCommand command = new AdvisoriesCommand();
      List<String> arguments = new ArrayList<>(List.of(bom.toString()));
      for (Path export : exports) {
        arguments.addAll(List.of("--osv", export.toString()));
      }
      new CommandLine(command).parseArgs(arguments.toArray(String[]::new));
      return new Run(command.call(), printed.toString(UTF_8));
    } finally {
      System.setOut(before);
    }
  }

  private Path bom(String purl) throws IOException {
    return Files.writeString(
        dir.resolve("bom.json"), "{\"components\":[{\"purl\":\"" + purl + "\"}]}");
  }

  private Path export(String... records) throws IOException {
    Path file = Files.createTempFile(dir, "export", ".zip");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String record : records) {
        zip.putNextEntry(new ZipEntry(record.hashCode() + ".json"));
        zip.write(record.getBytes(UTF_8));
      }
    }
    return file;
  }
}

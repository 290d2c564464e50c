package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages name tests; a line whose test is gone is held by nothing. */
final class ThreatModelTest {
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  private static final Map<String, Path> TESTS = tests();

  @ParameterizedTest
  @ValueSource(strings = {"docs/threat-model.md", "docs/internals/faults.md"})
  void every_test_that_a_page_names_exists(String page) throws IOException {
    List<String> named =
        NAMED
            .matcher(Files.readString(Documents.ROOT.resolve(page)))
            .results()
            .map(found -> found.group(1) + "#" + found.group(2))
            .toList();
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(named.stream().filter(name -> !exists(name)).toList()).isEmpty();
  }

  @Test
  void a_test_that_is_gone_would_be_seen() {
    assertThat(exists("ThreatModelTest#every_test_that_a_page_names_exists")).isTrue();
    assertThat(exists("ThreatModelTest#a_test_that_was_never_there")).isFalse();
    assertThat(exists("NoSuchTest#every_test_that_a_page_names_exists")).isFalse();
  }

  @Test
  void it_has_a_line_for_every_topic() throws IOException {
    String model = Files.readString(Documents.ROOT.resolve("docs/threat-model.md"));
    assertThat(
            Topics.ofDefault().all().stream()
                .map(topic -> topic.substring(topic.indexOf('.') + 1))
                .filter(topic -> !model.contains("`" + topic + "`"))
                .sorted()
                .toList())
        .isEmpty();
  }

  @Test
  void what_these_pages_link_to_is_there() throws IOException {
    for (String page :
        List.of(
            "SECURITY.md",
            "docs/threat-model.md",
            "docs/internals/faults.md",
            "docs/libraries.md")) {
      Path file = Documents.ROOT.resolve(page);
      for (String link :
          LINK.matcher(Files.readString(file)).results().map(found -> found.group(1)).toList()) {
        assertThat(file.resolveSibling(link)).as(page).exists();
      }
    }
  }

  private static boolean exists(String name) {
    String[] parts = name.split("#");
    return Optional.ofNullable(TESTS.get(parts[0] + ".java"))
        .filter(test -> read(test).contains("void " + parts[1] + "("))
        .isPresent();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files of the tests of all modules, by their names. */
  private static Map<String, Path> tests() {
    Map<String, Path> tests = new HashMap<>();
    try (Stream<Path> all = Files.walk(Documents.ROOT)) {
      all.filter(file -> file.toString().contains("/src/test/java/"))
          .forEach(file -> tests.put(file.getFileName().toString(), file));
      return tests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

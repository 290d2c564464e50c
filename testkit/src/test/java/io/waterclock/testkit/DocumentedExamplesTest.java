package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java of docs/testing.md is that of tests in {@code com.example}, which run like all others.
 */
final class DocumentedExamplesTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Path TESTS = Path.of("src/test/java/com/example");

  @ParameterizedTest
  @ValueSource(strings = {"ReportTest", "BrokerTest", "SecuredBrokerTest"})
  void a_snippet_is_a_whole_test_that_runs(String name) throws IOException {
    assertThat(JAVA.matcher(page()).results().map(match -> match.group(1)))
        .contains(Files.readString(TESTS.resolve(name + ".java")));
  }

  @Test
  void the_page_has_no_other_java() throws IOException {
    assertThat(JAVA.matcher(page()).results()).hasSize(3);
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/testing.md"));
  }
}

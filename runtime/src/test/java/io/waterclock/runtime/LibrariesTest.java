package io.waterclock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a library brings along, its users cannot choose. */
final class LibrariesTest {
  private static final Pattern BINDING =
      Pattern.compile("<dependency>(?:(?!</dependency>).)*slf4j-simple.*?</dependency>");

  @ParameterizedTest
  @ValueSource(strings = {"schemas", "rules", "audit", "topology", "runtime"})
  void a_library_needs_no_logger_but_in_its_tests(String module) throws IOException {
    String pom = Files.readString(Path.of("..", module, "pom.xml"));
    assertThat(pom).contains("<artifactId>waterclock-" + module + "</artifactId>");
    assertThat(BINDING.matcher(pom.replaceAll("\\s+", " ")).results())
        .allSatisfy(found -> assertThat(found.group()).contains("<scope>test</scope>"));
  }
}

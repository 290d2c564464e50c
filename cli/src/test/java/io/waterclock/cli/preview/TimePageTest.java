package io.waterclock.cli.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every command in docs/time.md and compares its output with the page. */
class TimePageTest {
  private static final Path PAGE = Path.of("..", "docs", "time.md");
  private static final Pattern BLOCK =
      Pattern.compile("^```\\n\\$ waterclock (.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  record Example(String command, List<String> printed) {
    static Example of(String block) {
      List<String> lines = block.lines().toList();
      return new Example(
          lines.get(0),
          lines.stream().skip(1).map(line -> line.replaceAll("\\s+#.*", "")).toList());
    }

    String[] words() {
      return WORD.matcher(command)
          .results()
          .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
          .toArray(String[]::new);
    }

    @Override
    public String toString() {
      return command;
    }
  }

  static Stream<Example> examples() throws IOException {
    return BLOCK
        .matcher(Files.readString(PAGE))
        .results()
        .map((MatchResult block) -> Example.of(block.group(1)));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_prints_what_the_page_says(Example example) {
    CliRun run = CliRun.of(example.words());
    assertThat(Stream.of(run.out(), run.err()).flatMap(String::lines))
        .as(() -> String.join(" | ", Arrays.asList(example.words())))
        .containsExactlyElementsOf(example.printed());
  }

  @Test
  void every_example_of_the_page_is_run() throws IOException {
    long shown = Files.readString(PAGE).lines().filter(line -> line.startsWith("$ ")).count();
    assertThat(examples()).hasSize((int) shown).hasSizeGreaterThan(15);
  }
}

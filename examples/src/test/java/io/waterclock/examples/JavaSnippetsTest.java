package io.waterclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compiles the Java of all pages, each page by itself.
 *
 * <p>A snippet is either a file with its package, or imports and then statements. What the
 * statements need of the reader's own, a comment before the snippet declares, as members of a
 * class: {@code <!-- java: void write(byte[] payload) {} -->}.
 */
final class JavaSnippetsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SNIPPET =
      Pattern.compile(
          "(?:<!-- java: ([^\n]*) -->\n)?^ *```java\n(.*?)^ *```",
          Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern IMPORTS = Pattern.compile("(?:import [^\n]*;\n|\n)*");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|interface|record|enum) (\\w+)");

  /** Pages whose snippets other tests compile, with class paths of their own. */
  private static final Map<String, String> ELSEWHERE =
      Map.of("testing.md", "DocumentedExamplesTest", "spring.md", "ShopTest");

  /** One snippet, as a compilation unit. */
  private record Unit(String name, String text) {
    static Unit of(MatchResult snippet, int number) {
      String text = snippet.group(2);
      if (text.startsWith("package ")) {
        return new Unit("com/example/" + nameOf(text), text);
      }
      var imports = IMPORTS.matcher(text);
      int body = imports.lookingAt() ? imports.end() : 0;
      String given = snippet.group(1) == null ? "" : snippet.group(1);
      return new Unit(
          "Snippet" + number,
          "%s final class Snippet%d { %s\n void run() throws Exception {\n%s\n} }"
              .formatted(text.substring(0, body), number, given, text.substring(body)));
    }

    private static String nameOf(String file) {
      return TYPE.matcher(file).results().findFirst().orElseThrow().group(1);
    }

    JavaFileObject source() {
      return new SimpleJavaFileObject(
          URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
          return text;
        }
      };
    }
  }

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.removeIf(page -> ELSEWHERE.containsKey(page.getFileName().toString()));
    pages.removeIf(page -> !SNIPPET.matcher(read(page)).find());
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_snippet_compiles(Path page, @TempDir Path dir) {
    assertThat(errors(read(page), dir)).isEmpty();
  }

  @Test
  void the_pages_with_java_are_found() throws IOException {
    assertThat(pages().stream().map(page -> page.getFileName().toString()))
        .contains("README.md", "java.md", "embedding.md", "producing.md", "consuming.md")
        .contains("quarkus.md", "micronaut.md");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "```java\nSchedules.connect(\"localhost:9092\");\n```\n",
        "```java\nint days = \"3\";\n```\n",
        "```java\npackage com.example;\n\nclass Reports extends Missing {}\n```\n"
      })
  void a_snippet_without_an_import_or_with_an_error_is_found(String page, @TempDir Path dir) {
    assertThat(errors(page, dir)).isNotEmpty();
  }

  @Test
  void what_names_another_test_names_one_that_is_there() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
          .containsAll(ELSEWHERE.values().stream().map(test -> test + ".java").toList());
    }
  }

  private static String errors(String page, Path dir) {
    List<MatchResult> snippets = SNIPPET.matcher(page).results().toList();
    List<JavaFileObject> sources = new ArrayList<>();
    for (MatchResult snippet : snippets) {
      sources.add(Unit.of(snippet, sources.size()).source());
    }
    StringWriter errors = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            dir.toString(),
            "-cp",
            String.valueOf(System.getProperty("java.class.path")));
    boolean compiles =
        ToolProvider.getSystemJavaCompiler()
            .getTask(errors, null, null, options, null, sources)
            .call();
    return compiles ? "" : errors.toString();
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/architecture.md names only what exists, and no package has too many files. */
final class ArchitecturePageTest {
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final int MOST_FILES = 30;
  private static final Pattern BOX = Pattern.compile("\\[\"([\\w./-]+):");

  @Test
  void every_file_exists_once() throws IOException {
    Map<String, Long> files = files();
    Set<String> wrong =
        CLASS
            .matcher(page())
            .results()
            .map(found -> found.group(1))
            .filter(name -> !name.equals("ArchitectureTest"))
            .filter(name -> files.getOrDefault(name, 0L) != 1)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(wrong).isEmpty();
  }

  @Test
  void every_box_is_a_module_or_a_package_and_no_module_is_missing() throws IOException {
    Set<String> boxes =
        BOX.matcher(page()).results().map(found -> found.group(1)).collect(Collectors.toSet());
    Set<String> modules = modulesBelow("");
    List<Path> roots =
        Stream.of(
                "rules/src/main/java/io/waterclock",
                "topology/src/main/java/io/waterclock/topology",
                "runtime/src/main/java/io/waterclock/runtime",
                "console/src/main/java/io/waterclock/console",
                "spring/starter/src/main/java/io/waterclock/spring")
            .map(Documents.ROOT::resolve)
            .toList();
    assertThat(boxes).containsAll(modules);
    assertThat(boxes)
        .allMatch(
            box ->
                modules.contains(box)
                    || roots.stream()
                        .anyMatch(
                            root ->
                                Files.isDirectory(root.resolve(box.replace('.', '/')))
                                    || Files.exists(root.resolve(box + ".java"))));
  }

  /** The paths of all modules with code; {@code spring} only holds others. */
  private static Set<String> modulesBelow(String parent) throws IOException {
    Set<String> modules = new TreeSet<>();
    List<String> names =
        Pattern.compile("<module>([\\w/-]+)</module>")
            .matcher(Files.readString(Documents.ROOT.resolve(parent + "pom.xml")))
            .results()
            .map(found -> parent + found.group(1))
            .toList();
    for (String name : names) {
      Set<String> below = modulesBelow(name + "/");
      modules.addAll(below.isEmpty() ? Set.of(name) : below);
    }
    return modules;
  }

  @Test
  void no_package_has_more_files_than_a_reader_can_survey() throws IOException {
    try (Stream<Path> all = Files.walk(Documents.ROOT)) {
      Map<Path, Long> sizes =
          all.filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
      assertThat(sizes).isNotEmpty();
      assertThat(sizes.entrySet()).allMatch(size -> size.getValue() <= MOST_FILES);
    }
  }

  private static String page() throws IOException {
    return Files.readString(Documents.ROOT.resolve("docs/architecture.md"));
  }

  /** How many source files have a name; tests count too, and generated classes by their schema. */
  private static Map<String, Long> files() throws IOException {
    try (Stream<Path> all = Files.walk(Documents.ROOT)) {
      return all.filter(file -> !file.toString().contains("/target/"))
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java") || name.endsWith(".avsc"))
          .map(name -> name.substring(0, name.lastIndexOf('.')))
          .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }
  }
}

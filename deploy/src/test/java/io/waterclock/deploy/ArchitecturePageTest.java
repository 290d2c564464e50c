package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private static final Pattern NODE = Pattern.compile("(?m)^  (\\w+)\\[\"([\\w./-]+):");
  private static final Pattern ARROW = Pattern.compile("(?m)^  (\\w+)\\[.*\\] --> (.+)$");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "(?s)<dependency>\\s*<groupId>io\\.waterclock</groupId>\\s*"
              + "<artifactId>([\\w-]+)</artifactId>(.*?)</dependency>");

  @Test
  void every_file_exists_once() throws IOException {
    Map<String, Long> files = files();
    Set<String> wrong =
        CLASS
            .matcher(page())
            .results()
            .map(found -> found.group(1))
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

  /** A module depends on what its arrows lead to, and on nothing else of this project. */
  @Test
  void the_arrows_are_those_of_the_poms() throws IOException {
    String drawing = page().substring(0, page().indexOf("Inside `rules`"));
    Map<String, String> paths = new TreeMap<>();
    NODE.matcher(drawing).results().forEach(node -> paths.put(node.group(1), node.group(2)));
    Map<String, Set<String>> arrows = new TreeMap<>();
    ARROW
        .matcher(drawing)
        .results()
        .forEach(
            arrow ->
                arrows.put(
                    paths.getOrDefault(arrow.group(1), arrow.group(1)),
                    Stream.of(arrow.group(2).split(" & "))
                        .map(to -> paths.getOrDefault(to, to))
                        .collect(Collectors.toCollection(TreeSet::new))));
    Map<String, Set<String>> needed = dependencies();
    assertThat(needed).hasSizeGreaterThan(20);
    for (String module : needed.keySet()) {
      assertThat(below(arrows, module)).as(module).isEqualTo(below(needed, module));
    }
  }

  private static Set<String> below(Map<String, Set<String>> direct, String module) {
    Set<String> all = new TreeSet<>();
    for (String next : direct.getOrDefault(module, Set.of())) {
      all.add(next);
      all.addAll(below(direct, next));
    }
    return all;
  }

  /** By module: what its code, or of a module of tests its tests, may import. */
  private static Map<String, Set<String>> dependencies() throws IOException {
    Map<String, String> poms = new TreeMap<>();
    Map<String, String> modules = new TreeMap<>();
    for (String module : modulesBelow("")) {
      if (module.equals("deploy/bom")) {
        continue; // it has no code, and names versions only
      }
      String pom = Files.readString(Documents.ROOT.resolve(module).resolve("pom.xml"));
      String own = pom.substring(pom.indexOf("</parent>"));
      poms.put(module, own);
      modules.put(own.split("</?artifactId>", 3)[1], module);
    }
    Map<String, Set<String>> found = new TreeMap<>();
    for (String module : poms.keySet()) {
      boolean hasCode = Files.isDirectory(Documents.ROOT.resolve(module).resolve("src/main/java"));
      found.put(
          module,
          DEPENDENCY
              .matcher(poms.get(module))
              .results()
              .filter(it -> !hasCode || !it.group(2).contains("<scope>test</scope>"))
              .map(it -> modules.get(it.group(1)))
              .filter(Objects::nonNull)
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return found;
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

package io.waterclock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.waterclock.cli.terminal.Terminal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** The layout of the command line: which package may import which, and where time comes from. */
@AnalyzeClasses(
    packages = "io.waterclock.cli",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = "io.waterclock.cli";

  /**
   * Which packages of this module each of them may import: terminal, files and source none, the
   * root all.
   */
  private static final Map<String, String[]> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("cluster", new String[] {"terminal", "files"}),
          Map.entry("moving", new String[] {"terminal", "source", "files"}),
          Map.entry("preview", new String[] {"terminal"}),
          Map.entry("create", new String[] {"terminal", "files"}),
          Map.entry("calendar", new String[] {"terminal", "cluster"}),
          Map.entry("limit", new String[] {"terminal", "cluster"}),
          Map.entry("live", new String[] {"terminal", "cluster"}),
          Map.entry(
              "transfer",
              new String[] {"terminal", "cluster", "calendar", "limit", "read", "files"}),
          Map.entry("read", new String[] {"terminal", "cluster", "preview", "calendar", "live"}),
          Map.entry(
              "apply", new String[] {"terminal", "cluster", "calendar", "limit", "read", "files"}),
          Map.entry("change", new String[] {"terminal", "cluster", "live", "read"}),
          Map.entry(
              "doctor", new String[] {"terminal", "cluster", "calendar", "limit", "live", "read"}),
          Map.entry(
              "diff", new String[] {"terminal", "cluster", "calendar", "live", "read", "files"}),
          Map.entry("audit", new String[] {"terminal", "cluster", "read"}),
          Map.entry("dlq", new String[] {"terminal", "cluster", "read"}),
          Map.entry("serve", new String[] {"terminal", "cluster", "limit", "read"}));

  @ArchTest static final ArchRule each_package_imports_only_what_it_may = layers();

  @ArchTest
  static final ArchRule commands_take_the_time_from_the_terminal =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(Terminal.class.getName())
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(InstantSource.class, "system");

  @ArchTest
  static final ArchRule loggers_are_safe_loggers =
      noClasses()
          .should()
          .callMethod(LoggerFactory.class, "getLogger", Class.class)
          .orShould()
          .callMethod(LoggerFactory.class, "getLogger", String.class)
          .because("text from outside must forge no line of a log");

  private static LayeredArchitecture layers() {
    LayeredArchitecture layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .ensureAllClassesAreContainedInArchitecture()
            .layer("root")
            .definedBy(ROOT)
            .layer("terminal")
            .definedBy(ROOT + ".terminal")
            .layer("files")
            .definedBy(ROOT + ".files")
            .layer("source")
            .definedBy(ROOT + ".source");
    for (String name : MAY_IMPORT.keySet()) {
      layers = layers.layer(name).definedBy(ROOT + "." + name);
    }
    layers = layers.whereLayer("root").mayNotBeAccessedByAnyLayer();
    for (String pure : List.of("terminal", "files", "source")) {
      layers = layers.whereLayer(pure).mayNotAccessAnyLayer();
    }
    for (Map.Entry<String, String[]> one : MAY_IMPORT.entrySet()) {
      layers = layers.whereLayer(one.getKey()).mayOnlyAccessLayers(one.getValue());
    }
    return layers;
  }
}

package io.waterclock.layout;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which package may import which. docs/architecture.md draws it. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class PackagesTest {
  /** Of its module, each without the module's own package: that may import all, and none it. */
  private static final Map<String, Set<String>> TOPOLOGY =
      Map.ofEntries(
          Map.entry("scheduler.store", Set.of()),
          Map.entry("scheduler.input", Set.of()),
          Map.entry("scheduler.count", Set.of("scheduler.input")),
          Map.entry("scheduler.context", Set.of("scheduler.input", "scheduler.count")),
          Map.entry("scheduler.emit", Set.of("scheduler.input", "scheduler.context")),
          Map.entry(
              "scheduler.apply",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit")),
          Map.entry(
              "scheduler.admit",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit",
                  "scheduler.apply")),
          Map.entry(
              "scheduler.task",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit",
                  "scheduler.apply",
                  "scheduler.admit")),
          Map.entry("scheduler.guard", Set.of("scheduler.context")),
          Map.entry(
              "limiter",
              Set.of("scheduler.input", "scheduler.count", "scheduler.context", "scheduler.emit")),
          Map.entry(
              "router",
              Set.of("scheduler.input", "scheduler.count", "scheduler.context", "scheduler.emit")),
          Map.entry(
              "intake",
              Set.of(
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit",
                  "scheduler.admit")));

  private static final Map<String, Set<String>> APPLICATION =
      Map.of(
          "config", Set.of(),
          "state", Set.of(),
          "clients", Set.of(),
          "metrics", Set.of(),
          "brokers", Set.of("config", "clients"),
          "http", Set.of("metrics"));

  private static final Map<String, Set<String>> COMMAND_LINE =
      Map.ofEntries(
          Map.entry("terminal", Set.of()),
          Map.entry("files", Set.of()),
          Map.entry("source", Set.of()),
          Map.entry("cluster", Set.of("terminal", "files")),
          Map.entry("moving", Set.of("terminal", "source", "files")),
          Map.entry("preview", Set.of("terminal")),
          Map.entry("create", Set.of("terminal", "files")),
          Map.entry("calendar", Set.of("terminal", "cluster")),
          Map.entry("limit", Set.of("terminal", "cluster")),
          Map.entry("live", Set.of("terminal", "cluster")),
          Map.entry(
              "transfer", Set.of("terminal", "cluster", "calendar", "limit", "read", "files")),
          Map.entry("read", Set.of("terminal", "cluster", "preview", "calendar", "live")),
          Map.entry("apply", Set.of("terminal", "cluster", "calendar", "limit", "read", "files")),
          Map.entry("change", Set.of("terminal", "cluster", "limit", "live", "read")),
          Map.entry("doctor", Set.of("terminal", "cluster", "calendar", "limit", "live", "read")),
          Map.entry("diff", Set.of("terminal", "cluster", "calendar", "live", "read", "files")),
          Map.entry("audit", Set.of("terminal", "cluster", "read")),
          Map.entry("dlq", Set.of("terminal", "cluster", "read")),
          Map.entry("serve", Set.of("terminal", "cluster", "limit")));

  @ArchTest
  static void each_package_of_the_topology_imports_only_what_it_may(JavaClasses all) {
    check("io.waterclock.topology", TOPOLOGY, all);
  }

  @ArchTest
  static void each_package_of_the_application_imports_only_what_it_may(JavaClasses all) {
    check("io.waterclock.runtime", APPLICATION, all);
  }

  @ArchTest
  static void each_package_of_the_command_line_imports_only_what_it_may(JavaClasses all) {
    check("io.waterclock.cli", COMMAND_LINE, all);
  }

  @ArchTest
  static final ArchRule schemas_import_nothing_of_ours =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.schemas..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.waterclock..")
                  .and(not(resideInAPackage("io.waterclock.schemas.."))));

  @ArchTest
  static final ArchRule occurrences_import_of_ours_only_how_text_is_quoted =
      classes()
          .that()
          .resideInAPackage("io.waterclock.occurrences..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.occurrences..",
              "io.waterclock.schemas.text",
              "org.dmfs..",
              "org.jspecify..",
              "java..");

  @ArchTest
  static final ArchRule definitions_import_occurrences_and_records =
      rules("io.waterclock.definition..");

  @ArchTest
  static final ArchRule limits_import_occurrences_and_records = rules("io.waterclock.limits");

  @ArchTest
  static final ArchRule the_model_imports_definitions =
      rules("io.waterclock.decide.model", "io.waterclock.definition..");

  @ArchTest
  static final ArchRule decisions_import_the_model =
      rules("io.waterclock.decide..", "io.waterclock.definition..");

  /** Neither Kafka nor a logger. */
  private static ArchRule rules(String... packages) {
    return classes()
        .that()
        .resideInAPackage(packages[0])
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(packages)
                .or(
                    resideInAnyPackage(
                        "io.waterclock.occurrences..",
                        "io.waterclock.schemas..",
                        "org.apache.avro..",
                        "org.jspecify..",
                        "java..")));
  }

  @ArchTest
  static final ArchRule readers_of_other_schedulers_import_no_kafka_and_no_terminal =
      classes()
          .that()
          .resideInAPackage("io.waterclock.cli.source..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.cli.source..",
              "io.waterclock.definition..",
              "io.waterclock.occurrences..",
              "io.waterclock.schemas..",
              "com.fasterxml.jackson..",
              "org.jspecify..",
              "org.w3c.dom..",
              "org.xml.sax..",
              "java..",
              "javax.xml..");

  /** A package that is missing in the table, or has no class, fails. */
  private static void check(String root, Map<String, Set<String>> mayImport, JavaClasses all) {
    Set<String> packages =
        all.stream()
            .map(type -> type.getPackageName())
            .filter(name -> name.startsWith(root + "."))
            .map(name -> name.substring(root.length() + 1))
            .collect(Collectors.toSet());
    assertThat(packages).isEqualTo(mayImport.keySet());
    mayImport.forEach(
        (name, allowed) -> {
          String[] own =
              Stream.concat(Stream.of(name), allowed.stream())
                  .map(one -> root + "." + one)
                  .toArray(String[]::new);
          noClasses()
              .that()
              .resideInAPackage(root + "." + name)
              .should()
              .dependOnClassesThat(resideInAPackage(root + "..").and(not(resideInAnyPackage(own))))
              .check(all);
        });
  }
}

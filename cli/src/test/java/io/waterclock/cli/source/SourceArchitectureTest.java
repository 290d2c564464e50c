package io.waterclock.cli.source;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.InstantSource;

/** What this package may import: no Kafka, no terminal, and no library of another scheduler. */
@AnalyzeClasses(
    packages = "io.waterclock.cli.source",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class SourceArchitectureTest {
  @ArchTest
  static final ArchRule it_imports_definitions_occurrences_schemas_jackson_and_the_jdk =
      classes()
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

  @ArchTest
  static final ArchRule time_is_an_argument =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(InstantSource.class, "system");

  @ArchTest
  static final ArchRule java_objects_are_not_deserialised =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.ObjectInputStream");
}

package io.waterclock.decide;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the rules may import: neither Kafka nor a logger, and each package those before it. */
@AnalyzeClasses(
    packages = {
      "io.waterclock.occurrences",
      "io.waterclock.definition",
      "io.waterclock.limits",
      "io.waterclock.decide"
    },
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
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
      classes()
          .that()
          .resideInAPackage("io.waterclock.definition..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.definition..",
              "io.waterclock.occurrences..",
              "io.waterclock.schemas..",
              "org.apache.avro..",
              "org.jspecify..",
              "java..");

  @ArchTest
  static final ArchRule limits_import_occurrences_and_records =
      classes()
          .that()
          .resideInAPackage("io.waterclock.limits")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.limits",
              "io.waterclock.occurrences..",
              "io.waterclock.schemas..",
              "org.apache.avro..",
              "org.jspecify..",
              "java..");

  @ArchTest
  static final ArchRule the_model_imports_definitions =
      classes()
          .that()
          .resideInAPackage("io.waterclock.decide.model")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.decide.model",
              "io.waterclock.definition..",
              "io.waterclock.occurrences..",
              "io.waterclock.schemas..",
              "org.apache.avro..",
              "org.jspecify..",
              "java..");

  @ArchTest
  static final ArchRule decisions_import_the_model =
      classes()
          .that()
          .resideInAnyPackage("io.waterclock.decide", "io.waterclock.decide.whatif")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.decide..",
              "io.waterclock.definition..",
              "io.waterclock.occurrences..",
              "io.waterclock.schemas..",
              "org.apache.avro..",
              "org.jspecify..",
              "java..");
}

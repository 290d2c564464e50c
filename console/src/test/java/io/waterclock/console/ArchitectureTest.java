package io.waterclock.console;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.InstantSource;

/** The console reads topics and writes commands; what it knows and who may know it is pure. */
@AnalyzeClasses(
    packages = "io.waterclock.console",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule model_and_access_know_neither_kafka_nor_http_nor_threads =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.waterclock.console.model..",
              "io.waterclock.console.limits..",
              "io.waterclock.console.access..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.eclipse.jetty..",
              "java.util.concurrent..",
              "io.waterclock.console.follow..",
              "io.waterclock.console.http..");

  @ArchTest
  static final ArchRule time_is_an_argument =
      noClasses()
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
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");
}

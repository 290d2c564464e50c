package io.waterclock.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The starter adds Spring to the client; what an application may lack stays in its package. */
@AnalyzeClasses(
    packages = "io.waterclock.spring",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule LOGGERS_ARE_SAFE_LOGGERS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");

  @ArchTest
  static final ArchRule THE_CONFIGURATION_IS_ABOVE_ALL =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.spring.boot")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.waterclock.spring.boot");

  @ArchTest
  static final ArchRule ONLY_THE_EMBEDDED_SCHEDULER_KNOWS_THE_RUNTIME =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.spring.scheduler")
          .and()
          .doNotHaveSimpleName("SchedulerHealth")
          .and()
          .haveNameNotMatching(".*EmbeddedSchedulerAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.waterclock.runtime..", "io.waterclock.topology..");

  @ArchTest
  static final ArchRule ONLY_CLAIMS_KNOW_DATABASES =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.spring.jdbc")
          .and()
          .haveNameNotMatching(".*ClaimsAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("javax.sql..", "java.sql..", "org.springframework.jdbc..");

  @ArchTest
  static final ArchRule ONLY_HEALTH_DEPENDS_ON_A_VERSION_OF_SPRING_BOOT =
      noClasses()
          .that()
          .haveNameNotMatching(".*Boot[34]Health.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework.boot.actuate.health..",
              "org.springframework.boot.actuate.autoconfigure.health..",
              "org.springframework.boot.health..",
              "org.springframework.boot.autoconfigure.kafka..",
              "org.springframework.boot.kafka..",
              "org.springframework.boot.autoconfigure.jdbc..",
              "org.springframework.boot.jdbc..");

  @ArchTest
  static final ArchRule ONLY_PAYLOADS_KNOW_JACKSON =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.spring.payload")
          .and()
          .haveNameNotMatching(".*PayloadAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "tools.jackson..");
}

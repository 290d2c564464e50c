package io.waterclock.layout;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;

/** The starter adds Spring to the client; what an application may lack stays in its package. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class SpringTest {
  @ArchTest
  static final ArchRule the_configuration_is_above_all =
      starter()
          .and()
          .resideOutsideOfPackage("io.waterclock.spring.boot")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.waterclock.spring.boot");

  @ArchTest
  static final ArchRule only_the_embedded_scheduler_knows_the_runtime =
      starter()
          .and()
          .resideOutsideOfPackage("io.waterclock.spring.scheduler")
          .and()
          .doNotHaveSimpleName("SchedulerHealth")
          .and()
          .haveNameNotMatching(".*EmbeddedSchedulerAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.waterclock.runtime..", "io.waterclock.topology..");

  @ArchTest
  static final ArchRule only_claims_know_databases =
      starter()
          .and()
          .resideOutsideOfPackage("io.waterclock.spring.jdbc")
          .and()
          .haveNameNotMatching(".*ClaimsAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("javax.sql..", "java.sql..", "org.springframework.jdbc..");

  @ArchTest
  static final ArchRule only_health_depends_on_a_version_of_spring_boot =
      starter()
          .and()
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
  static final ArchRule only_payloads_know_jackson =
      starter()
          .and()
          .resideOutsideOfPackage("io.waterclock.spring.payload")
          .and()
          .haveNameNotMatching(".*PayloadAutoConfiguration.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "tools.jackson..");

  private static GivenClassesConjunction starter() {
    return noClasses().that().resideInAPackage("io.waterclock.spring..");
  }
}

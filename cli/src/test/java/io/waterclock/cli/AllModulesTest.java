package io.waterclock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;

/** The layout of all modules together; those without a test of their own are audit and testkit. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class AllModulesTest {
  @ArchTest
  static final ArchRule no_package_depends_on_itself_through_others =
      slices().matching("io.waterclock.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule the_audit_knows_no_scheduler_and_no_kafka =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.audit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.topology..",
              "io.waterclock.runtime..",
              "io.waterclock.client..",
              "org.apache.kafka..");

  @ArchTest
  static final ArchRule the_audit_reads_no_clock =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.audit..")
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Clock.class, InstantSource.class);
}

package io.waterclock.connect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;

/** The rules are pure; Connect, HTTP and threads are at the edge. */
@AnalyzeClasses(
    packages = "io.waterclock.connect",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String[] PURE = {
    "io.waterclock.connect.rows..", "io.waterclock.connect.rules.."
  };

  @ArchTest
  static final ArchRule LOGGERS_ARE_SAFE_LOGGERS =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.waterclock.schemas.log.SafeLogger")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");

  @ArchTest
  static final ArchRule RULES_KNOW_NEITHER_CONNECT_NOR_HTTP_NOR_THREADS =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.apache.hc..",
              "java.util.concurrent..",
              "io.waterclock.connect",
              "io.waterclock.connect.webhook..");

  @ArchTest
  static final ArchRule RULES_READ_NO_CLOCK =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(InstantSource.class);
}

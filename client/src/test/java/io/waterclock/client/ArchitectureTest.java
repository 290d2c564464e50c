package io.waterclock.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;

/** The rules of a worker are pure; Kafka and threads are at its edge. */
@AnalyzeClasses(
    packages = "io.waterclock.client",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
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
  static final ArchRule RULES_KNOW_NEITHER_KAFKA_NOR_THREADS =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.rules..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "java.util.concurrent..",
              "io.waterclock.client.worker..",
              "io.waterclock.client.dedup..");

  @ArchTest
  static final ArchRule RULES_READ_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.rules..")
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

  @ArchTest
  static final ArchRule DEDUPLICATION_STANDS_ALONE =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.dedup..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.waterclock.client.worker..", "org.apache.kafka.clients..");

  @ArchTest
  static final ArchRule PRODUCING_AND_CONSUMING_KNOW_NOTHING_OF_EACH_OTHER =
      noClasses()
          .that()
          .resideInAnyPackage("io.waterclock.client.schedules..", "io.waterclock.client.topics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.client.worker..",
              "io.waterclock.client.rules..",
              "io.waterclock.client.dedup..")
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka.streams..");

  @ArchTest
  static final ArchRule ONLY_METRICS_NEED_MICROMETER =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.client.metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.waterclock.client.metrics..")
          .because("a service without Micrometer must be able to load them");

  @ArchTest
  static final ArchRule PAYLOADS_KNOW_NEITHER_KAFKA_NOR_WORKERS =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.payload..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "io.waterclock.client.worker..",
              "io.waterclock.client.schedules..");

  @ArchTest
  static final ArchRule TOPICS_ARE_READ_BELOW_SCHEDULES =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.topics..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.waterclock.client.schedules..");
}

package io.waterclock.layout;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.waterclock.cli.terminal.Terminal;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Set;

/** What has neither time of its own, nor Kafka, threads or HTTP: tests reach it with tables. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class PurityTest {
  private static final String[] PURE = {
    "io.waterclock.schemas..",
    "io.waterclock.occurrences..",
    "io.waterclock.definition..",
    "io.waterclock.decide..",
    "io.waterclock.limits..",
    "io.waterclock.audit..",
    "io.waterclock.topology.scheduler.store..",
    "io.waterclock.client.rules..",
    "io.waterclock.connect.rows..",
    "io.waterclock.connect.rules.."
  };

  private static final Set<Class<?>> TIMES =
      Set.of(Instant.class, LocalDate.class, LocalDateTime.class, ZonedDateTime.class);

  @ArchTest
  static final ArchRule in_pure_code_time_is_an_argument =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethodWhere(
              describe("it reads a clock", call -> readsTime(call) || readsNanos(call)));

  @ArchTest
  static final ArchRule pure_code_has_no_clock_at_hand =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Clock.class, InstantSource.class);

  @ArchTest
  static final ArchRule console_and_commands_take_the_time_from_their_start =
      noClasses()
          .that()
          .resideInAnyPackage("io.waterclock.console..", "io.waterclock.cli..")
          .and()
          .doNotHaveFullyQualifiedName(Terminal.class.getName())
          .should()
          .callMethodWhere(describe("it reads a clock", PurityTest::readsTime))
          .orShould()
          .callMethod(InstantSource.class, "system");

  @ArchTest
  static final ArchRule rules_of_a_worker_know_neither_kafka_nor_threads =
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
  static final ArchRule rules_of_connectors_know_neither_connect_nor_http_nor_threads =
      noClasses()
          .that()
          .resideInAnyPackage("io.waterclock.connect.rows..", "io.waterclock.connect.rules..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.apache.hc..",
              "java.util.concurrent..",
              "io.waterclock.connect",
              "io.waterclock.connect.webhook..");

  @ArchTest
  static final ArchRule model_and_access_of_the_console_know_neither_kafka_nor_http_nor_threads =
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
  static final ArchRule the_audit_knows_neither_kafka_nor_the_scheduler_nor_its_decisions =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.audit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.decide..",
              "io.waterclock.topology..",
              "io.waterclock.runtime..",
              "io.waterclock.client..",
              "org.apache.kafka..");

  /**
   * It decides whether the product is right, so it must not be wrong in the same way: of the
   * product it has the generated classes of records, as data.
   */
  @ArchTest
  static final ArchRule the_judge_knows_nothing_of_the_product_but_its_records =
      classes()
          .that()
          .resideInAPackage("io.waterclock.judge..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.judge..",
              "io.waterclock.schemas.avro..",
              "java..",
              "org.apache.avro..",
              "org.apache.kafka.common.utils..",
              "com.fasterxml.jackson..",
              "org.jspecify..");

  private static boolean readsTime(JavaCall<?> call) {
    return call.getName().equals("now")
            && TIMES.stream().anyMatch(call.getTargetOwner()::isEquivalentTo)
        || call.getName().equals("currentTimeMillis")
            && call.getTargetOwner().isEquivalentTo(System.class);
  }

  private static boolean readsNanos(JavaCall<?> call) {
    return call.getName().equals("nanoTime") && call.getTargetOwner().isEquivalentTo(System.class);
  }
}

package io.waterclock.topology;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.waterclock.topology.state.CalendarStore;
import io.waterclock.topology.state.CommandStore;
import io.waterclock.topology.state.ParkedStore;
import io.waterclock.topology.state.ProgressStore;
import io.waterclock.topology.state.ScheduleStore;
import io.waterclock.topology.state.StrayStore;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** The layout that the design promises: decide, then apply; arrows run downwards only. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String SCHEMAS = "io.waterclock.schemas..";
  private static final String OCCURRENCES = "io.waterclock.occurrences..";
  private static final String DEFINITION = "io.waterclock.definition..";
  private static final String TOPOLOGY = "io.waterclock.topology..";
  private static final String DECIDE = "io.waterclock.topology.decide..";
  private static final String STATE = "io.waterclock.topology.state..";
  private static final String STREAM = "io.waterclock.topology.stream..";
  private static final String APPLIER = "io.waterclock.topology.stream.Applier";
  private static final String ROUTER = "io.waterclock.topology.router..";
  private static final Set<Class<?>> STORES =
      Set.of(
          ScheduleStore.class,
          ProgressStore.class,
          CalendarStore.class,
          CommandStore.class,
          ParkedStore.class,
          StrayStore.class);
  private static final Set<String> MUTATORS =
      Set.of("put", "delete", "putPosition", "putReported", "putDropped", "forgetDropped");

  @ArchTest
  static final ArchRule loggers_are_safe_loggers =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.waterclock.schemas.SafeLogger")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");

  @ArchTest
  static final ArchRule deciding_knows_neither_kafka_nor_what_applies_it =
      noClasses()
          .that()
          .resideInAPackage(DECIDE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.slf4j..",
              STATE,
              STREAM,
              ROUTER,
              "io.waterclock.topology.kafka..",
              "io.waterclock.topology.ops..",
              "io.waterclock.topology.config..");

  @ArchTest
  static final ArchRule in_pure_code_time_is_an_argument =
      noClasses()
          .that()
          .resideInAnyPackage(DECIDE, STATE, DEFINITION, OCCURRENCES, SCHEMAS)
          .should()
          .callMethodWhere(
              DescribedPredicate.describe("it reads a clock", ArchitectureTest::clock));

  @ArchTest
  static final ArchRule deciding_has_no_clock_at_hand =
      noClasses()
          .that()
          .resideInAnyPackage(DECIDE, STATE, DEFINITION, OCCURRENCES, SCHEMAS)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Clock.class, InstantSource.class);

  @ArchTest
  static final ArchRule stores_know_nothing_of_the_stream =
      noClasses()
          .that()
          .resideInAPackage(STATE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STREAM, "io.waterclock.topology.kafka..");

  @ArchTest
  static final ArchRule only_the_applier_writes_to_the_stores =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(APPLIER)
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "it changes a store",
                  call ->
                      MUTATORS.contains(call.getName())
                          && STORES.stream().anyMatch(call.getTargetOwner()::isEquivalentTo)
                          && !call.getOriginOwner().equals(call.getTargetOwner())));

  @ArchTest
  static final ArchRule the_stores_have_no_other_mutators =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .belongToAnyOf(
              ScheduleStore.class,
              ProgressStore.class,
              CalendarStore.class,
              CommandStore.class,
              ParkedStore.class,
              StrayStore.class)
          .and()
          .haveRawReturnType(void.class)
          .and()
          .areNotPrivate()
          .should()
          .haveNameMatching("put|delete|putPosition|putReported|expectAscending");

  @ArchTest
  static final ArchRule scheduling_knows_nothing_of_routing =
      noClasses()
          .that()
          .resideInAnyPackage(STATE, STREAM)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROUTER);

  @ArchTest
  static final ArchRule only_the_applier_sends =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(APPLIER)
          .and()
          .resideOutsideOfPackage(ROUTER)
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "it forwards a record",
                  call ->
                      call.getName().equals("forward")
                          && call.getTargetOwner().isAssignableTo(ProcessorContext.class)));

  @ArchTest
  static final ArchRule only_ops_knows_how_metrics_are_told =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.waterclock.topology.ops..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.prometheus..");

  @ArchTest
  static final ArchRule libraries_bring_no_logger_along =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.slf4j.simple..");

  @ArchTest
  static final ArchRule schemas_depend_on_nothing_of_ours =
      noClasses()
          .that()
          .resideInAPackage(SCHEMAS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(OCCURRENCES, DEFINITION, TOPOLOGY);

  @ArchTest
  static final ArchRule occurrences_depend_on_nothing_of_ours_and_not_on_kafka =
      noClasses()
          .that()
          .resideInAPackage(OCCURRENCES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              SCHEMAS, DEFINITION, TOPOLOGY, "org.apache.kafka..", "org.apache.avro..");

  @ArchTest
  static final ArchRule definitions_know_neither_kafka_nor_the_scheduler =
      noClasses()
          .that()
          .resideInAPackage(DEFINITION)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TOPOLOGY, "org.apache.kafka..");

  @ArchTest
  static final ArchRule the_applier_is_where_it_is_looked_for =
      classes().that().haveFullyQualifiedName(APPLIER).should().notBePublic();

  private static boolean clock(JavaCall<?> call) {
    String name = call.getName();
    return (name.equals("now")
            && Set.of(Instant.class, LocalDate.class, LocalDateTime.class, ZonedDateTime.class)
                .stream()
                .anyMatch(call.getTargetOwner()::isEquivalentTo))
        || (call.getTargetOwner().isEquivalentTo(System.class)
            && (name.equals("currentTimeMillis") || name.equals("nanoTime")));
  }
}

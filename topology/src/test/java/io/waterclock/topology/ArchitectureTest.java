package io.waterclock.topology;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The layout of the modules up to this one: which package may import which, which are pure, and
 * that one class writes. docs/architecture.md draws it.
 */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = "io.waterclock.topology";
  private static final String[] PURE = {
    "io.waterclock.schemas..",
    "io.waterclock.occurrences..",
    "io.waterclock.definition..",
    "io.waterclock.decide..",
    "io.waterclock.limits..",
    ROOT + ".scheduler.store.."
  };

  /** Which packages of this module each of them may import. A package that is missing fails. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("scheduler.store", Set.of()),
          Map.entry("scheduler.input", Set.of()),
          Map.entry("scheduler.count", Set.of("scheduler.input")),
          Map.entry("scheduler.context", Set.of("scheduler.input", "scheduler.count")),
          Map.entry("scheduler.emit", Set.of("scheduler.input", "scheduler.context")),
          Map.entry(
              "scheduler.apply",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit")),
          Map.entry(
              "scheduler.admit",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit",
                  "scheduler.apply")),
          Map.entry(
              "scheduler.task",
              Set.of(
                  "scheduler.store",
                  "scheduler.input",
                  "scheduler.count",
                  "scheduler.context",
                  "scheduler.emit",
                  "scheduler.apply",
                  "scheduler.admit")),
          Map.entry("scheduler.guard", Set.of("scheduler.context")),
          Map.entry(
              "limiter",
              Set.of("scheduler.input", "scheduler.count", "scheduler.context", "scheduler.emit")));

  private static final String APPLIER = ROOT + ".scheduler.apply.Applier";
  private static final Set<Class<?>> STORES =
      Set.of(
          ScheduleStore.class,
          ProgressStore.class,
          CalendarStore.class,
          CommandStore.class,
          HeldRecordStore.class,
          StrayStore.class);
  private static final Set<String> MUTATORS =
      Set.of("put", "delete", "putPosition", "putDropped", "forgetDropped");

  @ArchTest
  static final ArchRule loggers_are_safe_loggers =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.waterclock.schemas.log.SafeLogger")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");

  @ArchTest
  static void each_package_imports_only_what_it_may(JavaClasses all) {
    Set<String> packages =
        all.stream()
            .map(type -> type.getPackage())
            .map(JavaPackage::getName)
            .filter(name -> name.equals(ROOT) || name.startsWith(ROOT + "."))
            .map(name -> name.substring(Math.min(name.length(), ROOT.length() + 1)))
            .collect(Collectors.toSet());
    assertThat(packages).isEqualTo(MAY_IMPORT.keySet());
    MAY_IMPORT.forEach(
        (name, allowed) -> {
          DescribedPredicate<com.tngtech.archunit.core.domain.JavaClass> others =
              resideInAPackage(ROOT + "..")
                  .and(
                      DescribedPredicate.not(
                          resideInAnyPackage(
                              allowed.stream()
                                  .map(one -> ROOT + "." + one)
                                  .toArray(String[]::new))))
                  .and(DescribedPredicate.not(resideInAPackage(ROOT + "." + name)));
          noClasses()
              .that()
              .resideInAPackage(ROOT + "." + name)
              .should()
              .dependOnClassesThat(others)
              .check(all);
        });
  }

  @ArchTest
  static final ArchRule in_pure_code_time_is_an_argument =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethodWhere(
              DescribedPredicate.describe("it reads a clock", ArchitectureTest::clock));

  @ArchTest
  static final ArchRule pure_code_has_no_clock_at_hand =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Clock.class, InstantSource.class);

  /** The placement notes which entries the queue dropped, and nothing else. */
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
                          && !(call.getOriginOwner().isEquivalentTo(Placement.class)
                              && call.getName().endsWith("Dropped"))
                          && STORES.stream().anyMatch(call.getTargetOwner()::isEquivalentTo)
                          && !call.getOriginOwner().equals(call.getTargetOwner())));

  @ArchTest
  static final ArchRule admission_records_effects_and_one_class_has_them_applied =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".scheduler.admit..")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".scheduler.admit.Admission")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(APPLIER);

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
              HeldRecordStore.class,
              StrayStore.class)
          .and()
          .haveRawReturnType(void.class)
          .and()
          .areNotPrivate()
          .should()
          .haveNameMatching("put|delete|putPosition|expectAscending");

  @ArchTest
  static final ArchRule of_the_scheduler_only_the_applier_sends =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".scheduler..")
          .and()
          .doNotHaveFullyQualifiedName(APPLIER)
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "it forwards a record",
                  call ->
                      call.getName().equals("forward")
                          && call.getTargetOwner().isAssignableTo(ProcessorContext.class)));

  @ArchTest
  static final ArchRule libraries_bring_no_logger_along =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.slf4j.simple..");

  @ArchTest
  static final ArchRule schemas_import_nothing_of_ours =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.schemas..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.occurrences..",
              "io.waterclock.definition..",
              "io.waterclock.decide..",
              "io.waterclock.audit..",
              ROOT + "..");

  @ArchTest
  static final ArchRule the_audit_knows_neither_kafka_nor_the_scheduler_nor_its_decisions =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.audit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + "..", "io.waterclock.decide..", "org.apache.kafka..");

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

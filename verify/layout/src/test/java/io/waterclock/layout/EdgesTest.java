package io.waterclock.layout;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** What stands at an edge, in one place: writing to stores, sending, and libraries. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class EdgesTest {
  private static final String SCHEDULER = "io.waterclock.topology.scheduler";
  private static final String APPLIER = SCHEDULER + ".apply.Applier";
  private static final Class<?>[] STORES = {
    ScheduleStore.class,
    ProgressStore.class,
    CalendarStore.class,
    CommandStore.class,
    HeldRecordStore.class,
    StrayStore.class
  };
  private static final Set<String> MUTATORS =
      Set.of("put", "delete", "putPosition", "putWithdrawnAt", "putDropped", "forgetDropped");

  /** The placement notes which entries the queue dropped, and nothing else. */
  @ArchTest
  static final ArchRule only_the_applier_writes_to_the_stores =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(APPLIER)
          .should()
          .callMethodWhere(
              describe(
                  "it changes a store",
                  call ->
                      MUTATORS.contains(call.getName())
                          && !(call.getOriginOwner().isEquivalentTo(Placement.class)
                              && call.getName().endsWith("Dropped"))
                          && Set.of(STORES).stream().anyMatch(call.getTargetOwner()::isEquivalentTo)
                          && !call.getOriginOwner().equals(call.getTargetOwner())));

  @ArchTest
  static final ArchRule the_stores_have_no_other_mutators =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .belongToAnyOf(STORES)
          .and()
          .haveRawReturnType(void.class)
          .and()
          .areNotPrivate()
          .should()
          .haveNameMatching("put|delete|putPosition|putWithdrawnAt|expectAscending");

  @ArchTest
  static final ArchRule admission_records_effects_and_one_class_has_them_applied =
      noClasses()
          .that()
          .resideInAPackage(SCHEDULER + ".admit..")
          .and()
          .doNotHaveFullyQualifiedName(SCHEDULER + ".admit.Admission")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(APPLIER);

  @ArchTest
  static final ArchRule of_the_scheduler_only_the_applier_sends =
      noClasses()
          .that()
          .resideInAPackage(SCHEDULER + "..")
          .and()
          .doNotHaveFullyQualifiedName(APPLIER)
          .should()
          .callMethodWhere(
              describe(
                  "it forwards a record",
                  call ->
                      call.getName().equals("forward")
                          && call.getTargetOwner().isAssignableTo(ProcessorContext.class)));

  @ArchTest
  static final ArchRule libraries_bring_no_logger_along =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.slf4j.simple..");

  @ArchTest
  static final ArchRule the_scheduler_measures_in_one_package =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.runtime..")
          .and()
          .resideOutsideOfPackage("io.waterclock.runtime.metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.prometheus..");

  @ArchTest
  static final ArchRule the_scheduler_serves_http_in_one_package =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.runtime..")
          .and()
          .resideOutsideOfPackage("io.waterclock.runtime.http..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.jetty..");

  @ArchTest
  static final ArchRule a_service_without_micrometer_can_load_the_client =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client..")
          .and()
          .resideOutsideOfPackage("io.waterclock.client.metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.waterclock.client.metrics..");

  @ArchTest
  static final ArchRule deduplication_stands_alone =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.dedup..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.waterclock.client.worker..", "org.apache.kafka.clients..");

  @ArchTest
  static final ArchRule producing_and_consuming_know_nothing_of_each_other =
      noClasses()
          .that()
          .resideInAnyPackage("io.waterclock.client.schedules..", "io.waterclock.client.topics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.waterclock.client.worker..",
              "io.waterclock.client.rules..",
              "io.waterclock.client.dedup..",
              "org.apache.kafka.streams..");

  @ArchTest
  static final ArchRule payloads_know_neither_kafka_nor_workers =
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
  static final ArchRule topics_are_read_below_schedules =
      noClasses()
          .that()
          .resideInAPackage("io.waterclock.client.topics..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.waterclock.client.schedules..");
}

package io.waterclock.layout;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.waterclock.schemas.ReaderSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** What holds in every module. The ArchitectureTest of a module has the rules of its own. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class AllModulesTest {
  @ArchTest
  static final ArchRule no_package_depends_on_itself_through_others =
      slices().matching("io.waterclock.(**)").should().beFreeOfCycles();

  /** A nested class is a part of its outermost. The seal of an interface is no dependency. */
  @ArchTest
  static final ArchRule no_class_depends_on_itself_through_others =
      slices().assignedFrom(new OutermostClass()).should().beFreeOfCycles();

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

  /** A fetch without a bound fills the memory of its process. */
  @ArchTest
  static final ArchRule readers_have_bounds =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.waterclock.bench..", "io.waterclock.examples..")
          .and()
          .doNotBelongToAnyOf(ReaderSettings.class)
          .and(
              // with the settings of Kafka Streams and of a group
              are(not(nameMatching(".*\\.(WatchedClients|WatchedConsumer|PollLoop)(\\$.*)?"))))
          .should()
          .callConstructorWhere(target(owner(type(KafkaConsumer.class))));

  private record OutermostClass() implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      JavaClass outermost = type;
      while (outermost.getEnclosingClass().isPresent()) {
        outermost = outermost.getEnclosingClass().get();
      }
      return SliceIdentifier.of(outermost.getName());
    }

    @Override
    public String getDescription() {
      return "classes";
    }
  }
}

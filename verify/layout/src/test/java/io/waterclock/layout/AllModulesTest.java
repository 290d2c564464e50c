package io.waterclock.layout;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
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
import io.waterclock.schemas.log.SafeLogger;
import java.io.ObjectInputStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.LoggerFactory;

/** What holds in every module. */
@AnalyzeClasses(packages = "io.waterclock", importOptions = ImportOption.DoNotIncludeTests.class)
final class AllModulesTest {
  @ArchTest
  static final ArchRule no_package_depends_on_itself_through_others =
      slices().matching("io.waterclock.(**)").should().beFreeOfCycles();

  /** A nested class is a part of its outermost. The seal of an interface is no dependency. */
  @ArchTest
  static final ArchRule no_class_depends_on_itself_through_others =
      slices().assignedFrom(new OutermostClass()).should().beFreeOfCycles();

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

  @ArchTest
  static final ArchRule loggers_are_safe_loggers =
      noClasses()
          .that()
          .doNotBelongToAnyOf(SafeLogger.class)
          .should()
          .callMethod(LoggerFactory.class, "getLogger", Class.class)
          .orShould()
          .callMethod(LoggerFactory.class, "getLogger", String.class)
          .because("text from outside must forge no line of a log");

  @ArchTest
  static final ArchRule java_objects_are_not_deserialised =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.waterclock.occurrences.tzdb.ZoneDataFile")
          .and()
          .resideOutsideOfPackage("io.waterclock.bench..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ObjectInputStream.class);

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

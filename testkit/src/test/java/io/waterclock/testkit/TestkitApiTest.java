package io.waterclock.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What users of the test kit see has no types that change with the scheduler's code. */
@AnalyzeClasses(
    packages = "io.waterclock.testkit",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class TestkitApiTest {
  private static final List<String> INTERNAL =
      List.of(
          "io.waterclock.topology",
          "io.waterclock.runtime",
          "io.waterclock.definition",
          "org.apache.kafka.common.utils",
          "org.apache.kafka.common.header.internals");

  @ArchTest
  static final ArchRule public_methods_name_no_internal_types =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .should(new NameNoInternalTypes());

  private static final class NameNoInternalTypes extends ArchCondition<JavaMethod> {
    NameNoInternalTypes() {
      super("name no internal types");
    }

    @Override
    public void check(JavaMethod method, ConditionEvents events) {
      Set<String> internal = new TreeSet<>();
      Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
          .flatMap(type -> type.getAllInvolvedRawTypes().stream())
          .map(JavaClass::getName)
          .filter(name -> INTERNAL.stream().anyMatch(start -> name.startsWith(start + ".")))
          .forEach(internal::add);
      String message = method.getFullName() + " names " + internal;
      events.add(new SimpleConditionEvent(method, internal.isEmpty(), message));
    }
  }
}

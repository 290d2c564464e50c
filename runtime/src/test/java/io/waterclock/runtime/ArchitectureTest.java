package io.waterclock.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The layout of the application: which package may import which. */
@AnalyzeClasses(
    packages = "io.waterclock.runtime",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = "io.waterclock.runtime";

  @ArchTest
  static final ArchRule each_package_imports_only_what_it_may =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .ensureAllClassesAreContainedInArchitecture()
          .layer("root")
          .definedBy(ROOT)
          .layer("config")
          .definedBy(ROOT + ".config")
          .layer("state")
          .definedBy(ROOT + ".state")
          .layer("router")
          .definedBy(ROOT + ".router")
          .layer("intake")
          .definedBy(ROOT + ".intake")
          .layer("clients")
          .definedBy(ROOT + ".clients")
          .layer("brokers")
          .definedBy(ROOT + ".brokers")
          .layer("metrics")
          .definedBy(ROOT + ".metrics")
          .layer("http")
          .definedBy(ROOT + ".http")
          .whereLayer("root")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("config")
          .mayNotAccessAnyLayer()
          .whereLayer("state")
          .mayNotAccessAnyLayer()
          .whereLayer("router")
          .mayNotAccessAnyLayer()
          .whereLayer("intake")
          .mayNotAccessAnyLayer()
          .whereLayer("clients")
          .mayOnlyAccessLayers("router")
          .whereLayer("metrics")
          .mayOnlyAccessLayers("router", "intake")
          .whereLayer("brokers")
          .mayOnlyAccessLayers("config", "clients")
          .whereLayer("http")
          .mayOnlyAccessLayers("metrics");

  @ArchTest
  static final ArchRule only_metrics_imports_micrometer =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.prometheus..");

  @ArchTest
  static final ArchRule only_http_imports_jetty =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".http..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.jetty..");

  @ArchTest
  static final ArchRule loggers_are_safe_loggers =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.LoggerFactory")
          .because("text from outside must forge no line of a log");
}

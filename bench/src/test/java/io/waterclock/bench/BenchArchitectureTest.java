package io.waterclock.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The layout of the bench: subcommands use rigs, meters and reports, and never the reverse. */
@AnalyzeClasses(
    packages = "io.waterclock.bench",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class BenchArchitectureTest {
  @ArchTest
  static final ArchRule no_package_depends_on_itself_through_others =
      slices().matching("io.waterclock.(**)").should().beFreeOfCycles();
}

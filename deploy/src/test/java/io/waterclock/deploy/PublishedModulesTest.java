package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Maven Central asks of a pom, and what users ask of the BOM. */
final class PublishedModulesTest {
  private static final String OURS = "[groupId='io.waterclock']/artifactId";

  static List<PublishedModule> modules() {
    return PublishedModule.all();
  }

  /** Maven Central refuses a pom without these; all modules inherit them as they are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "url",
        "@child.project.url.inherit.append.path",
        "licenses/license/name",
        "licenses/license/url",
        "developers/developer/name",
        "scm/connection",
        "scm/developerConnection",
        "scm/url",
        "scm/@child.scm.connection.inherit.append.path",
        "scm/@child.scm.developerConnection.inherit.append.path",
        "scm/@child.scm.url.inherit.append.path"
      })
  void every_pom_inherits(String element) {
    assertThat(PublishedModule.PARENT.text("/project/" + element)).isPresent();
    if (element.startsWith("@") || element.contains("/@")) {
      assertThat(PublishedModule.PARENT.text("/project/" + element)).contains("false");
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void a_published_module_has_a_name_a_description_and_code_of_its_own(PublishedModule module) {
    assertThat(module.text("/project/name")).isPresent();
    assertThat(module.text("/project/description")).isPresent();
    assertThat(module.hasSources()).isEqualTo(module.isJar());
    assertThat(module.texts("/project/url | /project/scm | /project/licenses")).isEmpty();
    assertThat(module.texts("//repositories | //pluginRepositories")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void a_published_module_depends_on_published_modules_only(PublishedModule module) {
    assertThat(names())
        .containsAll(module.texts("/project/dependencies/dependency[not(scope='test')]" + OURS));
  }

  @Test
  void the_bom_lists_all_other_published_modules_with_its_own_version() {
    PublishedModule bom = modules().stream().filter(m -> !m.isJar()).findFirst().orElseThrow();
    String managed = "/project/dependencyManagement/dependencies/dependency";
    assertThat(bom.texts(managed + OURS))
        .containsExactlyInAnyOrderElementsOf(
            names().filter(name -> !name.equals(bom.artifactId())).toList());
    assertThat(bom.texts(managed + "/version")).containsOnly("${project.version}");
    assertThat(bom.texts(managed + "/groupId")).containsOnly("io.waterclock");
  }

  @Test
  void programs_and_tests_are_not_published() {
    assertThat(PublishedModule.PARENT.text("/project/properties/maven.deploy.skip"))
        .contains("true");
    assertThat(names())
        .contains("waterclock-bom", "waterclock-client", "waterclock-testkit")
        .doesNotContain("waterclock-cli", "waterclock-it", "waterclock-bench")
        .doesNotContain("waterclock-examples", "waterclock-deploy");
  }

  private static Stream<String> names() {
    return modules().stream().map(PublishedModule::artifactId);
  }
}

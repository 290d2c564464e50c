package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.connect.webhook.WebhookSinkConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/connectors.md documents every setting, and the versions that the build tests. */
class GuideTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final String GUIDE = read(ROOT.resolve("docs/connectors.md"));

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The names in code style, without their values. */
  private static Set<String> named() {
    return CODE.matcher(GUIDE.replaceAll("(?s)```.*?```", ""))
        .results()
        .map(code -> code.group(1).split("=", 2)[0])
        .collect(Collectors.toSet());
  }

  @Test
  void every_setting_of_the_webhook_is_documented() {
    assertThat(named()).containsAll(new WebhookSinkConnector().config().names());
  }

  @Test
  void every_setting_of_the_transformation_is_documented() {
    assertThat(named())
        .containsAll(
            new ScheduleRow<>()
                .config().names().stream()
                    .map(setting -> setting.replaceFirst("[.](column|value)$", ""))
                    .toList());
  }

  @Test
  void every_setting_of_the_plugins_that_write_to_tables_is_documented() {
    assertThat(named()).containsAll(new RunTimes<>().config().names());
    for (String column :
        List.of("status", "attempt", "started_at", "ended_at", "output", "error")) {
      assertThat(named()).contains(column);
      assertThat(OutcomeConverter.SCHEMA.field(column)).isNotNull();
    }
  }

  @Test
  void every_configuration_that_we_ship_is_documented() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("config"))) {
      assertThat(files).allSatisfy(file -> assertThat(GUIDE).contains(file.getFileName() + ")"));
    }
  }

  @Test
  void the_versions_of_others_are_those_that_the_build_tries() {
    String pom = read(ROOT.resolve("pom.xml"));
    for (String kind : List.of("postgres", "jdbc")) {
      Matcher version =
          Pattern.compile("<debezium-" + kind + ".version>(.+)</debezium").matcher(pom);
      assertThat(version.find()).isTrue();
      assertThat(GUIDE).contains("io.debezium:debezium-connector-" + kind + ":" + version.group(1));
    }
  }
}

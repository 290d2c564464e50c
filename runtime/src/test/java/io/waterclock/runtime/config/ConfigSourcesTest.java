package io.waterclock.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigSourcesTest {
  @TempDir Path dir;

  @Test
  void flags_win_over_the_environment_and_that_over_the_file() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("waterclock.properties"), "prefix=file\npartitions=1\nformat=json\n");
    assertThat(
            ConfigSources.gather(
                Optional.of(file),
                Map.of("WATERCLOCK_PREFIX", "env", "WATERCLOCK_PARTITIONS", "2"),
                Map.of("prefix", "flag")))
        .isEqualTo(Map.of("prefix", "flag", "partitions", "2", "format", "json"));
  }

  @Test
  void an_empty_variable_counts_as_unset() throws IOException {
    Path file = Files.writeString(dir.resolve("own.properties"), "bootstrap.servers=a:1\n");
    assertThat(
            ConfigSources.gather(
                Optional.of(file),
                Map.of("WATERCLOCK_BOOTSTRAP_SERVERS", "", "WATERCLOCK_PREFIX", " "),
                Map.of()))
        .isEqualTo(Map.of("bootstrap.servers", "a:1"));
  }

  @Test
  void a_variable_names_a_setting_in_capitals_with_underscores() {
    assertThat(
            ConfigSources.gather(
                Optional.empty(),
                Map.of(
                    "WATERCLOCK_BOOTSTRAP_SERVERS", "a:1",
                    "WATERCLOCK_PRODUCER_LINGER_MS", "7"),
                Map.of()))
        .isEqualTo(Map.of("bootstrap.servers", "a:1", "producer.linger.ms", "7"));
  }

  @Test
  void variables_of_others_and_of_the_launcher_are_no_settings() {
    assertThat(
            ConfigSources.gather(
                Optional.empty(),
                Map.of(
                    "HOME", "/root", "WATERCLOCK_OPTS", "-Xmx1g", "WATERCLOCK_CLASSPATH", "a.jar"),
                Map.of()))
        .isEmpty();
  }

  @Test
  void the_context_of_the_other_commands_is_no_setting() {
    Map<String, String> environment =
        Map.of("WATERCLOCK_CONTEXT", "production", "WATERCLOCK_PREFIX", "acme");
    assertThat(ConfigSources.gather(Optional.empty(), environment, Map.of()))
        .isEqualTo(Map.of("prefix", "acme"));
  }

  @Test
  void a_file_that_cannot_be_read_is_named() {
    Path missing = dir.resolve("missing.properties");
    assertThatThrownBy(() -> ConfigSources.gather(Optional.of(missing), Map.of(), Map.of()))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("there is no configuration file " + missing);
    assertThatThrownBy(() -> ConfigSources.gather(Optional.of(dir), Map.of(), Map.of()))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("the configuration file " + dir + " cannot be read");
  }
}

package io.waterclock.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Questions are split at blanks. */
final class ChildProtocolTest {

  @Test
  void a_file_is_one_word_whatever_its_name() {
    Path file = Path.of("/some where/with %20 and ü/runs").toAbsolutePath();

    String word = ChildProtocol.word(file);

    assertThat(word).doesNotContain(" ");
    assertThat(ChildProtocol.file(word)).isEqualTo(file);
  }

  @Test
  void settings_survive_the_way_to_another_process() {
    Map<String, String> settings = Map.of("bootstrap.servers", "localhost:1", "jaas", "a=b=c");

    assertThat(ChildProtocol.settings(ChildProtocol.arguments(settings))).isEqualTo(settings);
  }
}

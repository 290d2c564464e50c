package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStateTest {
  private static final Map<String, String> NONE = Map.of();
  private static final Map<String, String> ONE = Map.of("schedules", "id-1");
  private static final Map<String, String> BOTH = Map.of("schedules", "id-1", "progress", "id-2");
  private static final Map<String, String> RECREATED =
      Map.of("schedules", "id-3", "progress", "id-2");

  @TempDir private Path stateDir;

  private LocalState startWith(Map<String, String> changelogs) {
    return new LocalState(stateDir, "app", changelogs);
  }

  @Test
  void state_without_known_changelogs_is_stale() {
    assertThat(startWith(NONE).isStale()).isTrue();
    assertThat(startWith(BOTH).isStale()).isTrue();
  }

  @Test
  void state_belongs_to_the_changelogs_that_were_remembered() {
    startWith(BOTH).remember();
    assertThat(startWith(BOTH).isStale()).isFalse();
    assertThat(startWith(RECREATED).isStale()).isTrue();
    assertThat(startWith(NONE).isStale()).isTrue();
  }

  @Test
  void state_is_stale_when_the_file_of_its_changelogs_is_damaged() throws IOException {
    startWith(BOTH).remember();
    Files.write(stateDir.resolve("app.changelogs"), new byte[] {(byte) 0xff, 0, (byte) 0xc0});
    assertThat(startWith(BOTH).isStale()).isTrue();
  }

  @Test
  void state_belongs_to_changelogs_that_were_created_after_the_first_start() {
    LocalState first = startWith(NONE);
    first.remember();
    first.add(ONE);
    assertThat(first.lacksOneOf(List.of("schedules"))).isFalse();
    assertThat(first.lacksOneOf(BOTH.keySet())).isTrue();
    first.add(BOTH);
    assertThat(startWith(BOTH).isStale()).isFalse();
  }

  @Test
  void state_does_not_belong_to_a_changelog_that_was_recreated_meanwhile() {
    LocalState state = startWith(ONE);
    state.remember();
    state.add(RECREATED);
    assertThat(startWith(RECREATED).isStale()).isTrue();
    assertThat(startWith(ONE).isStale()).isFalse();
  }
}

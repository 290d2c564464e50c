package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReaderSettingsTest {
  private static final Map<String, Object> CLUSTER = Map.of("bootstrap.servers", "127.0.0.1:1");

  @Test
  void a_fetch_has_a_megabyte_and_a_poll_few_records() {
    assertThat(ReaderSettings.of(CLUSTER))
        .containsEntry("fetch.max.bytes", 1_048_576)
        .containsEntry("max.partition.fetch.bytes", 1_048_576)
        .containsEntry("max.poll.records", 100);
  }

  @Test
  void bounds_of_the_user_win_and_other_settings_stay() {
    assertThat(ReaderSettings.of(Map.of("fetch.max.bytes", "3333", "client.id", "a")))
        .containsEntry("fetch.max.bytes", "3333")
        .containsEntry("client.id", "a");
  }

  @Test
  void readers_see_committed_records_only_whatever_the_user_sets() {
    assertThat(ReaderSettings.of(Map.of("isolation.level", "read_uncommitted")))
        .containsEntry("isolation.level", "read_committed");
  }

  @Test
  void kafka_accepts_the_settings() {
    ReaderSettings.consumer(CLUSTER).close();
  }
}

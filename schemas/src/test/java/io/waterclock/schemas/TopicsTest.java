package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  @Test
  void a_topic_is_the_prefix_and_its_name() {
    Topics topics = new Topics("tenant-a");

    assertThat(topics.schedules()).isEqualTo("tenant-a.schedules");
    assertThat(topics.calendars()).isEqualTo("tenant-a.calendars");
    assertThat(topics.commands()).isEqualTo("tenant-a.commands");
    assertThat(topics.outcomes()).isEqualTo("tenant-a.outcomes");
    assertThat(topics.later()).isEqualTo("tenant-a.later");
    assertThat(topics.fires()).isEqualTo("tenant-a.fires");
    assertThat(topics.missed()).isEqualTo("tenant-a.missed");
    assertThat(topics.revisions()).isEqualTo("tenant-a.revisions");
    assertThat(topics.status()).isEqualTo("tenant-a.status");
    assertThat(topics.answers()).isEqualTo("tenant-a.answers");
    assertThat(topics.watermarks()).isEqualTo("tenant-a.watermarks");
    assertThat(topics.dlq()).isEqualTo("tenant-a.dlq");
    assertThat(topics.workers()).isEqualTo("tenant-a.workers");
    assertThat(topics.ceSource()).isEqualTo("/waterclock/tenant-a");
    assertThat(Topics.ofDefault().fires()).isEqualTo("waterclock.fires");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "ä", "a:b"})
  void a_prefix_is_legal_in_a_topic(String prefix) {
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> new Topics(prefix))
        .withMessageContaining("topic prefix \"" + prefix + "\"");
  }

  @Test
  void a_prefix_leaves_room_for_the_name() {
    assertThat(new Topics("x".repeat(200)).watermarks()).hasSizeLessThan(250);
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> new Topics("x".repeat(201)));
  }
}

package io.waterclock.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreFoldersTest {
  private static final StoreId STORE = new StoreId(new TaskId(0, 3), "schedules");
  private static final Duration KEPT = Duration.ofMinutes(10);

  @TempDir Path dir;
  private StoreFolders folders;

  @BeforeEach
  void begin() {
    folders = new StoreFolders(dir, KEPT);
  }

  @Test
  void a_task_with_stores_is_marked_for_kafka_streams() {
    folders.open(STORE);
    assertThat(dir.resolve("0_3")).isNotEmptyDirectory();
  }

  @Test
  void stores_that_outlived_the_folder_of_their_task_are_marked_at_the_next_start()
      throws IOException {
    wiped();
    new StoreFolders(dir, KEPT).mark();
    assertThat(dir.resolve("0_3")).isNotEmptyDirectory();
  }

  @Test
  void stores_of_a_task_that_is_still_here_stay() throws IOException {
    Files.createDirectories(folders.open(STORE));
    folders.close(STORE);
    folders.sweep(Instant.now().plus(Duration.ofDays(1)));
    assertThat(dir.resolve("stores/0_3/schedules")).exists();
  }

  @Test
  void stores_of_a_task_that_has_moved_away_go_after_a_while() throws IOException {
    wiped();
    folders.sweep(Instant.now().plus(KEPT).minusSeconds(5));
    assertThat(dir.resolve("stores/0_3/schedules")).exists();
    folders.sweep(Instant.now().plus(KEPT).plusSeconds(5));
    assertThat(dir.resolve("stores/0_3")).doesNotExist();
  }

  /** Kafka Streams has fenced the task, and not begun it anew. */
  @Test
  void an_open_store_stays() throws IOException {
    Files.createDirectories(folders.open(STORE));
    Utils.delete(dir.resolve("0_3").toFile());
    folders.sweep(Instant.now().plus(Duration.ofDays(1)));
    assertThat(dir.resolve("stores/0_3/schedules")).exists();
  }

  @Test
  void nothing_to_sweep_is_no_error() {
    folders.mark();
    folders.sweep(Instant.now());
    assertThat(dir).isEmptyDirectory();
  }

  /** A closed store, whose task's folder Kafka Streams has deleted. */
  private void wiped() throws IOException {
    Files.createDirectories(folders.open(STORE));
    folders.close(STORE);
    Utils.delete(dir.resolve("0_3").toFile());
  }
}

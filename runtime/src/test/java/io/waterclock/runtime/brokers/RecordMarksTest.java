package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.runtime.brokers.RecordMarks.Mark;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RecordMarksTest {
  @TempDir private Path dir;

  @Test
  void what_was_being_taken_in_is_there_for_the_next_process_once() {
    Path file = dir.resolve("state").resolve("app.records");
    RecordMarks marks = RecordMarks.open(file, 3);
    assertThat(marks.takeLeft()).isEmpty();
    marks.set(0, new Mark(0, 0, 0));
    marks.set(1, new Mark(1, 1, 5));
    marks.clear(1);
    Mark largest = new Mark(3, (1 << 15) - 1, (1L << 46) - 1);
    assertThat(RecordMarks.fits(largest)).isTrue();
    marks.set(2, largest);

    RecordMarks next = RecordMarks.open(file, 3);
    assertThat(next.takeLeft()).containsExactly(new Mark(0, 0, 0), largest);
    assertThat(RecordMarks.open(file, 3).takeLeft()).isEmpty();
  }

  /** Else the first mark would find it out, as an error of the JVM. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void a_full_disk_is_found_when_the_file_is_opened() {
    assertThatThrownBy(() -> RecordMarks.open(Path.of("/dev/full"), 3))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("the state on disk cannot be written: /dev/full: No space left on device");
  }
}

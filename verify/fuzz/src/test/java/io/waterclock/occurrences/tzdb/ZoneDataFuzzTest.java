package io.waterclock.occurrences.tzdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Files of time-zone data that an operator pins. */
final class ZoneDataFuzzTest {
  private static Path file;

  @BeforeAll
  static void create() throws Exception {
    file = Files.createTempFile("tzdb", ".dat");
  }

  @AfterAll
  static void delete() throws Exception {
    Files.delete(file);
  }

  @FuzzTest
  void file(byte @NotNull [] content) throws Exception {
    Files.write(file, content);
    try {
      ZoneData data = Claims.bounded(content.length, () -> ZoneDataFile.read(file));
      assertThat(data.version()).matches("\\d{4}[a-z]{1,2}");
      assertThat(data.rules()).isNotEmpty();
    } catch (InvalidZoneDataException e) {
      Claims.rejected(e);
    }
  }
}

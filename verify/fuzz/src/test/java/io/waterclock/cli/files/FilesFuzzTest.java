package io.waterclock.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Schedules as code. A file never throws: what cannot be read is a problem with its line. What is
 * read is written and read again as the same definitions.
 */
final class FilesFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/yaml.dict")
  void yaml(byte @NotNull [] content) throws Exception {
    check("schedules.yaml", content);
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void json(byte @NotNull [] content) throws Exception {
    check("schedules.json", content);
  }

  private static void check(String name, byte[] content) throws Exception {
    DefinitionFiles read =
        Claims.bounded(content.length, () -> DefinitionFiles.of(name, content, ZoneOffset.UTC));
    for (FileProblem problem : read.problems()) {
      assertThat(problem.toString()).isNotBlank().doesNotContain("Exception");
    }
    assertThat(DefinitionFiles.of(name, content, ZoneOffset.UTC).problems())
        .hasSameSizeAs(read.problems());
    StringBuilder text = new StringBuilder();
    DefinitionWriter writer = new DefinitionWriter(text);
    read.schedules()
        .forEach(one -> writer.schedule(one.id().value(), one.schedule(), List.of("by hand\n")));
    read.calendars().forEach(one -> writer.calendar(one.name().value(), one.calendar(), List.of()));
    DefinitionFiles again =
        DefinitionFiles.of(
            "again.yaml", text.toString().getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC);
    assertThat(again.schedules()).hasSameSizeAs(read.schedules());
    for (int i = 0; i < read.schedules().size(); i++) {
      assertThat(again.schedules().get(i).id()).isEqualTo(read.schedules().get(i).id());
      assertThat(avro(again.schedules().get(i))).isEqualTo(avro(read.schedules().get(i)));
    }
    assertThat(again.calendars().stream().map(FileCalendar::calendar))
        .containsExactlyElementsOf(read.calendars().stream().map(FileCalendar::calendar).toList());
    assertThat(read.invalid(List.of(), ZoneOffset.UTC, NOW))
        .hasSameSizeAs(again.invalid(List.of(), ZoneOffset.UTC, NOW));
  }

  private static byte[] avro(FileSchedule one) {
    return RecordCodecs.schedule().encode(one.schedule(), WireFormat.AVRO);
  }
}

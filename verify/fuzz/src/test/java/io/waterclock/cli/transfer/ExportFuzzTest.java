package io.waterclock.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Schedule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Exports: a file that is none is a {@link Failure}, and an export reads as it was written. */
final class ExportFuzzTest {
  private static final ExportHeader HEADER =
      new ExportHeader("waterclock", "c", Instant.parse("2026-11-24T12:00:00Z"), false, "2026a");
  private static Path file;

  @BeforeAll
  static void create() throws Exception {
    file = Files.createTempFile("export", ".jsonl");
  }

  @AfterAll
  static void delete() throws Exception {
    Files.delete(file);
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void file(byte @NotNull [] content) throws Exception {
    Files.write(file, content);
    List<ExportedSchedule> read = new ArrayList<>();
    try {
      Claims.bounded(content.length, () -> ExportFile.check(file, Set.of("holidays")))
          .forEach(read::add);
    } catch (Failure e) {
      Claims.rejected(e);
      return;
    }
    for (ExportedSchedule schedule : read) {
      assertThat(schedule.id().value()).isNotEmpty();
    }
  }

  /** A definition in any format, exported and read again. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void definition(byte @NotNull [] value) throws Exception {
    Schedule definition;
    try {
      definition = RecordCodecs.schedule().decode(value);
    } catch (UndecodableException e) {
      return;
    }
    Instant now = Instant.parse("2026-11-24T12:00:00Z");
    ExportedState state =
        ExportedState.newBuilder()
            .setWrittenAt(now)
            .setEffectiveAt(now)
            .setOwnsAfter(now)
            .setDecidedThrough(now)
            .build();
    StringWriter text = new StringWriter();
    ExportWriter writer = new ExportWriter(new PrintWriter(text));
    writer.begin(HEADER);
    writer.write(new ExportedSchedule(new ScheduleId("a"), definition, state));
    writer.end();
    Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    Optional<ExportFile> read = check();
    if (read.isPresent()) {
      read.get()
          .forEach(
              schedule -> {
                assertThat(avro(schedule.definition())).isEqualTo(avro(definition));
                assertThat(schedule.state()).isEqualTo(state);
              });
    }
  }

  private static Optional<ExportFile> check() {
    try {
      return Optional.of(ExportFile.check(file, Set.of("holidays")));
    } catch (Failure e) {
      Claims.rejected(e);
      return Optional.empty();
    }
  }

  private static byte[] avro(Schedule schedule) {
    return RecordCodecs.schedule().encode(schedule, WireFormat.AVRO);
  }
}

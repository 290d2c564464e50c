package io.waterclock.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Schedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportFileTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00.123Z");
  private static final ExportHeader HEADER =
      new ExportHeader("waterclock", "c1", AT, true, "2025b");
  private static final Schedule DEFINITION =
      RecordCodecs.schedule()
          .decode(
              ("{\"in\":\"PT90S\",\"timezone\":\"Europe/Berlin\",\"except\":[\"holidays\"],"
                      + "\"payload\":{\"n\":1,\"digits\":[0.10,1e2,12345678901234567890.5]}}")
                  .getBytes(StandardCharsets.UTF_8));
  private static final ExportedState PAUSED =
      state()
          .setPause(CommandedPause.newBuilder().setSince(AT).setNote("täglich\nneu").build())
          .setSkips(List.of(AT.plusSeconds(120)))
          .build();
  private static final ExportedState EDITED =
      state()
          .setOlder(
              List.of(
                  ExportedRevision.newBuilder()
                      .setRevision("waterclock.schedules-3@4")
                      .setSchedule(DEFINITION)
                      .setEffectiveAt(AT)
                      .setOwnsAfter(AT)
                      .setResolvedAt(AT.plusSeconds(90))
                      .build()))
          .build();

  private static ExportedState.Builder state() {
    return ExportedState.newBuilder()
        .setRevision("waterclock.schedules-3@17")
        .setWrittenAt(AT)
        .setEffectiveAt(AT)
        .setOwnsAfter(AT)
        .setResolvedAt(AT.plusSeconds(90))
        .setDecidedThrough(AT.plusSeconds(60));
  }

  @TempDir Path dir;

  @Test
  void an_export_is_read_as_it_was_written() throws IOException {
    Path path = export("a", "b/1");
    ExportFile file = ExportFile.check(path, Set.of());
    assertThat(file.header()).isEqualTo(HEADER);
    assertThat(file.ids()).containsExactlyInAnyOrder("a", "b/1");
    assertThat(file.calendars()).containsOnlyKeys("holidays");
    List<ExportedSchedule> read = new ArrayList<>();
    file.forEach(read::add);
    assertThat(read)
        .containsExactly(
            new ExportedSchedule(ScheduleId.parse("a"), DEFINITION, PAUSED),
            new ExportedSchedule(ScheduleId.parse("b/1"), DEFINITION, EDITED));
  }

  @Test
  void all_problems_are_reported_at_once_with_their_lines() throws IOException {
    Path path = export("a", "b/1");
    List<String> lines = Files.readAllLines(path);
    lines.set(1, lines.get(1).replace("2026-12-25", "2026-13-25"));
    lines.set(2, lines.get(2).replace("PT1M30S", "soon"));
    lines.set(3, lines.get(3).replace("b/1", "a").replace("decided_through", "decided_thru"));
    lines.add(4, "rubbish");
    Files.write(path, lines);
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("line 2 holidays: ")
        .hasMessageContaining("line 3 a: in: ")
        .hasMessageContaining("line 4 a: ")
        .hasMessageContaining("decided_through")
        .hasMessageContaining("line 4 a is there twice")
        .hasMessageContaining("line 5 is not a JSON object");
  }

  @Test
  void a_calendar_must_exist_or_be_in_the_file() throws IOException {
    Path path = export("a");
    List<String> lines = Files.readAllLines(path);
    lines.remove(1);
    Files.write(path, lines);
    assertThat(ExportFile.check(path, Set.of("holidays")).ids()).containsExactly("a");
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .hasMessageContaining("line 2 a: except: there is no calendar \"holidays\"");
  }

  @Test
  void a_truncated_file_or_another_file_is_rejected() throws IOException {
    Path path = export("a", "b");
    List<String> lines = Files.readAllLines(path);
    Files.write(path, lines.subList(0, lines.size() - 1));
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .hasMessageContaining("the last line is missing: the file is truncated");
    lines.remove(2);
    Files.write(path, lines);
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .hasMessageContaining("counts 2 schedules, but the file contains 1");
    Files.writeString(path, "{\"waterclock_export\":2}\n");
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .hasMessageContaining("line 1 is not the first line of an export of version 1");
    Files.writeString(path, "");
    assertThatThrownBy(() -> ExportFile.check(path, Set.of()))
        .hasMessageContaining("the last line is missing");
  }

  private Path export(String... ids) throws IOException {
    Path path = dir.resolve("export.jsonl");
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(path))) {
      ExportWriter writer = new ExportWriter(out);
      writer.begin(HEADER);
      writer.write(
          "holidays",
          RecordCodecs.calendar()
              .decode("{\"dates\":[\"2026-12-25\"]}".getBytes(StandardCharsets.UTF_8)));
      for (String id : ids) {
        writer.write(
            new ExportedSchedule(
                ScheduleId.parse(id), DEFINITION, id.equals("a") ? PAUSED : EDITED));
      }
      writer.end();
    }
    return path;
  }
}

package io.waterclock.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CommandJsonTest {
  @Test
  void the_action_stands_under_its_name() {
    assertThat(action("\"pause\":{\"note\":\"n\"}")).isEqualTo(new PauseCommand("n", null, false));
    assertThat(action("\"resume\":{\"on_resume\":\"fire-once\"}"))
        .isEqualTo(new ResumeCommand(OnResume.FIRE_ONCE, null, null, null));
    assertThat(action("\"cancel_backfill\":{\"backfill\":\"b\"}"))
        .isEqualTo(new CancelBackfillCommand("b"));
    assertThat(action("\"trigger\":{\"payload\":{\"a\": 1}}"))
        .isEqualTo(
            new TriggerCommand(ByteBuffer.wrap("{\"a\":1}".getBytes(StandardCharsets.UTF_8))));
    assertThat(
            action(
                "\"backfill\":{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\"}"))
        .isEqualTo(
            new BackfillCommand(
                Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2026-01-02T00:00:00Z"),
                false,
                null));
    assertThat(
            action(
                "\"backfill\":{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\","
                    + "\"newest_first\":true,\"max_running\":4}"))
        .isEqualTo(
            new BackfillCommand(
                Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2026-01-02T00:00:00Z"),
                true,
                4));
  }

  @Test
  void exactly_one_action_is_right() {
    assertRefused("{\"command_id\":\"c\"}", "there is no action: one of trigger, backfill");
    assertRefused(
        "{\"command_id\":\"c\",\"pause\":{},\"resume\":{}}",
        "pause and resume are given; exactly one");
    assertRefused(
        "{\"command_id\":\"c\",\"command_id\":\"d\",\"pause\":{}}", "command_id: is given twice");
    assertRefused("{\"command_id\":\"c\",\"pasue\":{}}", "nearest valid one is \"pause\"");
    assertRefused(
        "{\"pause\":{\"nose\":\"x\"}}", "command_id: is missing", "pause.nose: is an unknown");
  }

  private static void assertRefused(String json, String... parts) {
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> RecordCodecs.command().decode(json.getBytes(StandardCharsets.UTF_8)))
        .withMessageContainingAll(parts)
        .satisfies(e -> assertThat(e.problems()).isNotEmpty());
  }

  private static Object action(String json) {
    Command command =
        RecordCodecs.command()
            .decode(("{\"command_id\":\"c\"," + json + "}").getBytes(StandardCharsets.UTF_8));
    assertThat(
            RecordCodecs.command().decode(RecordCodecs.command().encode(command, WireFormat.JSON)))
        .isEqualTo(command);
    return command.getAction();
  }
}

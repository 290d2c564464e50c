package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower.Progress;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What would be sent ends at brokers that are away. */
final class EditingTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-24T12:00:00Z"));

  private final Access edda =
      new Access("edda", List.of(new Grant(Role.EDITOR, "*", "")), Role.EDITOR);
  private final Schedules schedules = Schedules.builder("127.0.0.1:1").build();
  private final ChangeOutbox sender = new ChangeOutbox(CLOCK, () -> true);
  private final Editing editing =
      new Editing(
          new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(8_000_000, 1, 1)),
          () -> new Progress(true, Optional.empty()),
          access -> new CompletableFuture<>(),
          Optional.of(schedules),
          sender,
          CLOCK);

  @AfterEach
  void close() {
    sender.close();
    schedules.close();
  }

  @Test
  void a_change_that_is_refused_for_its_note_leaves_the_schedule_to_the_next_one() {
    assertThatThrownBy(() -> define("x".repeat(1_001)))
        .isInstanceOf(BadRequestException.class)
        .hasMessage("note has more than 1000 characters");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> define("short"))
          .as("not that another change is under way")
          .hasMessage("The Kafka brokers do not answer. Nothing was sent.");
    }
  }

  private void define(String note) {
    String body =
        "{\"id\":\"a\",\"expected_revision\":\"\",\"definition\":{\"every\":\"5m\"},\"note\":\"%s\"}"
            .formatted(note);
    var unused = editing.define(JsonRequest.parse(body.getBytes(UTF_8)), edda);
  }
}

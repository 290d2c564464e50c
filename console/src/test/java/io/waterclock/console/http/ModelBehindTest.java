package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower.Progress;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A console that may not know what is in force. What would be sent ends at brokers that are away.
 */
final class ModelBehindTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final String POSITION = "waterclock.schedules-0@7";
  private static final String SENT = "The Kafka brokers do not answer. Nothing was sent.";

  private final Access edda =
      new Access("edda", List.of(new Grant(Role.EDITOR, "*", "")), Role.OPERATOR);
  private final ReadModel model =
      new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(8_000_000, 1, 1));
  private final Schedules schedules = Schedules.builder("127.0.0.1:1").build();
  private final ChangeOutbox sender = new ChangeOutbox(InstantSource.fixed(NOW), () -> true);
  private Progress progress = new Progress(true, Optional.empty());
  private final Editing editing =
      new Editing(
          model,
          () -> progress,
          access -> new CompletableFuture<>(),
          Optional.of(schedules),
          sender,
          InstantSource.fixed(NOW));
  private final Actions actions =
      new Actions(
          new Writing(
              schedules, Redrive.Brokers.of(Map.of(), Topics.ofDefault()), (name, limit) -> {}),
          model,
          () -> progress,
          sender);

  @AfterEach
  void close() {
    sender.close();
    schedules.close();
  }

  @ParameterizedTest
  @CsvSource({
    "false, , still reads its topics",
    "true, waterclock.limits-0@9 is not read yet, is not read yet",
  })
  void nothing_that_repeats_the_model_is_sent_while_it_does_not_follow_its_topics(
      boolean isComplete, String problem, String reason) {
    model.write(
        to ->
            to.limit(
                new LimitName("etl"),
                Optional.of(Limit.newBuilder().setMaxRunning(4).build()),
                NOW));
    written("a", "");
    assertRefused(() -> define("new", ""), SENT);
    assertRefused(() -> delete("a"), SENT);
    assertRefused(this::pauseLimit, SENT);

    progress = new Progress(isComplete, Optional.ofNullable(problem));

    assertRefused(() -> define("new", ""), reason);
    assertRefused(() -> delete("a"), reason);
    assertRefused(this::pauseLimit, reason);
    assertRefused(() -> command("a"), SENT);
  }

  @Test
  void a_full_console_defines_no_schedule_that_may_exist_already() {
    for (int i = 0; !model.read(ModelQueries::isIncomplete); i++) {
      written("a" + i, "x".repeat(1_000_000));
    }
    assertRefused(() -> define("new", ""), "new may be one of the others");
    assertRefused(() -> define("a0", POSITION), SENT);
  }

  private void written(String id, String description) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setDescription(description)
            .build();
    model.write(to -> to.written(id, POSITION, Optional.of(schedule), NOW));
  }

  private void define(String id, String expected) {
    String body =
        "{\"id\":\"%s\",\"expected_revision\":\"%s\",\"definition\":{\"every\":\"5m\"}}"
            .formatted(id, expected);
    var unused = editing.define(request(body), edda);
  }

  private void delete(String id) {
    String body = "{\"id\":\"%s\",\"expected_revision\":\"%s\"}".formatted(id, POSITION);
    var unused = editing.delete(request(body), edda);
  }

  private void pauseLimit() {
    var unused = actions.limit(request("{\"name\":\"etl\",\"action\":\"pause\"}"), edda);
  }

  private void command(String id) {
    var unused = actions.send(request("{\"id\":\"" + id + "\",\"action\":\"pause\"}"), edda);
  }

  private static JsonRequest request(String body) {
    return JsonRequest.parse(body.getBytes(UTF_8));
  }

  private static void assertRefused(ThrowingCallable change, String reason) {
    assertThatThrownBy(change)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(((BadRequestException) e).answer().status()).isEqualTo(503));
  }
}

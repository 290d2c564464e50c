package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.client.rules.WorkerHeartbeat;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.text.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Conditions of lists and bulk changes, and what workers leave beside their offsets. */
final class WhereFuzzTest {
  private static final KnownSchedule KNOWN =
      KnownSchedule.of("billing/a")
          .withStatus(
              Optional.of(
                  RecordCodecs.status()
                      .decode(
                          ("{\"schedule_id\":\"billing/a\",\"state\":\"paused\","
                                  + "\"since\":\"2026-11-24T12:00:00Z\","
                                  + "\"pause\":{\"since\":\"2026-11-24T12:00:00Z\","
                                  + "\"author\":\"ann\"}}")
                              .getBytes(StandardCharsets.UTF_8))));

  @FuzzTest
  @DictionaryEntries({
    "catch_up = replay",
    " and ",
    " or ",
    "not ",
    "id ~ 'test/*'",
    "labels.team",
    "!~",
    ">=",
    "paused_by",
    "since < 2026-11-24",
    "grace > 1m",
    "max_attempts",
    "target.topic",
    "skip",
    "("
  })
  void where(@NotNull String text) throws Exception {
    WhereExpression expression;
    try {
      expression = Claims.bounded(text.length(), () -> WhereExpression.parse(text));
    } catch (InvalidValueException e) {
      Claims.rejected(e);
      return;
    }
    boolean fits = expression.test(KNOWN);
    assertThat(WhereExpression.parse(expression.toString())).isEqualTo(expression);
    assertThat(WhereExpression.parse("not (" + text + ")").test(KNOWN)).isNotEqualTo(fits);
    assertThat(expression.negate().test(KnownSchedule.of("no status")))
        .isNotEqualTo(expression.test(KnownSchedule.of("no status")));
  }

  @FuzzTest
  @DictionaryEntries({
    "alive=2026-11-21T09:00:00Z/2026-11-21T12:00:00Z@1a2b3c4d",
    ";1,2,3",
    ";,-1,0"
  })
  void heartbeat(@NotNull String metadata) {
    Optional<WorkerHeartbeat> heartbeat = WorkerHeartbeat.parse(metadata);
    heartbeat.ifPresent(
        alive ->
            assertThat(
                    WorkerHeartbeat.parse(
                        alive.text(WorkerHeartbeat.handlers(metadata).orElseThrow())))
                .contains(alive));
  }
}

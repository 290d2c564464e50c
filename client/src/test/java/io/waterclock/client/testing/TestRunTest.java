package io.waterclock.client.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.TestFires;
import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A handler without a worker. */
final class TestRunTest {
  private static final Instant AT = Instant.parse("2026-11-24T09:00:00Z");

  record Order(String item) {}

  private static TestRun run(ScheduleBuilder definition) {
    return TestRun.of("orders/1", AT, definition.build());
  }

  @Test
  void a_run_has_the_fire_that_the_scheduler_would_emit() {
    Fire emitted = TestFires.of("orders/1", AT, Duration.ofHours(1), schedule -> {});
    TestRun run = run(ScheduleBuilder.every("1h"));
    assertThat(run.fire().getFireId()).isEqualTo(emitted.getFireId());
    assertThat(run.fireKey()).isEqualTo(TestFires.key(emitted).text());
    assertThat(run.attempt()).isEqualTo(1);
    assertThat(run.payload()).isEmpty();
    assertThat(run.deadline()).isEmpty();
    assertThat(run.collapsed()).isEmpty();
  }

  @Test
  void a_payload_is_read_as_in_a_worker() {
    TestRun run = run(ScheduleBuilder.every("1h").payload(new Order("tea")));
    assertThat(run.payloadAs(Order.class)).isEqualTo(new Order("tea"));
    assertThat(run.payloadAs(String.class)).isEqualTo("{\"item\":\"tea\"}");
    assertThatThrownBy(() -> run(ScheduleBuilder.every("1h")).payloadAs(Order.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("orders/1|2026-11-24T09:00:00.000Z has no payload");
  }

  @Test
  void what_a_handler_does_with_its_run_can_be_seen() {
    TestRun run = run(ScheduleBuilder.every("1h")).checkpoint("page 3".getBytes(UTF_8));
    handle(run);
    assertThat(run.output()).contains("from page 3");
    assertThat(run.dropReason()).contains("no paper");
    assertThat(run.checkpointLeft()).hasValueSatisfying(left -> assertThat(left).hasSize(1));
  }

  @Test
  void what_a_handler_defines_can_be_seen_and_a_trigger_that_goes_on_is_kept() {
    TestRun run = run(ScheduleBuilder.once(AT).payloadText("tea"));
    run.scheduleNext(AT.plusSeconds(60));
    run.delete("orders/2");
    assertThat(run.definitions())
        .containsExactly(
            Map.entry(
                "orders/1",
                Optional.of(ScheduleBuilder.once(AT.plusSeconds(60)).payloadText("tea").build())),
            Map.entry("orders/2", Optional.empty()));
    assertThatThrownBy(() -> run.scheduleNext(AT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be after this occurrence, 2026-11-24T09:00:00Z");
    assertThatThrownBy(() -> run(ScheduleBuilder.every("1h")).scheduleNext(AT.plusSeconds(60)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders/1 goes on by itself");
  }

  private static void handle(Run run) {
    run.output("from " + new String(run.checkpoint().orElseThrow(), UTF_8));
    run.leaveCheckpoint(new byte[] {4});
    run.drop("no paper");
    assertThatThrownBy(() -> run.leaveCheckpoint(new byte[Run.MAX_CHECKPOINT + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536");
  }

  @Test
  void cancelling_runs_each_action_once() {
    TestRun run = run(ScheduleBuilder.every("1h"));
    List<String> called = new ArrayList<>();
    run.onCancel(() -> called.add("before"));
    assertThat(run.isCancelled()).isFalse();
    run.cancel();
    run.cancel();
    run.onCancel(() -> called.add("after"));
    assertThat(run.isCancelled()).isTrue();
    assertThat(called).containsExactly("before", "after");
  }
}

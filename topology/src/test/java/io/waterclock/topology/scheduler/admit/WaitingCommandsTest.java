package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** When a command for an unknown schedule has waited long enough, with one partition. */
final class WaitingCommandsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final AdmissionContext context =
      AdmissionContext.of(task, task.applier()::apply, at -> NOW, Optional.empty());
  private final EndOfTopic topic = new EndOfTopic();
  private final WaitingCommands waiting = new WaitingCommands(context, topic, NOW);
  private long offset;

  @Test
  void a_command_waits_until_the_schedules_topic_is_read_to_an_end_asked_for_after_it_came() {
    add("a");
    assertThat(due()).isEmpty();
    add("b");
    add("a");
    assertThat(due()).isEmpty();
    assertThat(topic.asked).isEqualTo(1);

    topic.isRead = true;
    assertThat(due()).containsExactly("a@1");
    assertThat(waiting.contains(id("a"))).isTrue();
    topic.isRead = false;
    assertThat(due()).isEmpty();
    assertThat(topic.asked).isEqualTo(2);
    topic.isRead = true;
    assertThat(due()).containsExactly("a@3", "b@2");
    assertThat(waiting.contains(id("a"))).isFalse();
    assertThat(waiting.contains(id("b"))).isFalse();
  }

  @Test
  void an_end_is_asked_for_only_while_a_command_waits_whose_schedule_is_nowhere() {
    assertThat(due()).isEmpty();
    add("a");
    add("b");
    context.straysInTransit().sent(id("a"), "waterclock.schedules-1@7");
    context.heldRecords().add(inbound("b", "waterclock.schedules"));
    topic.isRead = true;
    assertThat(due()).isEmpty();
    assertThat(topic.asked).isZero();

    add("c");
    assertThat(due()).containsExactly("c@3");
    assertThat(waiting.take(id("a"))).hasSize(1);
    assertThat(waiting.take(id("a"))).isEmpty();
    assertThat(waiting.contains(id("b"))).isTrue();
  }

  @Test
  void of_many_commands_500_are_due_at_a_time_and_one_end_serves_all() {
    topic.isRead = true;
    for (int i = 0; i < 501; i++) {
      add("a");
    }
    for (int i = 0; i < 500; i++) {
      add("k" + i);
    }
    assertThat(due()).hasSize(500).allMatch(command -> command.startsWith("a@"));
    assertThat(due()).hasSize(500).startsWith("a@501", "k0@502").endsWith("k498@1000");
    assertThat(topic.asked).isEqualTo(1);
    assertThat(due()).containsExactly("k499@1001");
    assertThat(topic.asked).isEqualTo(1);
    add("b");
    assertThat(due()).hasSize(1);
    assertThat(topic.asked).isEqualTo(2);
  }

  private List<String> due() {
    return waiting.takeDue(NOW).stream().map(it -> it.keyText() + "@" + it.offset()).toList();
  }

  private void add(String id) {
    offset++;
    waiting.add(id(id), inbound(id, "waterclock.commands"), NOW);
  }

  private static ScheduleId id(String id) {
    return ScheduleId.parse(id);
  }

  private Inbound inbound(String id, String topic) {
    return new Inbound(
        Optional.of(id.getBytes(UTF_8)),
        Optional.of(new byte[] {0, 0, 0, 0, 7, 1}),
        new RecordHeaders(),
        NOW,
        topic,
        0,
        offset);
  }

  private static final class EndOfTopic extends FixedGate {
    int asked;
    boolean isRead;

    EndOfTopic() {
      super(true);
    }

    @Override
    public Mark mark() {
      asked++;
      return () -> isRead;
    }
  }
}

package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a command for an unknown schedule has waited long enough, with one partition. */
final class WaitingCommandsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final int LARGE = 940_000;

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final StraysInTransit straysInTransit =
      new StraysInTransit(WaitingMemory.ofHeap().join(0, "transit"));
  private final HeldRecords heldRecords = TestAdmission.heldRecords(task);
  private final EndOfTopic topic = new EndOfTopic();
  private WaitingCommands waiting = waiting();
  private boolean keeps = true;
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
    assertThat(due()).containsExactly("b@2", "a@3");
    assertThat(waiting.contains(id("a"))).isFalse();
    assertThat(waiting.contains(id("b"))).isFalse();
  }

  @Test
  void an_end_is_asked_for_only_while_a_command_waits_whose_schedule_is_nowhere() {
    assertThat(due()).isEmpty();
    add("a");
    add("b");
    straysInTransit.sent(id("a"), "waterclock.schedules-1@7", NOW);
    heldRecords.add(inbound("b", "waterclock.schedules"));
    topic.isRead = true;
    assertThat(due()).isEmpty();
    assertThat(topic.asked).isZero();

    add("c");
    assertThat(due()).containsExactly("c@3");
    assertThat(take("a")).hasSize(1);
    assertThat(take("a")).isEmpty();
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

  @Test
  void new_commands_for_one_schedule_delay_no_command_for_another() {
    add("a");
    add("b");
    assertThat(due()).isEmpty();
    add("a");
    topic.isRead = true;
    assertThat(due()).containsExactly("a@1", "b@2");
    assertThat(due()).containsExactly("a@3");
  }

  @Test
  void what_waits_for_one_schedule_is_bounded_in_bytes_and_gets_room_back() {
    for (int i = 0; i < 17; i++) {
      assertThat(addLarge("a")).isEmpty();
    }
    assertThat(addLarge("a")).contains("17 commands of this schedule");
    assertThat(addLarge("b")).isEmpty();
    waiting = waiting();
    assertThat(addLarge("a")).contains("17 commands of this schedule");
    assertThat(take("a")).hasSize(17);
    assertThat(addLarge("a")).isEmpty();
  }

  @Test
  void what_waits_in_a_partition_is_bounded_in_bytes() {
    keeps = false;
    int waits = 0;
    while (addLarge("k" + waits).isEmpty()) {
      waits++;
    }
    assertThat(waits).isBetween((256 << 20) / (LARGE + 500), (256 << 20) / LARGE);
    assertThat(addLarge("b")).contains(waits + " commands of this partition");
  }

  @Test
  void of_large_commands_few_are_due_at_a_time() {
    for (int i = 0; i < 12; i++) {
      addLarge("k" + i);
    }
    topic.isRead = true;
    assertThat(due()).hasSize(5);
    assertThat(due()).hasSize(5);
    assertThat(due()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void it_does_what_a_list_does(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> all = new ArrayList<>();
    Set<String> onTheirWay = new HashSet<>();
    OptionalLong through = OptionalLong.empty();
    for (int i = 0; i < 2_000; i++) {
      String id = "k" + random.nextInt(6);
      switch (random.nextInt(8)) {
        case 0 -> {
          straysInTransit.sent(id(id), id, NOW);
          onTheirWay.add(id);
        }
        case 1 -> {
          straysInTransit.arrived(id, id);
          onTheirWay.remove(id);
        }
        case 2 -> assertThat(take(id)).isEqualTo(taken(all, command -> idOf(command).equals(id)));
        case 3 -> {
          waiting = waiting();
          through = OptionalLong.empty();
        }
        case 4, 5 -> {
          topic.isRead = random.nextBoolean();
          boolean isNeeded = !all.stream().allMatch(it -> onTheirWay.contains(idOf(it)));
          long end = through.orElse(offset);
          List<String> expected =
              isNeeded && topic.isRead
                  ? taken(all, it -> !onTheirWay.contains(idOf(it)) && offsetOf(it) <= end)
                  : List.of();
          through = isNeeded && !topic.isRead ? OptionalLong.of(end) : OptionalLong.empty();
          assertThat(due()).isEqualTo(expected);
        }
        default -> {
          add(id);
          all.add(id + "@" + offset);
        }
      }
    }
  }

  /** Removes commands from a list, and returns them. */
  private static List<String> taken(List<String> from, Predicate<String> which) {
    List<String> taken = from.stream().filter(which).toList();
    from.removeAll(taken);
    return taken;
  }

  private static String idOf(String command) {
    return command.substring(0, command.indexOf('@'));
  }

  private static long offsetOf(String command) {
    return Long.parseLong(command.substring(command.indexOf('@') + 1));
  }

  private WaitingCommands waiting() {
    return TestAdmission.waiting(
        task, topic, id -> straysInTransit.contains(id) || heldRecords.contains(id));
  }

  private List<String> due() {
    return released(waiting.takeDue(NOW, 500));
  }

  private List<String> take(String id) {
    return released(waiting.take(id(id)));
  }

  private List<String> released(List<Released> commands) {
    commands.forEach(command -> task.applier().apply(command.effect()));
    return commands.stream()
        .map(Released::inbound)
        .map(it -> it.keyText() + "@" + it.offset())
        .toList();
  }

  private void add(String id) {
    offset++;
    assertThat(add(id, inbound(id, "waterclock.commands"))).isEmpty();
  }

  private Optional<String> addLarge(String id) {
    offset++;
    return add(id, inbound(id, "waterclock.commands", new byte[LARGE]));
  }

  /** Why there is no room. */
  private Optional<String> add(String id, Inbound command) {
    Optional<Effect> hold = waiting.add(id(id), command, NOW);
    hold.filter(effect -> keeps).ifPresent(task.applier()::apply);
    return hold.isPresent() ? Optional.empty() : waiting.full(id(id), command);
  }

  private static ScheduleId id(String id) {
    return ScheduleId.parse(id);
  }

  private Inbound inbound(String id, String topic) {
    return inbound(id, topic, new byte[] {0, 0, 0, 0, 7, 1});
  }

  private Inbound inbound(String id, String topic, byte[] value) {
    return new Inbound(
        Optional.of(id.getBytes(UTF_8)),
        Optional.of(value),
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

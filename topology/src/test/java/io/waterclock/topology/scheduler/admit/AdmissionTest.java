package io.waterclock.topology.scheduler.admit;

import static io.waterclock.topology.scheduler.admit.TestAdmission.AWAY;
import static io.waterclock.topology.scheduler.admit.TestAdmission.COMMANDS;
import static io.waterclock.topology.scheduler.admit.TestAdmission.NOW;
import static io.waterclock.topology.scheduler.admit.TestAdmission.REGISTERED;
import static io.waterclock.topology.scheduler.admit.TestAdmission.SCHEDULES;
import static io.waterclock.topology.scheduler.admit.TestAdmission.UNKNOWN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the admission holds, releases, forgets and stores. */
final class AdmissionTest {
  private static final String HOURLY = "{\"every\":\"1h\"}";
  private static final String TRIGGER = "{\"command_id\":\"c\",\"trigger\":{}}";

  private static final SchemaSource.Lookup KNOWN =
      new SchemaSource.Lookup.Known(Command.getClassSchema());

  private final TestAdmission task = new TestAdmission(RecordDeaths.none());
  private final Admission admission = task.admission;

  @ParameterizedTest
  @ValueSource(strings = {SCHEDULES, COMMANDS})
  void a_record_with_too_many_headers_is_a_dead_letter_without_them(String topic) {
    Header[] many = new Header[1_001];
    Arrays.fill(many, new RecordHeader("", new byte[0]));
    task.admit(topic, "a", Optional.of(HOURLY.getBytes(UTF_8)), many);

    assertThat(task.exists("a")).isFalse();
    assertThat(task.deadLetters()).containsExactly("the record has more than 1000 headers");
    // the reason, the place in three, the time, and that it is not whole
    assertThat(task.headersOfDeadLetters()).containsExactly(6);
  }

  /** What is read of them is the last ones: a client adds its own at the end. */
  @Test
  void of_too_many_headers_few_are_kept() {
    RecordHeaders many = new RecordHeaders();
    for (int i = 0; i < 100_000; i++) {
      many.add(Integer.toString(i), null);
    }
    Inbound inbound = new Inbound(Optional.empty(), Optional.empty(), many, NOW, SCHEDULES, 0, 0);
    assertThat(inbound.headers().toArray())
        .hasSize(1_001)
        .extracting(Header::key)
        .contains("98999", "99999");
  }

  /** Whatever is wrong with them, and whatever topic they are in. */
  @Test
  void of_many_rejected_records_few_have_a_line_in_the_log() {
    for (int i = 0; i < 100; i++) {
      task.admit(SCHEDULES, "not an id " + i, HOURLY);
      task.admit(SCHEDULES, "a" + i, "{\"every\":\"never\"}");
      task.admit(SCHEDULES, "a" + i, Optional.of(new byte[] {1, 2, 3}));
      task.admit(COMMANDS, "a", "{\"command_id\":\"c" + i + "\",\"pause\":1}");
    }
    assertThat(task.deadLetters()).hasSizeGreaterThan(250);
    assertThat(task.logged).hasSize(10);
  }

  @Test
  void headers_have_a_bound_in_bytes_that_an_import_does_not_count_for() {
    byte[] large = new byte[65_536];
    task.admit(
        SCHEDULES, "a", Optional.of(HOURLY.getBytes(UTF_8)), new RecordHeader("trace", large));
    assertThat(task.deadLetters())
        .singleElement()
        .asString()
        .startsWith("the headers of the record have 65545 bytes; at most 65536");

    task.admit(
        SCHEDULES,
        "b",
        Optional.of(HOURLY.getBytes(UTF_8)),
        new RecordHeader("trace", Arrays.copyOf(large, 60_000)),
        new RecordHeader(HeaderNames.STAMPED, large.clone()));
    assertThat(task.deadLetters()).hasSize(2);

    Header[] most = new Header[1_000];
    Arrays.fill(most, new RecordHeader("", new byte[0]));
    task.admit(SCHEDULES, "c", Optional.of(HOURLY.getBytes(UTF_8)), most);
    task.admit(
        SCHEDULES,
        "d",
        Optional.of(HOURLY.getBytes(UTF_8)),
        new RecordHeader(HeaderNames.IMPORT, large));
    assertThat(task.exists("c")).isTrue();
    assertThat(task.deadLetters()).hasSize(2);
  }

  @Test
  void a_record_whose_schema_is_gone_when_it_is_tried_waits_on() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.lookups.clear();
    task.lookups.addAll(List.of(UNKNOWN, UNKNOWN, AWAY, UNKNOWN));
    for (int tries = 0; admission.held() > 0 && tries < 5; tries++) {
      assertThat(task.deadLetters()).isEmpty();
      admission.retry(NOW);
    }
    assertThat(admission.held()).isZero();
    assertThat(task.deadLetters()).singleElement().asString().contains("unknown");
    assertThat(task.lookups).containsExactly(UNKNOWN);
  }

  @Test
  void all_records_whose_schema_is_there_are_tried_at_once_and_others_do_not_wait() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "b", REGISTERED);
    task.admit(SCHEDULES, "c", HOURLY);
    assertThat(admission.held()).isEqualTo(3);
    assertThat(task.exists("c")).isTrue();

    task.lookups.set(0, UNKNOWN);
    admission.retry(NOW);
    assertThat(admission.held()).isZero();
    assertThat(task.deadLetters()).hasSize(3);
  }

  @Test
  void a_record_that_is_larger_than_the_changelog_takes_at_once_is_held_in_parts() {
    int size = 2 * task.task.settings().limits().maxFireBytes();
    task.admit(SCHEDULES, "a", Optional.of(Arrays.copyOf(REGISTERED.get(), size)));
    assertThat(admission.held()).isEqualTo(1);
    assertThat(task.deadLetters()).isEmpty();
    task.lookups.set(0, UNKNOWN);
    admission.retry(NOW);
    assertThat(admission.held()).isZero();
    assertThat(task.deadLetters()).hasSize(1);
  }

  @Test
  void a_command_is_taken_if_the_store_takes_it_while_it_waits_for_its_schedule() {
    int limit = task.task.settings().limits().maxFireBytes() - InboundBytes.OVERHEAD - "a".length();
    task.admit(COMMANDS, "a", TRIGGER + " ".repeat(limit - TRIGGER.length()));
    assertThat(task.deadLetters()).isEmpty();
    task.admit(COMMANDS, "a", TRIGGER + " ".repeat(limit + 1 - TRIGGER.length()));
    assertThat(task.deadLetters()).singleElement().asString().contains("that a command may have");
  }

  @Test
  void a_delete_refuses_the_held_records_of_its_schedule_alone() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "b", REGISTERED);
    task.admit(COMMANDS, "a", TRIGGER);
    task.admit(SCHEDULES, "a", Optional.empty());
    assertThat(admission.held()).isEqualTo(1);
    assertThat(task.deadLetters())
        .hasSize(2)
        .allMatch(reason -> reason.contains("was deleted at waterclock.schedules-0@4"));
    assertThat(task.task.partition().counts().rejectedFrom(InputTopic.SCHEDULES)).isEqualTo(1);
    assertThat(task.task.partition().counts().rejectedFrom(InputTopic.COMMANDS)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {HeaderNames.STRAY, HeaderNames.ORIGIN})
  void a_tombstone_that_the_scheduler_wrote_waits_behind_what_is_held(String header) {
    Header written = new RecordHeader(header, "waterclock.schedules-0@7".getBytes(UTF_8));
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "a", Optional.empty(), written);
    assertThat(admission.held()).isEqualTo(2);
    assertThat(task.deadLetters()).isEmpty();
  }

  @Test
  void a_command_without_a_value_is_no_delete() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(COMMANDS, "a", Optional.empty());
    assertThat(admission.held()).isEqualTo(2);
    assertThat(task.deadLetters()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void commands_stay_in_order_though_the_schema_of_the_first_is_gone_again(boolean isDefined) {
    task.lookups.set(0, KNOWN);
    task.admit(COMMANDS, "a", registered("first"));
    task.admit(COMMANDS, "a", "{\"command_id\":\"second\",\"resume\":{}}");
    task.lookups.set(0, AWAY);
    if (isDefined) {
      task.admit(SCHEDULES, "a", HOURLY);
    }
    admission.retry(NOW);
    assertThat(admission.held()).isEqualTo(2);
    assertThat(task.deadLetters()).isEmpty();

    task.lookups.set(0, KNOWN);
    admission.retry(NOW);
    assertThat(admission.held()).isZero();
    if (isDefined) {
      assertThat(task.task.partition().load(ScheduleId.parse("a")).orElseThrow().life())
          .isEqualTo(State.ACTIVE);
    }
    assertThat(task.task.partition().stores().commands().get(ScheduleId.parse("a"), "second"))
        .map(ExecutedCommand::verdict)
        .contains(isDefined ? Verdict.EXECUTED : Verdict.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_command_that_waited_and_cannot_be_read_any_more_is_a_dead_letter(boolean isDefined) {
    task.lookups.set(0, KNOWN);
    task.admit(COMMANDS, "a", registered("first"));
    task.lookups.set(0, UNKNOWN);
    if (isDefined) {
      task.admit(SCHEDULES, "a", HOURLY);
    }
    admission.retry(NOW);
    assertThat(task.deadLetters()).singleElement().asString().contains("unknown");
  }

  @Test
  void without_room_a_command_is_executed_out_of_order_or_refused_and_not_lost() {
    task.lookups.set(0, KNOWN);
    task.admit(COMMANDS, "a", registered("first"));
    task.admit(COMMANDS, "a", "{\"command_id\":\"second\",\"resume\":{}}");
    task.admit(COMMANDS, "a", registered("third"));
    task.lookups.set(0, AWAY);
    for (int i = 1; i < 100_000; i++) {
      task.admit(SCHEDULES, "k" + i, REGISTERED);
    }
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(admission.held()).isEqualTo(100_000);
    assertThat(task.task.partition().stores().commands().get(ScheduleId.parse("a"), "second"))
        .isPresent();
    assertThat(task.deadLetters())
        .singleElement()
        .asString()
        .contains("no more records can be held");
  }

  @Test
  void commands_that_waited_are_executed_with_the_definition_in_their_order() {
    task.admit(COMMANDS, "a", "{\"command_id\":\"first\",\"pause\":{}}");
    task.admit(COMMANDS, "a", "{\"command_id\":\"second\",\"resume\":{}}");
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(admission.held()).isZero();
    CommandStore store = task.task.partition().stores().commands();
    assertThat(store.get(ScheduleId.parse("a"), "first")).isPresent();
    assertThat(store.get(ScheduleId.parse("a"), "second")).isPresent();
    assertThat(task.task.partition().load(ScheduleId.parse("a")).orElseThrow().life())
        .isEqualTo(State.ACTIVE);
  }

  @Test
  void each_definition_and_each_delete_is_announced() {
    task.admit(SCHEDULES, "a", HOURLY);
    task.admit(SCHEDULES, "b", "{\"every\":\"soon\"}");
    task.admit(SCHEDULES, "c", "garbage");
    task.admit(SCHEDULES, "no id", HOURLY);
    task.admit(COMMANDS, "a", TRIGGER);
    task.admit(SCHEDULES, "a", Optional.empty());
    assertThat(task.admitted.stream().map(ScheduleId::value)).containsExactly("a", "b", "c", "a");
    assertThat(task.deadLetters()).as("of c and of no id").hasSize(2);
  }

  @Test
  void what_cannot_be_written_is_refused_with_the_reason_and_the_task_goes_on() {
    task.unwritable.addAll(Set.of("Revision", "Fire"));
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(task.exists("a")).isFalse();
    assertThat(task.sent(Sink.STATUS)).isEqualTo(1);

    task.unwritable.clear();
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(task.exists("a")).isTrue();

    task.unwritable.add("ScheduleStatus");
    task.admit(COMMANDS, "a", "{\"command_id\":\"c\",\"pause\":{}}");
    assertThat(task.deadLetters()).singleElement().asString().contains("deciding it failed");
    assertThat(task.task.partition().load(ScheduleId.parse("a")).orElseThrow().life())
        .isEqualTo(State.ACTIVE);
    assertThat(task.task.partition().stores().commands().get(ScheduleId.parse("a"), "c"))
        .map(ExecutedCommand::verdict)
        .contains(Verdict.REJECTED);
  }

  @Test
  void commands_are_forgotten_after_a_week() {
    CommandStore store = task.task.partition().stores().commands();
    task.admit(SCHEDULES, "a", HOURLY);
    task.admit(COMMANDS, "a", TRIGGER);
    Instant week = NOW.plus(Duration.ofDays(7));
    admission.forget(week);
    admission.forget(week.plusSeconds(1));
    assertThat(store.get(ScheduleId.parse("a"), "c"))
        .as("looked at once in an interval")
        .isPresent();

    admission.forget(week.plus(task.task.settings().pace().watchdogInterval()));
    assertThat(store.get(ScheduleId.parse("a"), "c")).isEmpty();
    assertThat(store.forgottenThrough()).isEqualTo(NOW);
  }

  @Test
  void commands_are_forgotten_behind_a_thousand_younger_ones() {
    CommandStore store = task.task.partition().stores().commands();
    Instant later = NOW.plus(Duration.ofDays(8));
    for (int i = 1_000; i < 2_000; i++) {
      store.put(
          ScheduleId.parse("a"), "c" + i, new ExecutedCommand(Verdict.EXECUTED, i, later, later));
    }
    ScheduleId last = ScheduleId.parse("b");
    store.put(last, "c", new ExecutedCommand(Verdict.EXECUTED, 0, NOW, NOW));
    admission.forget(later);
    assertThat(store.get(last, "c")).isPresent();
    admission.forget(later);
    assertThat(store.get(last, "c")).isEmpty();
    assertThat(store.get(ScheduleId.parse("a"), "c1000")).isPresent();
  }

  @Test
  void a_removed_schedule_is_forgotten_with_the_offsets_that_say_what_was_read() {
    task.admit(SCHEDULES, "a", HOURLY);
    task.admit(SCHEDULES, "a", Optional.empty());
    admission.forget(NOW.plus(Duration.ofDays(7)));
    assertThat(task.task.partition().stores().strays().taken(SCHEDULES)).isEmpty();

    admission.forget(NOW.plus(Duration.ofDays(8)));
    assertThat(task.task.partition().stores().strays().removed(ScheduleId.parse("a"))).isEmpty();
    assertThat(task.task.partition().stores().strays().taken(SCHEDULES).orElseThrow().offset())
        .isEqualTo(2);
  }

  @Test
  void the_admitted_offsets_are_stored() {
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(task.task.partition().stores().strays().taken(SCHEDULES)).isEmpty();
    admission.save();
    assertThat(task.task.partition().stores().strays().taken(SCHEDULES).orElseThrow().offset())
        .isEqualTo(1);
  }

  /** A pause in the format of the registry. */
  private static Optional<byte[]> registered(String id) {
    Command pause = Command.newBuilder().setCommandId(id).setAction(new PauseCommand()).build();
    return Optional.of(RecordCodecs.command().encode(pause, Encoding.registered(schema -> 7)));
  }
}

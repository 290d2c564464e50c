package io.waterclock.topology.scheduler.admit;

import static io.waterclock.topology.scheduler.admit.TestAdmission.AWAY;
import static io.waterclock.topology.scheduler.admit.TestAdmission.COMMANDS;
import static io.waterclock.topology.scheduler.admit.TestAdmission.NOW;
import static io.waterclock.topology.scheduler.admit.TestAdmission.REGISTERED;
import static io.waterclock.topology.scheduler.admit.TestAdmission.SCHEDULES;
import static io.waterclock.topology.scheduler.admit.TestAdmission.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.input.Inbound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A record that ends stream threads is named, and then set aside wherever it waits. */
final class RecordGuardTest {
  private static final String HOURLY = "{\"every\":\"1h\"}";

  private final Notes notes = new Notes();
  private final TestAdmission task = new TestAdmission(notes);

  @Test
  void a_task_asks_for_the_notes_of_all_instances_when_it_is_assigned() {
    assertThat(notes.assigned).isEqualTo(1);
  }

  @Test
  void a_forbidden_record_is_a_dead_letter_with_the_reason_and_changes_nothing() {
    notes.forbidden.put("waterclock.schedules-0@1", "it has ended 3 threads");
    task.admit(SCHEDULES, "a", HOURLY);

    assertThat(task.deadLetters()).containsExactly("it has ended 3 threads");
    assertThat(task.task.partition().counts().recordsSetAside()).isEqualTo(1);
    assertThat(task.exists("a")).isFalse();
    assertThat(notes.begun).isEmpty();
  }

  @Test
  void a_store_that_fails_while_a_record_is_admitted_is_noted_as_its_death() {
    task.storeFails = true;
    assertThatThrownBy(() -> task.admit(SCHEDULES, "a", HOURLY)).hasMessage("the disk is full");
    assertThat(notes.deaths).containsExactly("waterclock.schedules-0@1");
    assertThat(notes.ended).isZero();
  }

  @Test
  void a_store_that_fails_while_a_record_is_held_is_noted_as_its_death() {
    task.storeFails = true;
    assertThatThrownBy(() -> task.admit(SCHEDULES, "a", REGISTERED)).hasMessage("the disk is full");
    assertThat(notes.deaths).containsExactly("waterclock.schedules-0@1");
  }

  @Test
  void a_record_that_is_admitted_is_over() {
    task.admit(SCHEDULES, "a", HOURLY);
    assertThat(notes.begun).containsExactly("waterclock.schedules-0@1");
    assertThat(notes.ended).isEqualTo(1);
  }

  @Test
  void a_record_that_waited_for_its_schema_is_named_when_its_admission_fails() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "a", HOURLY);
    task.lookups.set(0, UNKNOWN);
    task.storeFails = true;

    assertThatThrownBy(() -> task.admission.retry(NOW)).hasMessage("the disk is full");
    assertThat(notes.deaths).containsExactly("waterclock.schedules-0@2");
  }

  @Test
  void a_command_that_waited_for_its_schedule_is_named_and_not_the_definition() {
    task.admit(COMMANDS, "a", "{\"command_id\":\"c\",\"trigger\":{}}");
    notes.onBegun = revision -> task.storeFails = revision.equals("waterclock.commands-0@1");

    assertThatThrownBy(() -> task.admit(SCHEDULES, "a", HOURLY)).hasMessage("the disk is full");
    assertThat(notes.deaths).containsExactly("waterclock.commands-0@1");
  }

  @Test
  void a_record_that_waits_for_its_schema_is_set_aside_once_it_is_forbidden() {
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "a", REGISTERED);
    task.admit(SCHEDULES, "a", HOURLY);
    task.admission.retry(NOW);
    assertThat(task.deadLetters()).isEmpty();

    notes.forbidden.put("waterclock.schedules-0@1", "the administrator sets it aside");
    notes.forbidden.put("waterclock.schedules-0@2", "the administrator sets it aside, too");
    notes.version++;
    task.admission.retry(NOW);

    assertThat(task.deadLetters())
        .containsExactly("the administrator sets it aside", "the administrator sets it aside, too");
    assertThat(task.admission.held()).isZero();
    assertThat(task.exists("a")).isTrue();
  }

  @Test
  void a_held_record_that_is_forbidden_when_it_is_tried_is_set_aside_once() {
    task.admit(SCHEDULES, "a", REGISTERED);
    notes.forbidden.put("waterclock.schedules-0@1", "it has ended 3 threads");
    task.admission.retry(NOW); // looks at what it holds, because it has never looked before
    task.lookups.set(0, AWAY);
    task.admit(SCHEDULES, "b", REGISTERED);
    task.lookups.set(0, UNKNOWN);
    notes.forbidden.put("waterclock.schedules-0@2", "it has ended 4 threads");
    task.admission.retry(NOW);
    task.admission.retry(NOW);
    assertThat(task.deadLetters())
        .containsExactly("it has ended 3 threads", "it has ended 4 threads");
    assertThat(task.admission.held()).isZero();
  }

  private static final class Notes implements RecordDeaths {
    final Map<String, String> forbidden = new HashMap<>();
    final List<String> begun = new ArrayList<>();
    final List<String> deaths = new ArrayList<>();
    Consumer<String> onBegun = revision -> {};
    int assigned;
    int asked;
    int ended;
    long version;

    @Override
    public void assigned() {
      assigned++;
    }

    @Override
    public Optional<String> verdict(Inbound inbound) {
      assertThat(++asked).isLessThan(100);
      return Optional.ofNullable(forbidden.get(inbound.revision()));
    }

    @Override
    public long version() {
      return version;
    }

    @Override
    public void begun(int task, Inbound inbound) {
      begun.add(inbound.revision());
      onBegun.accept(inbound.revision());
    }

    @Override
    public void ended(int task) {
      ended++;
    }

    @Override
    public void died(int task, Inbound inbound, Throwable cause) {
      deaths.add(inbound.revision());
    }
  }
}

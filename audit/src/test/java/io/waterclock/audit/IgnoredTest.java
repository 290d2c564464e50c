package io.waterclock.audit;

import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.everyTenSeconds;
import static io.waterclock.audit.Books.revision;
import static io.waterclock.audit.Books.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The newest record of the topic schedules takes effect, is refused, or changes nothing. */
class IgnoredTest {
  private static final String IN_FORCE = "t-0@5";
  private static final Schedule OTHER = everyTenSeconds().setJitterMs(7).build();

  private final Books books = new Books();

  private void isInForce() {
    books.began(IN_FORCE, 0).status(State.ACTIVE, IN_FORCE, 0).fired(IN_FORCE, 1, 9);
  }

  private static String definition(String revision) {
    return definition(revision, 1);
  }

  private static String definition(String revision, int at) {
    return "IGNORED %s %s..%s this definition was read, and neither took effect nor was refused"
        .formatted(revision, at, at);
  }

  @Test
  void a_definition_that_became_a_revision_is_not_ignored() {
    isInForce();
    books.written(IN_FORCE, OTHER, 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void a_definition_that_became_a_revision_took_effect_though_the_status_is_older() {
    isInForce();
    books.began("t-0@6", 1).written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void a_name_of_another_form_is_a_partition_of_its_own() {
    isInForce();
    books.written("odd", OTHER, 1);
    assertThat(books.ignored()).containsExactly(definition("odd"));
    books.deleteWritten("odd@x", 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void a_later_definition_that_says_something_else_is_ignored() {
    isInForce();
    books.written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).containsExactly(definition("t-0@6"));
    books.audit().add(new Written("a", "t-0@7", at(1), Optional.of(OTHER), false, false));
    assertThat(books.ignored()).as("it may not have been read yet").isEmpty();
  }

  @Test
  void a_record_that_only_claims_to_be_such_an_answer_leaves_nothing() {
    books.audit().restated("unknown");
    assertThat(books.audit().scheduleIds()).doesNotContain("unknown");
  }

  /** A stray that is older than the definition in force comes home behind it, and loses. */
  @Test
  void a_record_that_the_scheduler_answered_with_what_is_in_force_is_not_ignored() {
    isInForce();
    books.written("t-0@6", OTHER, 1);
    books.audit().restated("a");
    assertThat(books.ignored()).isEmpty();
    books.written("t-0@8", OTHER, 2);
    assertThat(books.ignored()).hasSize(1);
  }

  @Test
  void a_later_definition_that_says_the_same_changes_nothing() {
    isInForce();
    books.written("t-0@6", everyTenSeconds().setTimezone(null).build(), 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void the_order_of_instants_left_out_is_not_a_difference() {
    Schedule accepted =
        everyTenSeconds().setSkip(List.of(at(20), at(30))).setExcept(List.of("a", "b")).build();
    books.add(revision(IN_FORCE, accepted, 0)).status(State.ACTIVE, IN_FORCE, 0);
    Schedule written =
        everyTenSeconds()
            .setSkip(List.of(at(30), at(20), at(30)))
            .setExcept(List.of("b", "a", "b"))
            .build();
    books.written("t-0@6", written, 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void an_interval_written_as_cron_says_the_same_as_the_interval() {
    isInForce();
    CronTrigger cron = CronTrigger.newBuilder().setExpression("@every 10s").build();
    books.written("t-0@6", everyTenSeconds().setTrigger(cron).build(), 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void an_older_record_of_the_partition_was_replaced() {
    isInForce();
    books.written("t-0@4", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void an_offset_of_another_partition_tells_no_order() {
    isInForce();
    books.written("t-1@4", OTHER, 1);
    assertThat(books.ignored()).containsExactly(definition("t-1@4"));
  }

  @Test
  void a_definition_that_was_refused_is_not_ignored() {
    isInForce();
    books.status(statusOf(State.ACTIVE, IN_FORCE).setSince(at(0)).setRejectedRevision("t-0@6"));
    books.written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
    books.written("t-0@7", OTHER, 1);
    assertThat(books.ignored()).as("a later one is").containsExactly(definition("t-0@7"));
  }

  @Test
  void a_definition_that_was_refused_is_not_ignored_after_later_statuses() {
    isInForce();
    books
        .status(statusOf(State.ACTIVE, IN_FORCE).setSince(at(2)).setRejectedRevision("t-0@6"))
        .status(State.PAUSED, IN_FORCE, 10)
        .status(State.ACTIVE, IN_FORCE, 11);
    books.written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
    assertThat(books.unproven(9)).isEmpty();
  }

  @Test
  void a_definition_whose_refusal_may_have_left_the_statuses_is_not_proved() {
    books.began(IN_FORCE, 0).fired(IN_FORCE, 1, 9).status(State.ACTIVE, IN_FORCE, 2);
    books.written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
    assertThat(books.unproven(9))
        .containsExactly(
            "this definition was read, and did not take effect; the status that would show whether"
                + " it was refused is gone");
    books.written("t-0@6", OTHER, 3);
    assertThat(books.ignored()).as("no status is gone").containsExactly(definition("t-0@6", 3));
    assertThat(books.unproven(9)).isEmpty();
    books.deleteWritten("t-0@7", 1);
    assertThat(books.ignored()).as("a delete is never refused").hasSize(1);
  }

  @Test
  void a_definition_of_a_schedule_without_any_status_is_ignored() {
    books.written("t-0@6", 1);
    assertThat(books.ignored()).containsExactly(definition("t-0@6"));
  }

  @Test
  void nothing_is_said_where_the_revision_in_force_is_unknown() {
    books.status(State.ACTIVE, IN_FORCE, 0).written("t-0@6", OTHER, 1);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void a_delete_after_which_the_schedule_is_still_in_force_is_ignored() {
    isInForce();
    books.deleteWritten("t-0@6", 1);
    assertThat(books.ignored())
        .containsExactly(
            "IGNORED t-0@6 1..1 this delete was read, and neither took effect nor was refused");
    books.deleteWritten("t-1@6", 1);
    assertThat(books.ignored()).as("its partition is not the home of the schedule").isEmpty();
    books.statusDeleted().deleteWritten("t-0@6", 1);
    assertThat(books.ignored()).as("it took effect").isEmpty();
  }

  @Test
  void only_the_newest_record_is_judged() {
    isInForce();
    books.written("t-0@6", OTHER, 1).written("t-0@7", everyTenSeconds().build(), 2);
    assertThat(books.ignored()).isEmpty();
  }

  @Test
  void a_revision_in_force_whose_record_is_gone_is_unknown_by_its_status() {
    books.began("t-0@1", 0).status(State.ACTIVE, "t-0@1", 0);
    assertThat(books.audit().unknownInForce()).isEmpty();
    books.status(State.ACTIVE, IN_FORCE, 1);
    assertThat(books.audit().unknownInForce())
        .singleElement()
        .satisfies(status -> assertThat(status.getRevision()).isEqualTo(IN_FORCE));
    assertThat(books.unproven(9)).containsExactly("its record in the topic revisions is gone");
    books.audit().addInForce(revision(IN_FORCE, everyTenSeconds().build(), 1).build());
    assertThat(books.audit().unknownInForce()).isEmpty();
    assertThat(books.unproven(9)).isEmpty();
  }

  @Test
  void a_schedule_is_known_by_its_records_and_not_by_commands_or_deletes() {
    assertThat(books.audit().scheduleIds()).isEmpty();
    isInForce();
    books.audit().resumed("b", Instant.EPOCH);
    books.audit().statusDeleted("c");
    books.audit().add(new Written("d", "t-0@7", at(1), Optional.empty(), true, false));
    assertThat(books.audit().scheduleIds()).containsExactly("a");
    books.audit().add(new Written("d", "t-0@8", at(1), Optional.of(OTHER), false, false));
    assertThat(books.audit().scheduleIds()).containsExactly("a", "d");
  }
}

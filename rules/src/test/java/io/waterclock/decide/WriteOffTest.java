package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Delete and pause win over what is undecided. */
class WriteOffTest {

  /** Down since 10:05; a new description at 10:25; all of it read at 10:45. */
  private static Life edited(CatchUp policy) {
    return Life.everyTenMinutes(policy)
        .put("10:05")
        .editLate("10:25", "10:45", d -> d.setDescription("new"));
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_delete_writes_off_what_each_revision_owns_up_to_it(CatchUp policy) {
    Life a = edited(policy).deleteLate("10:35", "10:45");
    assertThat(a.missed()).containsExactly("10:10..10:20 DELETED (2) of r0", "10:30 DELETED of r1");
    assertThat(a.fires()).isEmpty();
    assertThat(a.isGone()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_pause_writes_off_what_each_revision_owns_up_to_it(CatchUp policy) {
    Life a = edited(policy).editLate("10:35", "10:45", d -> d.setEnabled(false)).tick("10:45");
    assertThat(a.missed()).containsExactly("10:10..10:20 PAUSED (2) of r0", "10:30 PAUSED of r1");
    assertThat(a.fires()).isEmpty();
    assertThat(a.next()).isEmpty();
  }

  @Test
  void a_delete_in_the_middle_of_a_replay_writes_off_the_rest() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("10:05");
    a.decideOnce("10:45").decideOnce("10:45").deleteLate("10:42", "10:45");
    assertThat(a.fires()).containsExactly("10:10 CATCH_UP by r0");
    assertThat(a.missed()).containsExactly("10:20..10:40 DELETED (3) of r0");
  }

  @Test
  void a_write_off_tells_the_skip_list_apart() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setSkip(List.of(Life.at("10:20"))))
            .put("10:05")
            .deleteLate("10:35", "10:45");
    assertThat(a.missed())
        .containsExactly("10:10 DELETED of r0", "10:20 SKIPPED of r0", "10:30 DELETED of r0");
  }

  @Test
  void a_delete_of_a_paused_schedule_tells_what_the_pause_cost() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("10:05");
    a.edit("10:06", d -> d.setEnabled(false)).deleteLate("10:35", "10:35");
    assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3) of r1");
  }

  @Test
  void once_that_was_due_before_its_pause_does_not_fire_on_resume() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05");
    a.editLate("10:25", "10:45", d -> d.setEnabled(false));
    a.edit("10:50", d -> d.setEnabled(true)).tick("10:50");
    assertThat(a.missed()).containsExactly("10:20 PAUSED of r0");
    assertThat(a.fires()).isEmpty();
  }

  @Test
  void once_held_by_a_pause_stays_held_when_the_pause_is_edited() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05");
    a.edit("10:10", d -> d.setEnabled(false)).edit("10:30", d -> d.setDescription("x"));
    a.edit("10:50", d -> d.setEnabled(true)).tick("10:50");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP by r3");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void once_held_by_a_pause_is_missed_when_the_resume_excludes_it() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05");
    a.edit("10:10", d -> d.setEnabled(false));
    a.edit("10:50", d -> d.setEnabled(true).setEndAt(Life.at("10:15"))).tick("10:50");
    assertThat(a.fires()).isEmpty();
    assertThat(a.missed()).containsExactly("10:20 PAUSED of r1");
  }

  @Test
  void completion_is_recorded_once_and_removal_follows_after_the_retention() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05").tick("10:20");
    a.review("10:21");
    assertThat(a.last().status()).contains(State.COMPLETED);
    assertThat(a.last().revisions()).hasSize(1);
    a.review("11:20");
    assertThat(a.last().isQuiet()).isTrue();
    a.review("11:21");
    assertThat(a.last().removed()).isPresent();
    assertThat(a.isGone()).isTrue();
  }

  @Test
  void what_a_pause_held_at_an_edit_is_missed_and_does_not_fire_by_another_edit() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:05", "\"pause\": {}").edit("10:25", d -> d.setDescription("x"));
    a.edit("10:26", d -> d.setTrigger(Life.once("10:20")));
    a.command("10:30", "\"resume\": {}").tick("10:30");
    assertThat(a.missed()).containsExactly("10:10..10:20 PAUSED (2) of r0");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
  }

  @Test
  void once_stays_held_while_its_catch_up_changes_and_the_last_one_decides() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05");
    a.command("10:10", "\"pause\": {}").edit("10:30", d -> d.setCatchUp(CatchUp.SKIP));
    a.edit("10:40", d -> d.setCatchUp(CatchUp.COLLAPSE));
    a.command("10:50", "\"resume\": {}").tick("10:50");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP by r2");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void once_held_by_a_pause_is_missed_for_it_when_the_resume_skips() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("10:05");
    a.edit("10:10", d -> d.setEnabled(false));
    a.edit("10:50", d -> d.setEnabled(true).setCatchUp(CatchUp.SKIP)).tick("10:50");
    assertThat(a.fires()).isEmpty();
    assertThat(a.missed()).containsExactly("10:20 PAUSED of r1");
  }
}

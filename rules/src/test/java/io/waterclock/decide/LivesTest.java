package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one life of an id has decided bounds the next life. */
final class LivesTest {

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_put_that_is_older_than_the_delete_before_it_fires_nothing_again(CatchUp policy) {
    Life a = Life.everyTenMinutes(policy).put("09:55").tick("10:00").tick("10:10").tick("10:20");
    a.deleteLate("10:25", "10:25").putLate("10:05", "10:26").tick("10:26").tick("10:30");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:20 SCHEDULED by r0",
            "10:30 SCHEDULED by r1");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void what_a_delete_has_written_off_stays_so() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.deleteLate("10:25", "10:40").putLate("10:05", "10:41").tick("10:41");
    assertThat(a.missed()).containsExactly("10:10..10:20 DELETED (2) of r0");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:30 CATCH_UP by r1", "10:40 SCHEDULED by r1");
  }

  @Test
  void what_fired_before_a_delete_that_is_older_stays_so() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    a.deleteLate("09:58", "10:15").putLate("09:59", "10:16").tick("10:20");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r0", "10:20 SCHEDULED by r1");
  }

  @Test
  void a_life_that_was_complete_bounds_the_next_as_a_deleted_one_does() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxOccurrences(2L));
    a.put("09:55").tick("10:00").tick("10:10").review("10:11").review("11:20");
    assertThat(a.isGone()).isTrue();
    a.putLate("09:50", "11:21").tick("11:21");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:20 CATCH_UP by r1",
            "10:30 CATCH_UP by r1");
  }

  @Test
  void a_single_instant_that_has_fired_does_not_fire_in_a_later_life() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").tick("10:20");
    a.deleteLate("10:21", "10:21").putLate("10:01", "10:22").tick("10:22").review("10:23");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r0");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_single_instant_in_the_past_that_no_life_has_decided_fires() {
    Life a = Life.of(Life.once("11:00"), CatchUp.COLLAPSE).put("09:55");
    a.deleteLate("10:21", "10:21");
    a.with(d -> d.setTrigger(Life.once("10:10"))).put("10:22").tick("10:22");
    assertThat(a.fires()).containsExactly("10:10 SCHEDULED by r1");
  }

  @Test
  void a_life_that_has_decided_nothing_hands_on_what_those_before_it_have() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").tick("10:20");
    a.deleteLate("10:21", "10:21");
    a.with(d -> d.setTrigger(Life.once("23:00"))).putLate("10:01", "10:22");
    a.deleteLate("10:02", "10:23");
    a.with(d -> d.setTrigger(Life.once("10:20"))).putLate("10:03", "10:24").tick("10:24");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r0");
  }

  @Test
  void what_is_to_fire_at_once_fires_in_each_life_and_at_another_instant() {
    Life a = Life.of(OnceTrigger.newBuilder().setInMs(0L).build(), CatchUp.COLLAPSE);
    a.put("10:00").tick("10:00");
    a.deleteLate("10:00", "10:00").putLate("09:30", "10:00").tick("10:01");
    a.deleteLate("09:31", "10:02").putLate("09:32", "10:03").tick("10:04");
    assertThat(a.fires()).hasSize(3);
    assertThat(new HashSet<>(a.fires().stream().map(fire -> fire.split(" ")[0]).toList()))
        .hasSize(3);
  }

  @Test
  void an_import_after_a_delete_goes_on_after_it() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    ScheduleState exported = a.state();
    a.tick("10:10").deleteLate("10:25", "10:25").importAfterDelete(exported, "10:26").tick("10:30");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r0", "10:30 SCHEDULED by r1");
    assertThat(a.missed()).containsExactly("10:20 DELETED of r0");
  }

  @Test
  void an_import_that_is_paused_holds_nothing_that_has_fired_since_it_was_written() {
    Life a =
        Life.of(Life.once("10:20"), CatchUp.COLLAPSE)
            .put("09:55")
            .command("10:10", "\"pause\": {}");
    ScheduleState exported = a.state();
    a.command("10:15", "\"resume\": {}").tick("10:20").deleteLate("10:25", "10:25");
    a.importAfterDelete(exported, "10:30").command("10:31", "\"resume\": {}").tick("10:31");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r0");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void a_single_instant_that_an_earlier_life_has_fired_does_not_fire_after_an_import() {
    Life a = Life.of(Life.once("23:00"), CatchUp.COLLAPSE).put("09:55");
    ScheduleState exported = a.state();
    a.with(d -> d.setTrigger(Life.once("10:20"))).put("10:00").tick("10:20");
    a.deleteLate("10:25", "10:25").importAfterDelete(exported, "10:30");
    a.with(d -> d.setTrigger(Life.once("10:20"))).put("10:31").tick("10:31");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r1");
  }

  @Test
  void a_complete_import_bounds_the_next_life_by_what_was_decided_elsewhere() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxOccurrences(2L));
    a.put("09:55").tick("10:00").tick("10:10").review("10:11").move("10:12").review("11:20");
    assertThat(a.isGone()).isTrue();
    a.putLate("09:50", "11:21").tick("11:21");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:20 CATCH_UP by r2",
            "10:30 CATCH_UP by r2");
  }

  @Test
  void an_id_that_was_never_seen_fires_from_the_timestamp_of_its_definition_on() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).putLate("09:55", "10:25").tick("10:25");
    assertThat(a.fires()).hasSize(3);
  }

  @Test
  void a_delete_of_what_is_not_known_bounds_the_next_life_all_the_same() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).deleteLate("10:15", "10:20");
    assertThat(a.last().verdict()).contains(Verdict.NOT_FOUND);
    assertThat(a.last().revisions()).isEmpty();
    a.putLate("10:05", "10:21").tick("10:21");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r0");
  }

  @Test
  void a_delete_ends_the_revision_unless_that_was_complete() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").deleteLate("10:05", "10:05");
    assertThat(a.last().revisions())
        .singleElement()
        .isEqualTo(
            new RevisionChange.Ended(
                a.last().revisions().get(0).accepted(), Life.at("10:05"), RevisionEnd.DELETED));
    Life once = Life.of(Life.once("10:00"), CatchUp.COLLAPSE).put("09:55").tick("10:00");
    once.review("10:01").deleteLate("10:05", "10:05");
    assertThat(once.last().verdict()).contains(Verdict.DELETED);
    assertThat(once.last().revisions()).isEmpty();
  }

  @Test
  void what_was_past_when_it_was_defined_ends_no_earlier_than_it_began() {
    Life a = Life.of(Life.once("09:00"), CatchUp.COLLAPSE).put("10:00").tick("10:00");
    a.review("10:01");
    assertThat(a.last().revisions())
        .singleElement()
        .isEqualTo(
            new RevisionChange.Ended(a.state().current(), Life.at("10:00"), RevisionEnd.COMPLETED));
  }

  @Test
  void a_single_instant_that_fired_after_an_export_does_not_fire_after_its_import() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.edit("10:05", d -> d.setTrigger(Life.every(60)));
    ScheduleState exported = a.state();
    a.edit("10:10", d -> d.setTrigger(Life.once("10:08"))).tick("10:10");
    a.deleteLate("10:11", "10:11").importAfterDelete(exported, "10:12");
    a.edit("10:13", d -> d.setTrigger(Life.once("10:08"))).tick("10:13");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:08 SCHEDULED by r2");
  }
}

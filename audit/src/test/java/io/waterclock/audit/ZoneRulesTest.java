package io.waterclock.audit;

import static io.waterclock.audit.Books.START;
import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schedulers and audits may have time-zone data of different versions. The revision was accepted
 * with 2026a.
 */
class ZoneRulesTest {
  private static final Object EVERY_TEN_SECONDS =
      CronTrigger.newBuilder().setExpression("*/10 * * * * *").build();

  private final Books same = new Books(new Audit("2026a"));
  private final Books other = new Books(new Audit("2026b"));

  private static Revision.Builder accepted(Object trigger, String zone) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(trigger)
            .setTimezone(zone)
            .setCatchUp(CatchUp.SKIP)
            .setGraceMs(0)
            .build();
    return revision("r1", schedule, 0);
  }

  @Test
  void holes_by_other_rules_of_a_zone_are_doubts() {
    Revision.Builder revision = accepted(EVERY_TEN_SECONDS, "Europe/Berlin");
    same.add(revision).fired("r1", 1);
    assertThat(same.findings(3)).containsExactly("HOLE r1 2..3 neither fired nor missed");
    assertThat(same.unproven(3)).isEmpty();
    other.add(revision).fired("r1", 1);
    assertThat(other.findings(3)).isEmpty();
    assertThat(other.unproven(3))
        .containsExactly(
            "it was decided with the time-zone data 2026a, and this audit uses 2026b, which may"
                + " explain: 1 finding, HOLE "
                + at(2));
    assertThat(other.result(1).unproven()).as("what balances leaves no doubt").isEmpty();
  }

  @Test
  void the_count_of_doubts_is_told_with_the_first() {
    other.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin")).fired("r1", 2).fired("r1", 4);
    assertThat(other.unproven(4))
        .singleElement()
        .asString()
        .endsWith(" which may explain: 2 findings, the first HOLE " + at(1));
  }

  @Test
  void the_data_of_the_scheduler_that_has_the_partition_now_decides_what_is_in_force() {
    same.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin"));
    assertThat(same.unproven(3, Set.of("2026a"))).isEmpty();
    assertThat(same.unproven(3, Set.of("2026a", "2025z"))).hasSize(1);
  }

  @Test
  void the_data_of_today_decided_nothing_of_a_revision_that_has_ended() {
    same.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin"))
        .add(
            accepted(EVERY_TEN_SECONDS, "Europe/Berlin")
                .setEndedAt(at(3))
                .setEndedBy(RevisionEnd.DELETED));
    assertThat(same.unproven(9, Set.of("2025z"))).isEmpty();
    assertThat(same.findings(9)).containsExactly("HOLE r1 1..3 neither fired nor missed");
  }

  @Test
  void the_data_at_the_end_of_a_revision_decided_it_as_well() {
    same.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin"))
        .add(
            accepted(EVERY_TEN_SECONDS, "Europe/Berlin")
                .setEndedAt(at(3))
                .setEndedBy(RevisionEnd.DELETED)
                .setTzdb("2026b"));
    assertThat(same.unproven(9)).hasSize(1);
  }

  @Test
  void an_unknown_version_is_no_other_version() {
    other.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin").setTzdb(""));
    assertThat(other.findings(1)).containsExactly("HOLE r1 1..1 neither fired nor missed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "+02:00"})
  void a_zone_without_rules_leaves_no_doubt(String zone) {
    other.add(accepted(EVERY_TEN_SECONDS, zone));
    assertThat(other.unproven(1)).isEmpty();
    assertThat(other.findings(1)).containsExactly("HOLE r1 1..1 neither fired nor missed");
  }

  @Test
  void an_exact_interval_and_a_single_instant_leave_no_doubt() {
    Object exact = EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).build();
    other.add(accepted(exact, "Europe/Berlin"));
    assertThat(other.findings(1)).containsExactly("HOLE r1 1..1 neither fired nor missed");
    Books once = new Books(new Audit("2026b"));
    once.add(accepted(new OnceTrigger(at(1), null), "Europe/Berlin").setResolvedAt(at(1)));
    assertThat(once.findings(1)).containsExactly("HOLE r1 1..1 neither fired nor missed");
  }

  @Test
  void an_interval_of_days_depends_on_the_rules_of_its_zone() {
    Object daily = EveryTrigger.newBuilder().setN(1).setUnit(Unit.DAY).setAnchor(START).build();
    other.add(accepted(daily, "Europe/Berlin"));
    assertThat(other.unproven(24 * 360)).hasSize(1);
    assertThat(other.findings(24 * 360)).isEmpty();
  }

  @Test
  void a_fire_in_its_time_that_this_data_does_not_name_is_a_doubt_and_one_of_another_time_is_not() {
    other.add(
        accepted(EVERY_TEN_SECONDS, "Europe/Berlin")
            .setEndedAt(at(3))
            .setEndedBy(RevisionEnd.REPLACED));
    other.fired("r1", 1, 3).fired("r1", 2.5).fired("r1", 4).fired("r1", 4.5).fired("r1", -1);
    assertThat(other.findings(9))
        .containsExactly(
            "STRAY r1 -1..-1 fired, but not its own",
            "STRAY r1 4..4 fired, but not its own",
            "STRAY r1 4.5..4.5 fired, but not its own");
    assertThat(other.unproven(9)).hasSize(1);
  }

  @Test
  void ranges_that_this_data_bounds_or_counts_differently_are_doubts() {
    other.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin"));
    other.missed("r1", 1, 3, MissedReason.GRACE, 4);
    assertThat(other.findings(3)).isEmpty();
    other
        .missed(
            Books.range("r1", 4, 5, MissedReason.GRACE, 2)
                .setLast(at(5.5))
                .setDecidedAt(at(5.5).plusMillis(1)))
        .fired("r1", 4, 5);
    other
        .missed(Books.range("r1", 6, 7, MissedReason.GRACE, 2).setFirst(at(6.5)))
        .fired("r1", 6, 7);
    assertThat(other.findings(7)).isEmpty();
  }

  @Test
  void a_fire_during_a_hold_is_no_matter_of_rules() {
    other.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin")).fired("r1", 1, 2);
    other.status(State.FAULTED, 1.5);
    assertThat(other.findings(9))
        .containsExactly("STRAY r1 2..2 fired while held since " + at(1.5));
    assertThat(other.unproven(9)).isEmpty();
  }

  @Test
  void what_is_decided_twice_is_no_matter_of_rules() {
    other.add(accepted(EVERY_TEN_SECONDS, "Europe/Berlin")).fired("r1", 1).fired("r1", 1);
    List<String> findings = other.findings(2);
    assertThat(findings).containsExactly("DOUBLE r1 1..1 fired and fired");
    assertThat(other.unproven(2)).as("the hole at 2").hasSize(1);
  }
}

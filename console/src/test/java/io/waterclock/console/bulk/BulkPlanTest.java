package io.waterclock.console.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.Selector;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identity;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BulkPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final BulkAction PAUSE =
      new BulkAction(BulkAction.Kind.PAUSE, "", Instant.EPOCH, Instant.EPOCH);
  private static final String RULES = "viewer *\noperator ann billing/";
  private static final Access ANN = AccessRules.parse(RULES).of(Identity.of("ann"));
  private static final Access VIEWER_OF_ALL = AccessRules.parse(RULES).of(Identity.of("bob"));

  private final ReadModel model =
      new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));

  private static void written(ReadModel model, String id, Schedule.Builder schedule) {
    schedule.setTrigger(new CronTrigger("0 9 * * *"));
    model.write(
        to -> to.written(id, "waterclock.schedules-0@7", Optional.of(schedule.build()), NOW));
  }

  private static BulkPlan plan(ReadModel model, String where, Access access) {
    return BulkPlan.of(model, new Chosen(List.of(), Selector.all().where(where)), PAUSE, access);
  }

  /** Whatever is counted, a secret of a schedule whose payload is hidden changes nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "headers.key ~ 'Z*'",
        "headers.key !~ 'Z*'",
        "headers.key = Zebra",
        "headers.key != Zebra",
        "headers.key > Y",
        "headers.key",
        "not headers.key"
      })
  void a_condition_sees_no_header_that_its_person_may_not_see(String where) {
    ReadModel without = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    written(without, "other/a", Schedule.newBuilder());
    written(model, "other/a", Schedule.newBuilder().setHeaders(Map.of("key", "Zebra")));
    for (Access access : List.of(ANN, VIEWER_OF_ALL)) {
      assertThat(plan(model, where, access)).isEqualTo(plan(without, where, access));
    }
  }

  @Test
  void a_condition_sees_the_headers_that_its_person_may_see() {
    for (String id : List.of("billing/a", "other/a")) {
      written(model, id, Schedule.newBuilder().setHeaders(Map.of("key", "Zebra")));
    }
    BulkPlan own = plan(model, "headers.key ~ 'Z*'", ANN);
    assertThat(own.ids()).containsExactly("billing/a");
    assertThat(own.notAllowed()).isZero();
    Access shown = AccessRules.parse(RULES).showingPayloads().of(Identity.of("ann"));
    assertThat(plan(model, "headers.key ~ 'Z*'", shown).notAllowed()).isOne();
  }

  @Test
  void a_condition_has_a_bound_of_effort() {
    for (int i = 0; i < 20; i++) {
      written(model, "billing/" + i, Schedule.newBuilder().setDescription("d".repeat(900_000)));
    }
    String one = "description ~ '*x*'";
    assertThat(plan(model, one, ANN).ids()).isEmpty();
    assertThatThrownBy(() -> plan(model, one + (" or " + one).repeat(199), ANN))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("fewer");
  }
}

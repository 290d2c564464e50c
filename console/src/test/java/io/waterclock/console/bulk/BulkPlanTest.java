package io.waterclock.console.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.Selector;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
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
  private static final Access ANN =
      AccessRules.parse("viewer *\noperator ann billing/").of("ann");

  private final ReadModel model = new ReadModel(ZoneOffset.UTC, new ReadModel.Limits(1, 1, 1));

  private void written(String id, Schedule.Builder schedule) {
    schedule.setTrigger(new CronTrigger("0 9 * * *"));
    model.written(id, "waterclock.schedules-0@7", Optional.of(schedule.build()), NOW);
  }

  private BulkPlan plan(String where) {
    return BulkPlan.of(model, new Chosen(List.of(), Selector.all().where(where)), PAUSE, ANN);
  }

  @Test
  void a_condition_has_a_bound_of_effort() {
    for (int i = 0; i < 20; i++) {
      written("billing/" + i, Schedule.newBuilder().setDescription("d".repeat(900_000)));
    }
    String one = "description ~ '*x*'";
    assertThat(plan(one).ids()).isEmpty();
    assertThatThrownBy(() -> plan(one + (" or " + one).repeat(199)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("fewer");
  }
}

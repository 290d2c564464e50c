package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DetailJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static final Access VIEWER = AccessRules.parse("viewer vera").of("vera");

  @Test
  void definition_with_a_zone_that_is_none_is_shown_as_it_is() {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ReadModel.Limits(64 << 20, 1, 1));
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setTimezone("Europe/Berln")
            .build();
    model.written("a", "waterclock.schedules-0@7", Optional.of(schedule), NOW);
    ObjectNode tree =
        new DetailJson(model, Topics.ofDefault())
            .of(model.schedule("a").orElseThrow(), VIEWER, NOW);
    assertThat(tree.path("zone").asText()).isEqualTo("Europe/Berln");
    assertThat(tree.path("next")).isEmpty();
  }
}

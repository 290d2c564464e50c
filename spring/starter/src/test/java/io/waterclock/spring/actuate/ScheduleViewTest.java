package io.waterclock.spring.actuate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.RecordCodecs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ScheduleViewTest {
  private static final String WITH_SECRETS =
      "{\"every\":\"1h\",\"payload\":\"s3cret\",\"headers\":{\"x-api-key\":\"k3y\"},"
          + "\"description\":\"hourly\"}";

  @Test
  void payload_and_headers_are_hidden() {
    assertThat(view(WITH_SECRETS, false).payloadHidden()).isTrue();
    assertThat(view(WITH_SECRETS, false).definition())
        .startsWith("{\"every\":\"PT1H\",")
        .contains("\"description\":\"hourly\"")
        .doesNotContain("s3cret", "x-api-key", "k3y");
    assertThat(view("{\"every\":\"1h\"}", false).payloadHidden()).isFalse();
  }

  @Test
  void they_are_shown_where_the_application_says_so() {
    assertThat(view(WITH_SECRETS, true).payloadHidden()).isFalse();
    assertThat(view(WITH_SECRETS, true).definition())
        .contains("\"payload\":\"s3cret\"", "\"headers\":{\"x-api-key\":\"k3y\"}");
  }

  private static WaterclockEndpoint.ScheduleView view(String json, boolean showsPayloads) {
    WrittenDefinition written =
        new WrittenDefinition(
            "waterclock.schedules-0@1",
            Optional.of(RecordCodecs.schedule().decode(json.getBytes(UTF_8))));
    return WaterclockEndpoint.ScheduleView.of(
        KnownSchedule.of("a").with(Optional.of(written)), null, List.of(), null, showsPayloads);
  }
}

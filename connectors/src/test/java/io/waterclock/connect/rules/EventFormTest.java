package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.connect.TestFires;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EventFormTest {
  private static final String SOURCE = "/waterclock/waterclock";
  private static final Fire FIRE =
      TestFires.of(
          "reports/daily",
          Instant.parse("2026-11-21T10:00:00Z"),
          schedule -> TestFires.payload(schedule, "application/json", "{\"a\": 1.50}"));
  private static final String KEY = "reports/daily|2026-11-21T10:00:00.000Z";

  private static Map<String, String> headers(EventForm.Message message) {
    Map<String, String> headers = new TreeMap<>();
    message.headers().forEach(header -> headers.put(header.name(), header.value()));
    return headers;
  }

  private static String body(EventForm.Message message) {
    return new String(message.body(), StandardCharsets.UTF_8);
  }

  @Test
  void binary_mode_has_the_attributes_in_headers_and_the_fire_as_the_body() {
    EventForm.Message message = new EventForm(false, false, SOURCE).of(FIRE, KEY);
    assertThat(headers(message))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Idempotency-Key", "45ab35b3-d783-5fca-a990-2ec57bf08623",
                "waterclock-fire-key", KEY,
                "Content-Type", "application/json",
                "ce-specversion", "1.0",
                "ce-id", "45ab35b3-d783-5fca-a990-2ec57bf08623",
                "ce-source", SOURCE,
                "ce-type", "io.waterclock.fire.v1",
                "ce-subject", "reports/daily",
                "ce-time", "2026-11-21T10:00:00Z"));
    assertThat(RecordCodecs.fire().decode(message.body())).isEqualTo(FIRE);
  }

  @Test
  void the_payload_alone_is_sent_byte_for_byte() {
    EventForm.Message message = new EventForm(false, true, SOURCE).of(FIRE, KEY);
    assertThat(body(message)).isEqualTo("{\"a\": 1.50}");
    assertThat(headers(message)).containsEntry("Content-Type", "application/json");
  }

  @Test
  void structured_mode_is_one_document() throws IOException {
    EventForm.Message message = new EventForm(true, true, SOURCE).of(FIRE, KEY);
    assertThat(headers(message))
        .containsEntry("Content-Type", "application/cloudevents+json; charset=UTF-8")
        .containsKey("Idempotency-Key")
        .doesNotContainKey("ce-id");
    assertThat(body(message))
        .isEqualTo(
            "{\"specversion\":\"1.0\",\"id\":\"45ab35b3-d783-5fca-a990-2ec57bf08623\","
                + "\"source\":\"/waterclock/waterclock\",\"type\":\"io.waterclock.fire.v1\","
                + "\"subject\":\"reports/daily\",\"time\":\"2026-11-21T10:00:00Z\","
                + "\"datacontenttype\":\"application/json\",\"data\":{\"a\":1.50}}");
    JsonNode whole =
        new JsonMapper().readTree(new EventForm(true, false, SOURCE).of(FIRE, KEY).body());
    assertThat(whole.at("/data/schedule_id").asText()).isEqualTo("reports/daily");
    assertThat(whole.at("/data/cause").asText()).isEqualTo("SCHEDULED");
  }

  @Test
  void what_is_not_json_stands_in_base64() {
    Fire text =
        TestFires.of(
            "a", Instant.EPOCH, schedule -> TestFires.payload(schedule, "text/plain", "hi"));
    assertThat(body(new EventForm(true, true, SOURCE).of(text, "a|x")))
        .contains("\"datacontenttype\":\"text/plain\",\"data_base64\":\"aGk=\"");
    for (String broken : List.of("{", "{} {}", "1e99999999999")) {
      Fire fire =
          TestFires.of(
              "a",
              Instant.EPOCH,
              schedule -> TestFires.payload(schedule, "application/json", broken));
      String base64 = Base64.getEncoder().encodeToString(broken.getBytes(StandardCharsets.UTF_8));
      assertThat(body(new EventForm(true, true, SOURCE).of(fire, "a|x")))
          .contains("\"data_base64\":\"" + base64 + "\"");
    }
  }

  @Test
  void bytes_that_are_not_utf_8_are_sent_as_they_are() {
    byte[] latin = {'"', (byte) 0xE4, '"'};
    Fire fire =
        TestFires.of(
            "a",
            Instant.EPOCH,
            schedule -> {
              schedule.setContentType("application/json");
              schedule.setPayload(ByteBuffer.wrap(latin));
            });
    assertThat(new EventForm(false, true, SOURCE).of(fire, "a|x").body()).isEqualTo(latin);
    assertThat(body(new EventForm(true, true, SOURCE).of(fire, "a|x")))
        .contains("\"data_base64\":\"" + Base64.getEncoder().encodeToString(latin) + "\"");
  }

  @Test
  void a_schedule_without_a_payload_has_no_data() {
    Fire empty = TestFires.of("a", Instant.EPOCH, schedule -> {});
    assertThat(new EventForm(false, true, SOURCE).of(empty, "a|x").body()).isEmpty();
    assertThat(body(new EventForm(true, true, SOURCE).of(empty, "a|x"))).doesNotContain("data");
  }

  @Test
  void text_of_a_schedule_cannot_end_a_header() {
    Fire evil =
        TestFires.of(
            "a",
            Instant.EPOCH,
            schedule -> TestFires.payload(schedule, "text/plain\r\nX-Evil: 1", "hi"));
    EventForm.Message message =
        new EventForm(false, true, SOURCE).of(evil, "a|1970-01-01T00:00:00.000Z|cä%\r\nX: 1");
    assertThat(headers(message))
        .containsEntry("Content-Type", "application/octet-stream")
        .containsEntry("waterclock-fire-key", "a|1970-01-01T00:00:00.000Z|c%C3%A4%25%0D%0AX:%201");
  }
}

package io.waterclock.client.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.avro.Schedule;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.CharBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PayloadsTest {
  record Order(
      String id,
      @Nullable Instant placed,
      @Nullable Duration patience,
      @Nullable LocalDate day,
      @Nullable ZonedDateTime local) {
    Instant instant() {
      return Optional.ofNullable(local).orElseThrow().toInstant();
    }
  }

  private static final Order ORDER =
      new Order(
          "17",
          Instant.parse("2026-11-21T10:00:00.123Z"),
          Duration.ofMinutes(30),
          LocalDate.of(2026, 11, 21),
          ZonedDateTime.of(2026, 11, 21, 9, 0, 0, 0, ZoneId.of("Europe/Berlin")));

  private final Payloads payloads = new Payloads(JacksonMapper.standard());

  private Object read(String json, Type type) {
    return payloads.read(json.getBytes(UTF_8), type, "orders/17");
  }

  @Test
  void objects_with_times_are_written_as_text_and_read_back() {
    Schedule schedule = ScheduleBuilder.after(Duration.ofDays(3)).payload(ORDER).build();
    assertThat(schedule.getContentType()).isEqualTo("application/json");
    String json = UTF_8.decode(schedule.getPayload().duplicate()).toString();
    assertThat(json)
        .contains("\"placed\":\"2026-11-21T10:00:00.123Z\"", "\"patience\":\"PT30M\"")
        .contains("\"day\":\"2026-11-21\"");
    Order read = (Order) read(json, Order.class);
    assertThat(read).usingRecursiveComparison().ignoringFields("local").isEqualTo(ORDER);
    assertThat(read.instant()).isEqualTo(ORDER.instant());
  }

  @Test
  void a_payload_of_a_newer_service_may_have_more_properties() {
    assertThat(read("{\"id\":\"17\",\"colour\":\"red\"}", Order.class))
        .isEqualTo(new Order("17", null, null, null, null));
  }

  @Test
  void a_type_with_parameters_keeps_them() throws Exception {
    Type orders = PayloadsTest.class.getDeclaredMethod("orders").getGenericReturnType();
    assertThat(read("[{\"id\":\"1\"},{\"id\":\"2\"}]", orders))
        .asInstanceOf(InstanceOfAssertFactories.list(Order.class))
        .extracting(Order::id)
        .containsExactly("1", "2");
  }

  static List<Order> orders() {
    return List.of();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "seventeen | Unrecognized token",
        "{\"id\": | end-of-input",
        "{\"placed\":\"yesterday\"} | from String \"yesterday\"",
        "[] | Cannot deserialize value of type",
        "{} {} | Trailing token",
        "null | it is null",
      })
  void what_is_not_of_the_type_is_refused_with_the_id_the_type_and_the_reason(
      String json, String reason) {
    assertThatThrownBy(() -> read(json, Order.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageStartingWith("the payload of orders/17 is not " + Order.class.getName() + ": ")
        .hasMessageContaining(reason)
        .message()
        .hasLineCount(1);
  }

  @Test
  void no_payload_is_no_object() {
    assertThatThrownBy(() -> read("", Order.class))
        .isInstanceOf(PayloadException.class)
        .hasMessage("orders/17 has no payload, and the handler wants " + Order.class.getName());
  }

  @Test
  void an_object_without_a_form_in_json_is_refused() {
    assertThatThrownBy(() -> ScheduleBuilder.after(Duration.ZERO).payload(new Object()))
        .isInstanceOf(PayloadException.class)
        .hasMessageStartingWith("an object of java.lang.Object cannot become a payload: ");
  }

  @Test
  void bytes_and_text_have_methods_of_their_own() {
    for (Object value : List.of(new byte[] {1}, "{}", CharBuffer.wrap("a"))) {
      assertThatThrownBy(() -> ScheduleBuilder.after(Duration.ZERO).payload(value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("payloadJson(json)");
    }
  }

  @Test
  void a_mapper_of_the_service_sets_the_form_and_the_media_type() {
    PayloadMapper shouting =
        new PayloadMapper() {
          @Override
          public String contentType() {
            return "text/x-loud";
          }

          @Override
          public byte[] write(Object value) {
            return value.toString().toUpperCase(Locale.ROOT).getBytes(UTF_8);
          }

          @Override
          public Object read(byte[] payload, Type type) throws IOException {
            throw new IOException("too loud");
          }
        };
    Schedule schedule =
        ScheduleBuilder.after(Duration.ZERO).payload(Duration.ofDays(1), shouting).build();
    assertThat(schedule.getContentType()).isEqualTo("text/x-loud");
    assertThat(schedule.getPayload().array()).isEqualTo("PT24H".getBytes(UTF_8));
    assertThatThrownBy(() -> new Payloads(shouting).read(new byte[] {1}, String.class, "a|b"))
        .hasMessage("the payload of a|b is not java.lang.String: too loud");
  }
}

package io.waterclock.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RawHeader;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LaterRequestTest {
  private static final Instant WRITTEN = Instant.parse("2026-11-21T10:00:00.500Z");
  private static final LaterIds IDS = new LaterIds(1);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waterclock-at=2026-11-21T12:00:00Z | 2026-11-21T12:00:00Z",
        "waterclock-at=2026-11-21T12:00:00.001+02:00 | 2026-11-21T10:00:00.001Z",
        "waterclock-at= 2026-11-21T12:00:00Z | 2026-11-21T12:00:00Z",
        "waterclock-at=1795262400000 | 2026-11-21T12:00:00Z",
        "waterclock-at=2020-01-01T00:00:00Z | 2020-01-01T00:00:00Z",
        "waterclock-in=90s | 2026-11-21T10:01:30.500Z",
        "waterclock-in=PT90S | 2026-11-21T10:01:30.500Z",
        "waterclock-in=1h30m | 2026-11-21T11:30:00.500Z",
        "waterclock-in=100d | 2027-03-01T10:00:00.500Z",
        "waterclock-in=0s | 2026-11-21T10:00:00.500Z",
        "waterclock-in=1h;waterclock-in=5s | 2026-11-21T10:00:05.500Z",
        "waterclock-cancel=false;waterclock-in=5s | 2026-11-21T10:00:05.500Z"
      })
  void the_instant_comes_from_one_header(String headers, Instant at) {
    LaterRequest request = read(headers + ";waterclock-target=orders");
    assertThat(request)
        .isInstanceOfSatisfying(
            LaterRequest.Deliver.class,
            deliver ->
                assertThat(((OnceTrigger) deliver.schedule().getTrigger()).getAt()).isEqualTo(at));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "waterclock-target=orders | waterclock-at: and waterclock-in are both missing; one of them"
            + " says when; for example 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-at=1795262400000;waterclock-in=5s | waterclock-at: and"
            + " waterclock-in are both given; one of them says when; for example"
            + " 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-at=tomorrow | waterclock-at: \"tomorrow\" is not an"
            + " ISO-8601 date and time; for example 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-at=2026-12-24T18:00:00 | waterclock-at:"
            + " \"2026-12-24T18:00:00\" has no offset such as Z or +02:00; for example"
            + " 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-at=1795262400 | waterclock-at: is"
            + " 1970-01-21T18:41:02.400Z, before the year 2000; a number counts milliseconds since"
            + " 1970, and seconds look like this; for example 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-at=99999999999999999999 | waterclock-at:"
            + " \"99999999999999999999\" is too far away; for example 2026-12-24T18:00:00Z",
        "waterclock-target=orders;waterclock-in=soon | waterclock-in: \"soon\" is not a duration:"
            + " an ISO-8601 duration, or a number and one of ms, s, min, h, d; for example PT90S",
        "waterclock-target=orders;waterclock-in=-5s | waterclock-in: \"-5s\" is not a duration: an"
            + " ISO-8601 duration, or a number and one of ms, s, min, h, d; for example PT90S",
        "waterclock-target=orders;waterclock-in=9223372036854775807ms | waterclock-in:"
            + " \"9223372036854775807ms\" is too long; for example 15min",
        "waterclock-in=5s | waterclock-target: is missing, to name the topic that is given the"
            + " record; for example orders",
        "waterclock-in=5s;waterclock-target= | waterclock-target: is missing, to name the topic"
            + " that is given the record; for example orders",
        "waterclock-in=5s;waterclock-target=orders;waterclock-partition=first |"
            + " waterclock-partition: \"first\" is no partition; for example 0",
        "waterclock-in=5s;waterclock-target=orders;waterclock-id=a b | waterclock-id: schedule id"
            + " \"a b\" has a space at position 1; an id is 1 to 255 characters, a letter or digit"
            + " first, then letters, digits and . _ ~ : / @ - , for example"
            + " \"billing/invoice-42\"",
        "waterclock-cancel=true | waterclock-id: is missing, to name what is cancelled; for example"
            + " order-42",
        "waterclock-cancel=yes;waterclock-in=5s;waterclock-target=orders | waterclock-cancel: is"
            + " \"yes\"; it is true or false; for example true",
        "x=1 | waterclock-at: and waterclock-in are both missing; one of them says when; for"
            + " example 2026-12-24T18:00:00Z / waterclock-target: is missing, to name the topic"
            + " that is given the record; for example orders"
      })
  void an_error_says_which_header_is_wrong_and_what_would_be_right(String headers, String errors) {
    assertThat(read(headers))
        .isInstanceOfSatisfying(
            LaterRequest.Invalid.class,
            invalid ->
                assertThat(
                        String.join(
                            " / ", invalid.problems().stream().map(Problems::text).toList()))
                    .isEqualTo(errors));
  }

  @Test
  void a_cancellation_needs_an_id_and_nothing_else() {
    assertThat(read("waterclock-cancel=true;waterclock-id=order-42"))
        .isEqualTo(new LaterRequest.Cancel(ScheduleId.parse("order-42")));
  }

  @Test
  void the_schedule_holds_the_record_without_the_headers_that_are_meant_for_waterclock() {
    RecordHeaders headers =
        headers(
            "a=1;waterclock-at=1795262400000;waterclock-target=orders;waterclock-partition=7;"
                + "a=2;waterclock-correlation-id=c;waterclock-answer-partition=3;"
                + "waterclock-id=order-42");
    headers.add("a", null).add("a", new byte[0]);
    LaterRequest.Deliver deliver =
        (LaterRequest.Deliver)
            LaterRequest.of(
                record(Optional.of(new byte[] {-1, 0}), Optional.empty(), headers), IDS);
    assertThat(deliver.id()).isEqualTo(ScheduleId.parse("order-42"));
    assertThat(deliver.schedule().getPayload()).isNull();
    Target target = deliver.schedule().getTarget();
    assertThat(target.getTopic()).isEqualTo("orders");
    assertThat(target.getRecord().getKey()).isEqualTo(ByteBuffer.wrap(new byte[] {-1, 0}));
    assertThat(target.getRecord().getPartition()).isEqualTo(7);
    assertThat(target.getRecord().getHeaders())
        .containsExactly(
            new RawHeader("a", bytes("1")),
            new RawHeader("a", bytes("2")),
            new RawHeader("a", null),
            new RawHeader("a", bytes("")));
  }

  private static LaterRequest read(String headers) {
    return LaterRequest.of(
        record(Optional.empty(), Optional.of(new byte[] {1}), headers(headers)), IDS);
  }

  private static Inbound record(
      Optional<byte[]> key, Optional<byte[]> value, RecordHeaders headers) {
    return new Inbound(key, value, headers, WRITTEN, "waterclock.later", 3, 42);
  }

  private static RecordHeaders headers(String text) {
    RecordHeaders headers = new RecordHeaders();
    for (String header : List.of(text.split(";"))) {
      int equals = header.indexOf('=');
      headers.add(header.substring(0, equals), header.substring(equals + 1).getBytes(UTF_8));
    }
    return headers;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}

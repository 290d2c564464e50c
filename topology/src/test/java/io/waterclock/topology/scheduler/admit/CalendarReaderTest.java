package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.CalendarRules;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.log.RejectionLog;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarReaderTest {
  /** Of a record in the Confluent wire format, whose schema id is 1. */
  private static final byte[] REGISTERED = {0, 0, 0, 0, 1, 2};

  private static final SchemaSource.Lookup AWAY = new SchemaSource.Lookup.Unavailable("away");
  private static final SchemaSource.Lookup UNKNOWN =
      new SchemaSource.Lookup.Refused(UndecodableException.Reason.UNKNOWN_SCHEMA, "unknown");

  private final CalendarFeed feed = new CalendarFeed();
  private final MockProcessorContext<Void, Void> context = new MockProcessorContext<>();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_record_whose_reading_fails_is_refused_and_ends_no_instance(boolean overflows) {
    CalendarReader reader =
        reader(
            id -> {
              if (overflows) {
                throw new StackOverflowError("deadly");
              }
              throw new IllegalStateException("deadly");
            });

    reader.process(new Record<>(utf8("holidays"), REGISTERED, 0));
    reader.process(new Record<>(utf8("good"), utf8("{\"dates\":[\"2026-12-25\"]}"), 0));

    assertThat(refused()).singleElement().asString().contains("deadly");
    assertThat(feed.seen().changes()).containsOnlyKeys("good");
    assertThat(feed.seen().held()).isEmpty();
  }

  @Test
  void a_record_waits_for_its_schema_and_later_ones_of_its_name_behind_it() {
    List<SchemaSource.Lookup> answers = new ArrayList<>(List.of(AWAY));
    CalendarReader reader = reader(id -> answers.get(0));
    reader.process(new Record<>(utf8("holidays"), REGISTERED, 0));
    reader.process(new Record<>(utf8("holidays"), utf8("{\"dates\":[\"2026-12-25\"]}"), 0));
    reader.process(new Record<>(utf8("other"), utf8("{}"), 0));
    feed.retry();
    assertThat(feed.seen().held()).containsExactly("holidays");
    assertThat(feed.seen().changes()).containsOnlyKeys("other");

    answers.set(0, UNKNOWN);
    feed.retry();
    assertThat(refused()).singleElement().asString().contains("unknown");
    assertThat(feed.seen().held()).isEmpty();
    assertThat(feed.seen().changes().get("holidays"))
        .singleElement()
        .satisfies(change -> assertThat(change.calendar().orElseThrow().getDates()).hasSize(1));
  }

  @Test
  void a_record_whose_schema_is_gone_when_it_is_read_waits() {
    Iterator<SchemaSource.Lookup> answers =
        List.of(UNKNOWN, AWAY, UNKNOWN, AWAY, UNKNOWN, UNKNOWN).iterator();
    CalendarReader reader = reader(id -> answers.next());
    reader.process(new Record<>(utf8("holidays"), REGISTERED, 0));
    assertThat(feed.seen().held()).containsExactly("holidays");
    feed.retry();
    assertThat(feed.seen().held()).containsExactly("holidays");
    assertThat(refused()).isEmpty();
    feed.retry();
    assertThat(feed.seen().held()).isEmpty();
    assertThat(refused()).hasSize(1);
  }

  @Test
  void records_that_wait_for_a_schema_have_a_bound() {
    List<SchemaSource.Lookup> answers = new ArrayList<>(List.of(AWAY));
    CalendarReader reader = reader(id -> answers.get(0));
    byte[] large = Arrays.copyOf(REGISTERED, 1 << 20);
    for (int i = 0; i < 31; i++) {
      reader.process(new Record<>(utf8("c" + i % 2), large, 0));
    }
    assertThat(refused()).isEmpty();
    reader.process(new Record<>(utf8("c0"), large, 0));
    assertThat(refused()).containsExactly("too many records of calendars wait for their schemas");

    answers.set(0, UNKNOWN);
    feed.retry();
    assertThat(feed.seen().held()).isEmpty();
    answers.set(0, AWAY);
    reader.process(new Record<>(utf8("c0"), large, 0));
    assertThat(feed.seen().held()).containsExactly("c0");
  }

  @Test
  void headers_of_records_that_wait_for_a_schema_count_as_they_are_in_memory() {
    CalendarReader reader = reader(id -> AWAY);
    int held = 0;
    for (; refused().isEmpty() && held < 1_000; held++) {
      reader.process(new Record<>(utf8("c"), REGISTERED, 0, emptyHeaders(1_000)));
    }
    assertThat(held).isBetween(200, (32 << 20) / 100_000);
  }

  @Test
  void a_record_with_too_many_headers_is_refused() {
    CalendarReader reader = reader(SchemaSource.none());
    reader.process(new Record<>(utf8("fits"), utf8("{}"), 0, emptyHeaders(1_000)));
    reader.process(new Record<>(utf8("not"), utf8("{}"), 0, emptyHeaders(1_001)));
    assertThat(feed.seen().changes()).containsOnlyKeys("fits");
    assertThat(refused()).containsExactly("the record has more than 1000 headers");
  }

  private static Headers emptyHeaders(int number) {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < number; i++) {
      headers.add("", new byte[0]);
    }
    return headers;
  }

  @Test
  void a_calendar_for_which_there_is_no_room_is_refused() {
    CalendarReader reader = reader(SchemaSource.none());
    for (int i = 0; i < CalendarFeed.MAX_NAMES; i++) {
      reader.process(new Record<>(utf8("c" + i), utf8("{}"), 0));
    }
    assertThat(refused()).isEmpty();
    reader.process(new Record<>(utf8("more"), utf8("{}"), 0));
    assertThat(refused()).singleElement().asString().startsWith("there are 1000 calendars");
    assertThat(feed.seen().mayHave("more")).isTrue();
  }

  @Test
  void a_calendar_may_have_512_kib() {
    String blanks = " ".repeat(CalendarRules.MAX_BYTES - 2);
    CalendarReader reader = reader(SchemaSource.none());
    reader.process(new Record<>(utf8("fits"), utf8("{" + blanks + "}"), 0));
    reader.process(new Record<>(utf8("not"), utf8("{" + blanks + " }"), 0));

    assertThat(feed.seen().changes()).containsOnlyKeys("fits");
    assertThat(refused()).singleElement().asString().startsWith("the calendar has 524289 bytes");
  }

  @Test
  void a_calendar_that_breaks_a_rule_is_refused_and_the_one_before_it_stays() {
    CalendarReader reader = reader(SchemaSource.none());
    reader.process(new Record<>(utf8("a"), utf8("{}"), 0));
    reader.process(new Record<>(utf8("a"), utf8("{\"dates\":[\"2026-12-25/2026-12-24\"]}"), 0));
    assertThat(refused()).singleElement().asString().contains("ends before it begins");
    assertThat(feed.seen().changes().get("a")).hasSize(1);
  }

  @Test
  void a_record_without_a_key_is_refused_and_says_what_its_key_is() {
    reader(SchemaSource.none()).process(new Record<>(null, utf8("{}"), 0));
    assertThat(refused()).containsExactly("the record has no key; its key is the calendar's name");
  }

  @Test
  void a_tombstone_deletes_a_calendar() {
    CalendarReader reader = reader(SchemaSource.none());
    reader.process(new Record<>(utf8("a"), utf8("{}"), 0));
    reader.process(new Record<>(utf8("a"), null, 0));
    assertThat(feed.seen().changes().get("a"))
        .extracting(change -> change.calendar().isPresent())
        .containsExactly(true, false);
  }

  private CalendarReader reader(SchemaSource schemas) {
    CalendarReader reader =
        new CalendarReader(feed, schemas, new RejectionLog(InstantSource.system()::instant, ""));
    context.setRecordMetadata("waterclock.calendars", 0, 7);
    reader.init(context);
    return reader;
  }

  /** The reasons. */
  private List<String> refused() {
    return feed.seen().refused().stream().map(CalendarFeed.Refused::reason).toList();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

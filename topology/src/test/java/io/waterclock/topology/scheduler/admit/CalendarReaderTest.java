package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.topology.scheduler.context.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarReaderTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_record_whose_reading_fails_is_refused_and_ends_no_instance(boolean overflows) {
    SchemaSource deadly =
        id -> {
          if (overflows) {
            throw new StackOverflowError("deadly");
          }
          throw new IllegalStateException("deadly");
        };
    CalendarFeed feed = new CalendarFeed();
    CalendarReader reader = new CalendarReader(feed, settings(deadly));
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    context.setRecordMetadata("waterclock.calendars", 0, 7);
    context.addStateStore(Stores.inMemoryKeyValueStore(CalendarReader.STORE).get());
    reader.init(context);

    reader.process(new Record<>(utf8("holidays"), new byte[] {0, 0, 0, 0, 1, 2}, 0));
    reader.process(new Record<>(utf8("good"), utf8("{\"dates\":[\"2026-12-25\"]}"), 0));

    assertThat(feed.seen().refused())
        .singleElement()
        .satisfies(
            refused ->
                assertThat(
                        new String(
                            refused.letter().headers().lastHeader(Headers.ERROR).value(),
                            StandardCharsets.UTF_8))
                    .contains("deadly"));
    assertThat(feed.seen().changes()).containsOnlyKeys("good");
  }

  private static Settings settings(SchemaSource schemas) {
    return new Settings(
        Topics.ofDefault(),
        1,
        new Wire(Encoding.AVRO, schemas),
        ZoneId.of("UTC"),
        "test",
        new Settings.Limits(Duration.ofSeconds(1), 1_000_000),
        Settings.Pace.standard(),
        Duration.ofHours(1),
        Duration.ofDays(7));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

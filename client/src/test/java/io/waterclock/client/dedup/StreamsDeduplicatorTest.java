package io.waterclock.client.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.rules.PastAttempts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StreamsDeduplicatorTest {
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path dir;
  private TopologyTestDriver driver;

  static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("fires", Consumed.with(Serdes.String(), Serdes.String()))
        .processValues(StreamsDeduplicator.of("seen", HOUR))
        .to("once");
    return builder.build();
  }

  @BeforeEach
  void start() {
    driver = driver("exactly_once_v2");
  }

  private TopologyTestDriver driver(String guarantee) {
    Properties settings = new Properties();
    settings.put("application.id", "dedup");
    settings.put("bootstrap.servers", "nowhere:1");
    settings.put("state.dir", dir.resolve(guarantee).toString());
    settings.put("processing.guarantee", guarantee);
    settings.put("default.key.serde", Serdes.StringSerde.class.getName());
    settings.put("default.value.serde", Serdes.StringSerde.class.getName());
    return new TopologyTestDriver(topology(), settings, TEN);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void send(String id, String value, Instant timestamp) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("ce_id", id.getBytes(UTF_8));
    send(new TestRecord<>("key", value, headers, timestamp));
  }

  private void send(TestRecord<String, String> fire) {
    driver
        .createInputTopic("fires", new StringSerializer(), new StringSerializer())
        .pipeInput(fire);
  }

  private List<String> passed() {
    return driver
        .createOutputTopic("once", new StringDeserializer(), new StringDeserializer())
        .readValuesToList();
  }

  @Test
  void each_fire_passes_once_whatever_came_in_between() {
    send("a", "1", TEN);
    send("b", "2", TEN);
    send("a", "3", TEN.plusSeconds(1));
    send("b", "4", TEN.minusSeconds(1));
    send("c", "5", TEN);
    assertThat(passed()).containsExactly("1", "2", "5");
  }

  @Test
  void a_record_that_is_not_a_fire_passes() {
    send(new TestRecord<>("key", "1"));
    send(new TestRecord<>("key", "2"));
    RecordHeaders withoutValue = new RecordHeaders();
    withoutValue.add("ce_id", null);
    send(new TestRecord<>("key", "3", withoutValue, TEN));
    assertThat(passed()).containsExactly("1", "2", "3");
  }

  @Test
  void a_fire_passes_again_with_each_return_to_this_application_only() {
    send("a", "first", TEN);
    returns("of another group", "other", "fires", 1);
    returns("of this one", "dedup", "fires", 1);
    returns("of this one, written twice", "dedup", "fires", 1);
    returns("of this one, again", "dedup", "fires", 2);
    returns("with the headers of another topic", "other", "elsewhere", 3);
    assertThat(passed()).containsExactly("first", "of this one", "of this one, again");
  }

  @Test
  void a_fire_passes_though_its_headers_are_those_of_a_return_to_another_topic() {
    returns("copied", "other", "elsewhere", 1);
    returns("copied again", "other", "elsewhere", 2);
    assertThat(passed()).containsExactly("copied");
  }

  @Test
  void a_fire_that_is_sent_again_passes_and_so_do_its_returns_after_that() {
    Headers fire = new RecordHeaders().add("ce_id", "a".getBytes(UTF_8));
    Headers returned = waits(fire, 1);
    Headers redriven = sentAgain(returned, "waterclock-redriven", "1");
    Headers returnedAgain = waits(redriven, 1);
    Headers rerun = sentAgain(fire, "waterclock-rerun", "2026-11-21T11:00:00Z");
    List.of(
            Map.entry("first", fire),
            Map.entry("returned", returned),
            Map.entry("redriven", redriven),
            Map.entry("redriven, written twice", redriven),
            Map.entry("returned again", returnedAgain),
            Map.entry("returned again, written twice", returnedAgain),
            Map.entry(
                "redriven again", sentAgain(waits(returnedAgain, 2), "waterclock-redriven", "2")),
            Map.entry("rerun", rerun),
            Map.entry("returned after the rerun", waits(rerun, 1)))
        .forEach(each -> send(new TestRecord<>("key", each.getKey(), each.getValue(), TEN)));
    assertThat(passed())
        .containsExactly(
            "first",
            "returned",
            "redriven",
            "returned again",
            "redriven again",
            "rerun",
            "returned after the rerun");
  }

  private static Headers waits(Headers from, int waits) {
    return RetryHeaders.waiting(from, "fires", "dedup", PastAttempts.of(waits, waits), "no stock");
  }

  private static Headers sentAgain(Headers from, String header, String value) {
    return waits(from, 0).remove(header).add(header, value.getBytes(UTF_8));
  }

  private void returns(String value, String group, String to, int retries) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("ce_id", "a".getBytes(UTF_8));
    headers.add("waterclock-group", group.getBytes(UTF_8));
    headers.add("waterclock-returns-to", to.getBytes(UTF_8));
    headers.add("waterclock-retries", Integer.toString(retries).getBytes(UTF_8));
    send(new TestRecord<>("key", value, headers, TEN));
  }

  @Test
  void an_id_is_remembered_for_the_retention_from_when_it_came() {
    send("a", "1", TEN);
    driver.advanceWallClockTime(HOUR);
    send("a", "2", TEN);
    driver.advanceWallClockTime(Duration.ofMillis(1));
    send("a", "3", TEN);
    assertThat(passed()).containsExactly("1", "3");
  }

  @Test
  void a_timestamp_far_in_the_future_does_not_expire_ids() {
    send("a", "1", TEN);
    send("b", "2", TEN.plus(Duration.ofDays(10_000)));
    send("a", "3", TEN);
    send("b", "4", TEN);
    assertThat(passed()).containsExactly("1", "2");
  }

  @Test
  void ids_older_than_the_retention_take_no_space() {
    for (int i = 0; i < 100; i++) {
      send("id" + i, "x", TEN);
      driver.advanceWallClockTime(Duration.ofMinutes(10));
    }
    try (var all = driver.<String, byte[]>getWindowStore("seen").all()) {
      int kept = 0;
      for (; all.hasNext(); all.next()) {
        kept++;
      }
      assertThat(kept).isLessThan(15);
    }
  }

  @Test
  void a_guarantee_under_which_it_would_lose_fires_is_refused() {
    assertThatThrownBy(() -> driver("at_least_once"))
        .rootCause()
        .hasMessageContaining("processing.guarantee")
        .hasMessageContaining("exactly_once_v2");
  }

  @Test
  void a_retention_is_no_shorter_than_a_minute() {
    assertThatThrownBy(() -> StreamsDeduplicator.of("seen", Duration.ofSeconds(59)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT59S")
        .hasMessageContaining("P8D");
  }
}

package io.waterclock.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.count.CountReports;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IntakeTopologyTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Topics OWN = Topics.ofDefault();

  private final Counted counted = new Counted();
  private final TopologyTestDriver driver = new TopologyTestDriver(topology(), properties(), NOW);
  private final TestInputTopic<byte[], byte[]> later =
      driver.createInputTopic(OWN.later(), new ByteArraySerializer(), new ByteArraySerializer());

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void the_graph_is_the_one_that_was_reviewed() {
    assertThat(topology().describe().toString())
        .isEqualTo(
            """
            Topologies:
               Sub-topology: 0
                Source: from-later (topics: [waterclock.later])
                  --> intake
                Processor: intake (stores: [])
                  --> to-answers, to-dlq, to-schedules
                  <-- from-later
                Sink: to-answers (topic: waterclock.answers)
                  <-- intake
                Sink: to-dlq (topic: waterclock.dlq)
                  <-- intake
                Sink: to-schedules (topic: waterclock.schedules)
                  <-- intake

            """);
  }

  @Test
  void a_record_becomes_a_schedule_with_the_timestamp_and_the_request_for_an_answer_that_it_has() {
    later.pipeInput(
        record(
            "k",
            "v",
            "waterclock-in=15min;waterclock-target=orders;waterclock-id=order-42;"
                + "waterclock-correlation-id=c-1;waterclock-answer-partition=3"));
    TestRecord<byte[], byte[]> schedule = only(OWN.schedules());
    assertThat(text(schedule.key())).isEqualTo("order-42");
    assertThat(schedule.getRecordTime()).isEqualTo(NOW);
    assertThat(headers(schedule))
        .isEqualTo(
            Map.of(
                HeaderNames.STRAY, "waterclock.later-0@0",
                HeaderNames.CORRELATION_ID, "c-1",
                HeaderNames.ANSWER_PARTITION, "3"));
    assertThat(RecordCodecs.schedule().toJson(RecordCodecs.schedule().decode(schedule.value())))
        .hasToString(
            "{\"at\":\"2026-11-21T10:15:00Z\",\"target\":{\"topic\":\"orders\",\"record\":"
                + "{\"key_base64\":\"aw==\"}},\"payload_base64\":\"dg==\"}");
    assertThat(records(OWN.answers())).isEmpty();
    assertThat(counted.counts.records(LaterOutcome.DELAYED)).isEqualTo(1);
  }

  @Test
  void a_request_for_an_answer_that_is_none_is_not_written_again() {
    String headers = "waterclock-in=15min;waterclock-target=orders;waterclock-correlation-id=";
    later.pipeInput(record("k", "v", headers + "c".repeat(256)));
    later.pipeInput(
        record("k", "v", headers + "c;waterclock-answer-partition=" + "0".repeat(9_000)));
    assertThat(records(OWN.schedules()))
        .allSatisfy(
            schedule ->
                assertThat(headers(schedule).values())
                    .allSatisfy(value -> assertThat(value).hasSizeLessThan(30)))
        .hasSize(2);
  }

  @Test
  void a_cancellation_becomes_a_tombstone() {
    later.pipeInput(record("k", "v", "waterclock-cancel=true;waterclock-id=order-42"));
    TestRecord<byte[], byte[]> tombstone = only(OWN.schedules());
    assertThat(text(tombstone.key())).isEqualTo("order-42");
    assertThat(tombstone.value()).isNull();
    assertThat(counted.counts.records(LaterOutcome.CANCELLED)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "waterclock-in=soon;waterclock-target=orders | waterclock-in: \"soon\" is not a duration:"
            + " an ISO-8601 duration, or a number and one of ms, s, min, h, d; for example PT90S",
        "waterclock-in=5s;waterclock-target=mail | waterclock-target: \"mail\" is not in"
            + " targets.allow, which has orders, small, gone; for example \"orders\"",
        "waterclock-in=5s;waterclock-target=waterclock.fires | waterclock-target:"
            + " \"waterclock.fires\" is a topic of the scheduler itself; for example \"orders\"",
        "waterclock-in=5s;waterclock-target=gone | waterclock-target: there is no topic \"gone\","
            + " or none that the scheduler may see: create it first, for example with"
            + " kafka-topics.sh --create --topic gone",
        "waterclock-in=5s;waterclock-target=orders;waterclock-partition=3 | waterclock-partition:"
            + " is 3, and \"orders\" has 3 partitions, counted from 0; for example 0",
        "waterclock-in=5s;waterclock-target=orders;waterclock-partition=-1 | waterclock-partition:"
            + " is -1, below 0; for example 0",
        "waterclock-in=5s;waterclock-target=small | a fire of this schedule could take 185 bytes in"
            + " the target, more than the 100 that \"small\" accepts; make the payload smaller or"
            + " send a reference to it"
      })
  void a_record_that_cannot_be_delivered_is_a_dead_letter_and_is_answered(
      String headers, String error) {
    later.pipeInput(record("k", "v", headers + ";waterclock-correlation-id=c-1;own=1"));
    TestRecord<byte[], byte[]> letter = only(OWN.dlq());
    assertThat(text(letter.key())).isEqualTo("k");
    assertThat(text(letter.value())).isEqualTo("v");
    assertThat(headers(letter))
        .containsEntry(HeaderNames.ERROR, error)
        .containsEntry(HeaderNames.ORIGIN_TOPIC, OWN.later())
        .containsEntry("own", "1");
    TestRecord<byte[], byte[]> record = only(OWN.answers());
    Answer answer = RecordCodecs.answer().decode(record.value());
    assertThat(text(record.key())).isEqualTo("c-1");
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(Problems.text(answer.getProblems())).isEqualTo(error);
    assertThat(records(OWN.schedules())).isEmpty();
    assertThat(counted.counts.records(LaterOutcome.REFUSED)).isEqualTo(1);
  }

  /** It would have to be one in {@code fires}, and in {@code dlq} with its reason. */
  @Test
  void a_record_that_would_not_fit_with_all_its_envelopes_is_refused_before_it_waits() {
    later.pipeInput(record("k", "v".repeat(991_000), "waterclock-in=5s;waterclock-target=orders"));
    assertThat(headers(only(OWN.dlq())).get(HeaderNames.ERROR))
        .startsWith("a fire of this schedule could take 99");
  }

  @Test
  void too_many_headers_are_refused() {
    TestRecord<byte[], byte[]> record = record("k", "v", "waterclock-in=5s");
    for (int i = 0; i < 1_000; i++) {
      record.headers().add("h", null);
    }
    later.pipeInput(record);
    assertThat(headers(only(OWN.dlq())).get(HeaderNames.ERROR))
        .isEqualTo("the record has more than 1000 headers");
  }

  private Topology topology() {
    Settings settings =
        new Settings(
            new Settings.Channels(
                OWN,
                1,
                new TargetRules(
                    new AllowList(List.of("orders", "small", "gone")),
                    OwnerLimits.none(),
                    OWN,
                    "app"),
                true,
                Wire.of(WireFormat.AVRO),
                ZoneOffset.UTC),
            new Settings.Limits(Duration.ofSeconds(1), 1_000_000),
            Settings.Pace.standard(),
            new Settings.Retention(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
            Settings.Alerting.OFF,
            Settings.Identity.of("test"));
    return IntakeTopology.build(
        settings,
        (topic, asOf) ->
            switch (topic) {
              case "orders" -> new TargetTopic.Present(1_000_000, 3);
              case "small" -> new TargetTopic.Present(100, 3);
              default -> new TargetTopic.Missing();
            },
        counted,
        () -> NOW);
  }

  private static TestRecord<byte[], byte[]> record(String key, String value, String headers) {
    RecordHeaders all = new RecordHeaders();
    for (String header : headers.split(";")) {
      int equals = header.indexOf('=');
      all.add(header.substring(0, equals), header.substring(equals + 1).getBytes(UTF_8));
    }
    return new TestRecord<>(key.getBytes(UTF_8), value.getBytes(UTF_8), all, NOW);
  }

  private TestRecord<byte[], byte[]> only(String topic) {
    List<TestRecord<byte[], byte[]>> records = records(topic);
    assertThat(records).hasSize(1);
    return records.get(0);
  }

  private List<TestRecord<byte[], byte[]>> records(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private static Map<String, String> headers(TestRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), Optional.ofNullable(header.value()).map(v -> text(v)).orElse(""));
    }
    return headers;
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app-intake");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
    return properties;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static final class Counted implements CountReports<IntakeCounts> {
    private IntakeCounts counts = new IntakeCounts();

    @Override
    public void assigned(TaskId task, IntakeCounts counts) {
      this.counts = counts;
    }

    @Override
    public void revoked(TaskId task) {}
  }
}

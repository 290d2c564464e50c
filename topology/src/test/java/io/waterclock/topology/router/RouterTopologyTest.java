package io.waterclock.topology.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.count.CountReports;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RouterTopologyTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final Topics OWN = Topics.ofDefault();

  private final Map<String, Integer> topics = new HashMap<>();
  private final Refusals refusals = new Refusals(() -> NOW, () -> false, topic -> {});
  private final Counted counted = new Counted();
  private final TopologyTestDriver driver =
      new TopologyTestDriver(
          RouterTopology.build(
              OWN,
              new Routing(
                  new TargetRules(
                      new AllowList(List.of("mail", "post")), OwnerLimits.none(), OWN, "app"),
                  (topic, asOf) ->
                      Optional.ofNullable(topics.get(topic))
                          .<TargetTopic>map(bytes -> new TargetTopic.Present(bytes, 3))
                          .orElseGet(TargetTopic.Missing::new),
                  refusals,
                  SchemaSource.none(),
                  () -> NOW),
              counted,
              1_000_000),
          properties());
  private final TestInputTopic<byte[], byte[]> fires =
      driver.createInputTopic(OWN.fires(), new ByteArraySerializer(), new ByteArraySerializer());

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void the_graph_is_the_one_that_was_reviewed() {
    assertThat(
            RouterTopology.build(
                    OWN,
                    new Routing(
                        new TargetRules(AllowList.none(), OwnerLimits.none(), OWN, "app"),
                        (topic, asOf) -> new TargetTopic.Unknown(),
                        refusals,
                        SchemaSource.none(),
                        () -> NOW),
                    counted,
                    1)
                .describe()
                .toString())
        .isEqualTo(
            """
            Topologies:
               Sub-topology: 0
                Source: from-fires (topics: [waterclock.fires])
                  --> router
                Processor: router (stores: [])
                  --> to-dlq, to-partitions, to-targets
                  <-- from-fires
                Sink: to-dlq (topic: waterclock.dlq)
                  <-- router
                Sink: to-partitions (extractor class: %1$s)
                  <-- router
                Sink: to-targets (extractor class: %1$s)
                  <-- router

            """
                .formatted(Routed.topics()));
  }

  @Test
  void a_target_is_given_the_fire_as_it_was_written_with_its_headers_and_those_of_the_schedule() {
    topics.put("mail", 1_000_000);
    TestRecord<byte[], byte[]> fire =
        fire("a", "{\"at\":\"now\",\"headers\":{\"x\":\"1\"},\"target\":{\"topic\":\"mail\"}}");
    fires.pipeInput(fire);
    TestRecord<byte[], byte[]> record = only("mail");
    assertThat(record.key()).isEqualTo(fire.key());
    assertThat(record.value()).isEqualTo(fire.value());
    assertThat(record.timestamp()).isEqualTo(fire.timestamp());
    assertThat(headers(record))
        .isEqualTo(
            Map.of(
                "ce_specversion", "1.0",
                "ce_id", "id of a",
                "ce_subject", "a",
                "content-type", "application/avro",
                "waterclock-fire-key", "a|2026-03-01T00:00:00.000Z",
                "x", "1"));
    assertThat(counted.counts.routedFires()).isEqualTo(1);
  }

  @Test
  void a_target_that_asks_for_it_is_given_the_payload_alone_under_a_key_of_its_own() {
    topics.put("mail", 1_000_000);
    fires.pipeInput(
        fire(
            "a",
            "{\"at\":\"now\",\"payload\":\"hello\",\"content_type\":\"text/plain\","
                + "\"target\":{\"topic\":\"mail\",\"key\":\"k\",\"value\":\"payload\"}}"));
    TestRecord<byte[], byte[]> record = only("mail");
    assertThat(text(record.key())).isEqualTo("k");
    assertThat(text(record.value())).isEqualTo("hello");
    assertThat(headers(record))
        .containsEntry("content-type", "text/plain")
        .containsEntry("waterclock-fire-key", "a|2026-03-01T00:00:00.000Z");
  }

  @Test
  void a_payload_without_a_media_type_has_none_in_the_headers_either() {
    topics.put("mail", 1_000_000);
    TestRecord<byte[], byte[]> fire =
        fire(
            "a",
            Schedule.newBuilder(
                    schedule(
                        "{\"at\":\"now\",\"target\":{\"topic\":\"mail\",\"value\":\"payload\"}}"))
                .setPayload(ByteBuffer.wrap(bytes("raw")))
                .build());
    fires.pipeInput(fire);
    assertThat(headers(only("mail"))).doesNotContainKey("content-type");
  }

  @Test
  void a_target_that_names_a_record_is_given_that_record_with_its_id_in_the_partition_it_names() {
    topics.put("mail", 1_000_000);
    String record =
        "{\"key_base64\":\"/w==\",\"headers\":[{\"name\":\"a\",\"value_base64\":\"MQ==\"},"
            + "{\"name\":\"a\"}],\"partition\":%d}";
    String json = "{\"at\":\"now\",\"target\":{\"topic\":\"mail\",\"record\":" + record + "}}";
    fires.pipeInput(fire("a", json.formatted(2)));
    fires.pipeInput(fire("b", json.formatted(3)));
    TestRecord<byte[], byte[]> delivered = only("mail");
    assertThat(delivered.key()).containsExactly(-1);
    assertThat(delivered.value()).isNull();
    assertThat(delivered.headers())
        .containsExactly(
            new RecordHeader("a", bytes("1")),
            new RecordHeader("a", null),
            new RecordHeader("waterclock-id", bytes("a")));
    assertThat(headers(only(OWN.dlq())).get(HeaderNames.ERROR))
        .isEqualTo("target \"mail\": there is no partition 3; the topic has 3");
  }

  /** A record of a user may have any header, a fire key too; its own last header names it. */
  @Test
  void a_record_that_the_broker_refuses_is_not_sent_again() {
    topics.put("mail", 1_000_000);
    String json = "{\"at\":\"now\",\"target\":{\"topic\":\"mail\",\"record\":{}}}";
    TestRecord<byte[], byte[]> fire = fire("a", json);
    RecordHeaders headers = marked("other|1");
    headers.add("waterclock-id", bytes("a"));
    refusals.refused(
        new ProducerRecord<>("mail", null, fire.timestamp(), null, null, headers),
        new RecordTooLargeException("2 > 1"));
    fires.pipeInput(fire);
    fires.pipeInput(fire("b", json));
    assertThat(records("mail"))
        .extracting(r -> headers(r).get("waterclock-id"))
        .containsExactly("b");
    assertThat(headers(only(OWN.dlq())).get(HeaderNames.ERROR))
        .isEqualTo("target \"mail\": the broker refuses it: 2 > 1");
  }

  @Test
  void a_fire_without_a_target_passes_by_unread() {
    fires.pipeInput(new TestRecord<>(bytes("a|x"), bytes("not even a fire")));
    assertThat(driver.producedTopicNames()).isEmpty();
  }

  @Test
  void a_record_that_the_scheduler_did_not_write_does_not_end_the_router() {
    topics.put("mail", 1_000_000);
    TestRecord<byte[], byte[]> good = fire("a", "{\"at\":\"now\",\"target\":{\"topic\":\"mail\"}}");
    fires.pipeInput(new TestRecord<>(null, good.value(), good.headers(), NOW));
    RecordHeaders nameless = new RecordHeaders();
    nameless.add(HeaderNames.TARGET, null);
    fires.pipeInput(new TestRecord<>(good.key(), good.value(), nameless, NOW));
    fires.pipeInput(new TestRecord<>(good.key(), null, good.headers(), NOW));
    fires.pipeInput(good);

    assertThat(headers(only(OWN.dlq())).get(HeaderNames.ERROR))
        .startsWith("target \"mail\": its key does not name its schedule: ");
    assertThat(headers(only("mail")).get("ce_subject")).isEqualTo("a");
  }

  @Test
  void each_fire_that_cannot_reach_its_target_is_a_dead_letter_with_the_reason_and_no_other_is() {
    topics.put("mail", 1_000_000);
    String toMail = "{\"at\":\"now\",\"target\":{\"topic\":\"mail\"}}";
    fires.pipeInput(fire("forbidden", "{\"at\":\"now\",\"target\":{\"topic\":\"other\"}}"));
    fires.pipeInput(fire("missing", "{\"at\":\"now\",\"target\":{\"topic\":\"post\"}}"));
    fires.pipeInput(fire("good", toMail));
    topics.put("mail", 100);
    fires.pipeInput(fire("large", toMail));
    topics.put("mail", 1_000_000);
    TestRecord<byte[], byte[]> unreadable = fire("unreadable", toMail);
    fires.pipeInput(new TestRecord<>(unreadable.key(), bytes("broken"), unreadable.headers(), NOW));
    fires.pipeInput(fire("again", toMail));
    refusals.refused(
        new ProducerRecord<>("mail", null, bytes("k"), bytes("v"), marked("x|1")),
        new TopicAuthorizationException("not you", Set.of("mail")));
    fires.pipeInput(fire("refused", toMail));

    assertThat(records("mail"))
        .extracting(r -> headers(r).get("ce_subject"))
        .containsExactly("good", "again");
    assertThat(records(OWN.dlq()))
        .extracting(r -> headers(r).get("ce_subject") + ": " + headers(r).get(HeaderNames.ERROR))
        .containsExactly(
            "forbidden: target \"other\": \"other\" is not in targets.allow, which has mail, post",
            "missing: target \"post\": there is no topic \"post\", or none that the scheduler may"
                + " see",
            "large: target \"mail\": it has 427 bytes; the topic accepts at most 100",
            "unreadable: target \"mail\": Fire cannot be read: the first bytes are neither"
                + " single-object Avro (c3 01) nor JSON ({) nor the Confluent wire format (00) (6"
                + " bytes: 62 72 6f 6b 65 6e)",
            "refused: target \"mail\": the broker refuses it: not you");
  }

  @Test
  void a_dead_letter_is_the_fire_as_it_was_and_says_where_it_was_found() {
    TestRecord<byte[], byte[]> fire = fire("a", "{\"at\":\"now\",\"target\":{\"topic\":\"post\"}}");
    fires.pipeInput(fire);
    TestRecord<byte[], byte[]> letter = only(OWN.dlq());
    assertThat(letter.key()).isEqualTo(fire.key());
    assertThat(letter.value()).isEqualTo(fire.value());
    assertThat(headers(letter))
        .containsAllEntriesOf(
            Map.of(
                HeaderNames.TARGET,
                "post",
                "ce_id",
                "id of a",
                HeaderNames.ORIGIN_TOPIC,
                OWN.fires(),
                HeaderNames.ORIGIN_PARTITION,
                "0",
                HeaderNames.ORIGIN_OFFSET,
                "0"));
    assertThat(counted.counts.undeliveredFires(Undelivered.MISSING)).isEqualTo(1);
    assertThat(counted.counts.routedFires()).isZero();
  }

  @Test
  void the_largest_fire_that_is_accepted_with_a_target_is_a_dead_letter_as_a_whole() {
    String payload = "\"" + "x".repeat(1_000_000 - 9 * 1024 - 1_000) + "\"";
    String json = "{\"at\":\"now\",\"target\":{\"topic\":\"post\"},\"payload\":" + payload + "}";
    TestRecord<byte[], byte[]> fire = fire("a", json);
    fires.pipeInput(fire);
    TestRecord<byte[], byte[]> letter = only(OWN.dlq());
    assertThat(letter.value()).isEqualTo(fire.value());
    assertThat(headers(letter)).containsAllEntriesOf(headers(fire)).containsKey(HeaderNames.ERROR);
  }

  private static TestRecord<byte[], byte[]> fire(String id, String json) {
    return fire(id, schedule(json));
  }

  private static TestRecord<byte[], byte[]> fire(String id, Schedule schedule) {
    Fire fire =
        Fire.newBuilder()
            .setFireId("id of " + id)
            .setScheduleId(id)
            .setOccurrence(NOW)
            .setDue(NOW)
            .setFiredAt(NOW)
            .setCause(Cause.SCHEDULED)
            .setRevision("waterclock.schedules-0@1")
            .setSchedule(schedule)
            .build();
    RecordHeaders headers = new RecordHeaders();
    headers.add("ce_specversion", bytes("1.0"));
    headers.add("ce_id", bytes("id of " + id));
    headers.add("ce_subject", bytes(id));
    headers.add("content-type", bytes("application/avro"));
    headers.add(HeaderNames.TARGET, bytes(schedule.getTarget().getTopic()));
    return new TestRecord<>(
        bytes(id + "|2026-03-01T00:00:00.000Z"),
        RecordCodecs.fire().encode(fire, WireFormat.AVRO),
        headers,
        NOW.plus(Duration.ofSeconds(1)));
  }

  private static Schedule schedule(String json) {
    return RecordCodecs.schedule().decode(bytes(json));
  }

  private static RecordHeaders marked(String fireKey) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.FIRE_KEY, bytes(fireKey));
    return headers;
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
    Map<String, String> headers = new TreeMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), text(header.value()));
    }
    return headers;
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app-router");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
    return properties;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static final class Counted implements CountReports<RouteCounts> {
    private RouteCounts counts = new RouteCounts();

    @Override
    public void assigned(TaskId task, RouteCounts counts) {
      this.counts = counts;
    }

    @Override
    public void revoked(TaskId task) {}
  }
}

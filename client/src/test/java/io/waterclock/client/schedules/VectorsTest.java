package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.client.dedup.InMemoryDeduplicator;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.text.Durations;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The clients of all languages pass the same vectors: this one, and those of Python and Node. */
@Timeout(120)
final class VectorsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<JsonNode> schedules() {
    return read("schedules");
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void a_definition_of_other_languages_is_what_the_builder_makes(JsonNode vector) throws Exception {
    Schedule built = built(vector.get("fields"));
    byte[] json = JSON.writeValueAsBytes(vector.get("json"));
    assertThat(RecordCodecs.schedule().decode(json, SchemaSource.none())).isEqualTo(built);
    byte[] written = RecordCodecs.schedule().encode(built, WireFormat.JSON);
    assertThat(JSON.readTree(written)).isEqualTo(vector.get("json"));
    byte[] avro = RecordCodecs.schedule().encode(built, WireFormat.AVRO);
    assertThat(RecordCodecs.schedule().decode(avro, SchemaSource.none())).isEqualTo(built);
  }

  @Test
  void durations_are_iso_8601() {
    assertThat(read("durations"))
        .allSatisfy(
            vector -> {
              Duration duration = Duration.ofMillis(vector.get("ms").longValue());
              assertThat(duration).hasToString(vector.get("text").textValue());
              assertThat(Durations.parse(vector.get("text").textValue())).isEqualTo(duration);
            });
  }

  @Test
  void a_key_has_the_partition_that_kafkas_client_chooses() {
    assertThat(read("partitions"))
        .allSatisfy(
            vector ->
                vector
                    .get("partitions")
                    .properties()
                    .forEach(
                        expected ->
                            assertThat(
                                    BuiltInPartitioner.partitionForKey(
                                        vector
                                            .get("key")
                                            .textValue()
                                            .getBytes(StandardCharsets.UTF_8),
                                        Integer.parseInt(expected.getKey())))
                                .isEqualTo(expected.getValue().intValue())));
  }

  @Test
  void ids_and_fires() {
    JsonNode ids = read("ids").findFirst().orElseThrow();
    ids.get("valid").forEach(id -> assertThat(ScheduleId.parse(id.textValue())).isNotNull());
    int longest = ids.get("longest").intValue();
    assertThat(ScheduleId.parse("x".repeat(longest)).value()).hasSize(longest);
    List<String> invalid = new ArrayList<>(List.of("x".repeat(longest + 1)));
    ids.get("invalid").forEach(id -> invalid.add(id.textValue()));
    assertThat(invalid)
        .allSatisfy(
            id ->
                assertThatThrownBy(() -> ScheduleId.parse(id))
                    .isInstanceOf(InvalidIdException.class));
    assertThat(ids.get("fires"))
        .allSatisfy(
            vector -> {
              FireKey key = FireKey.parse(vector.get("key").textValue());
              String source = new Topics(vector.get("prefix").textValue()).ceSource();
              assertThat(FireIds.of(source).of(key)).hasToString(vector.get("id").textValue());
              assertThat(key.schedule().value()).isEqualTo(vector.get("schedule").textValue());
              assertThat(key.occurrence())
                  .isEqualTo(Instant.parse(vector.get("occurrence").textValue()));
              assertThat(key.commandId())
                  .isEqualTo(Optional.ofNullable(vector.get("command").textValue()));
            });
  }

  @Test
  void an_id_is_claimed_once_while_it_is_remembered() {
    JsonNode claims = read("ids").findFirst().orElseThrow().get("claims");
    InMemoryDeduplicator seen = new InMemoryDeduplicator(claims.get("capacity").intValue());
    for (int i = 0; i < claims.get("ids").size(); i++) {
      assertThat(seen.claim(claims.get("ids").get(i).textValue()))
          .isEqualTo(claims.get("new").get(i).booleanValue());
    }
  }

  static Stream<JsonNode> later() {
    return read("later");
  }

  @ParameterizedTest
  @MethodSource("later")
  void the_headers_of_a_record_to_be_delivered_later(JsonNode vector) {
    JsonNode call = vector.get("call");
    ProducerRecord<String, String> sent = call.has("cancel") ? cancel(call) : record(call);
    List<List<String>> headers = new ArrayList<>();
    sent.headers()
        .forEach(
            header ->
                headers.add(
                    List.of(header.key(), new String(header.value(), StandardCharsets.UTF_8))));
    assertThat(JSON.<JsonNode>valueToTree(headers)).isEqualTo(vector.get("headers"));
  }

  private static ProducerRecord<String, String> cancel(JsonNode call) {
    MockProducer<String, String> producer =
        new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
    Later.cancel(producer, call.get("cancel").textValue());
    return producer.history().get(0);
  }

  private static ProducerRecord<String, String> record(JsonNode call) {
    Integer partition = call.has("partition") ? call.get("partition").intValue() : null;
    ProducerRecord<String, String> record =
        new ProducerRecord<>(call.get("target").textValue(), partition, "k", "v");
    call.path("headers")
        .forEach(
            header ->
                record
                    .headers()
                    .add(
                        header.get(0).textValue(),
                        header.get(1).textValue().getBytes(StandardCharsets.UTF_8)));
    Later when = call.has("at") ? Later.at(instant(call.get("at"))) : Later.in(ms(call.get("in")));
    return (call.has("id") ? when.id(call.get("id").textValue()) : when).record(record);
  }

  @Test
  void an_answer_is_read_or_refuses() {
    assertThat(read("answers"))
        .allSatisfy(
            vector -> {
              byte[] value = JSON.writeValueAsBytes(vector.get("value"));
              Answer answer =
                  Answer.of(
                      RecordCodecs.answer().decode(value, SchemaSource.none()), Optional.empty());
              if (vector.has("refused")) {
                assertThatThrownBy(answer::orThrow).hasMessage(vector.get("refused").textValue());
              } else {
                assertThat(answer.orThrow().next())
                    .isEqualTo(
                        Optional.ofNullable(vector.path("next").textValue()).map(Instant::parse));
              }
            });
  }

  @Test
  void python_passes_the_vectors() throws Exception {
    passes("python", "python3", "-B", "-m", "unittest", "discover", "-s", "tests");
  }

  @Test
  void node_passes_the_vectors() throws Exception {
    passes("node", "node", "--test");
  }

  private static void passes(String client, String... command) throws Exception {
    boolean isHere =
        Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, command[0])));
    assumeTrue(isHere, () -> command[0] + " is not installed: client/" + client + " is not tested");
    Path output = Files.createTempFile("vectors", ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(new File(client))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    Files.delete(output);
  }

  /** What {@link ScheduleBuilder} makes of the fields that the vectors use. */
  private static Schedule built(JsonNode fields) {
    ScheduleBuilder builder = trigger(fields);
    fields
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              switch (field.getKey()) {
                case "cron", "every", "rrule", "at", "in", "anchor" -> {}
                case "timezone" -> builder.timezone(value.textValue());
                case "catch_up" -> builder.catchUp(CatchUp.valueOf(value.textValue()));
                case "grace" -> builder.grace(ms(value));
                case "timeout" -> builder.noTimeout();
                case "max_attempts" -> builder.maxAttempts(value.intValue());
                case "backoff" -> builder.backoff(ms(value));
                case "rearm" -> builder.rearm();
                case "on_excluded" -> builder.onExcluded(OnExcluded.NEXT_WORKING_DAY);
                case "except" -> value.forEach(name -> builder.except(name.textValue()));
                case "only" -> value.forEach(name -> builder.only(name.textValue()));
                case "business_day" -> builder.businessDay(value.intValue());
                case "skip" -> value.forEach(at -> builder.skip(instant(at)));
                case "labels" ->
                    value
                        .properties()
                        .forEach(
                            label -> builder.label(label.getKey(), label.getValue().textValue()));
                case "target" ->
                    builder.target(value.get("topic").textValue(), TargetValue.PAYLOAD);
                case "payload" -> payload(builder, value);
                default -> throw new AssertionError("no builder for " + field.getKey());
              }
            });
    Schedule schedule = builder.build();
    if (fields.path("payload").has("hex")) {
      schedule.setContentType(null);
    }
    return schedule;
  }

  private static void payload(ScheduleBuilder builder, JsonNode value) {
    if (value.has("hex")) {
      builder.payload(HexFormat.of().parseHex(value.get("hex").textValue()), "");
    } else {
      builder.payloadJson(value.toString());
    }
  }

  private static ScheduleBuilder trigger(JsonNode fields) {
    if (fields.has("cron")) {
      return ScheduleBuilder.cron(fields.get("cron").textValue());
    }
    if (fields.has("at")) {
      return ScheduleBuilder.once(instant(fields.get("at")));
    }
    if (fields.has("in")) {
      return ScheduleBuilder.after(ms(fields.get("in")));
    }
    JsonNode every = fields.path("every");
    ScheduleBuilder.Anchored anchored =
        fields.has("rrule")
            ? ScheduleBuilder.rrule(fields.get("rrule").textValue())
            : every.isTextual()
                ? ScheduleBuilder.every(every.textValue())
                : ScheduleBuilder.every(ms(every));
    JsonNode anchor = fields.path("anchor");
    return anchor.has("local")
        ? anchored.anchor(LocalDateTime.parse(anchor.get("local").textValue()))
        : anchor.has("instant") ? anchored.anchor(instant(anchor)) : anchored;
  }

  private static Duration ms(JsonNode value) {
    return Duration.ofMillis(value.get("ms").longValue());
  }

  private static Instant instant(JsonNode value) {
    return Instant.parse(value.get("instant").textValue());
  }

  /** The vectors of a file, one if it holds an object. */
  private static Stream<JsonNode> read(String name) {
    try {
      JsonNode tree = JSON.readTree(Path.of("vectors", name + ".json").toFile());
      List<JsonNode> vectors = new ArrayList<>();
      (tree.isArray() ? tree : List.of(tree)).forEach(vectors::add);
      return vectors.stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

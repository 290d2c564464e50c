package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.UndecodableException.Reason;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RecordBodies;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {
  private static final int RECORDS = 150;

  static Stream<RecordCodec<?>> codecs() {
    return RecordCodecs.all().stream();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void avro_and_json_read_back_what_was_written(
      RecordCodec<T> codec) {
    for (long seed = 0; seed < RECORDS; seed++) {
      T record = new RandomRecords(seed).next(codec);
      for (WireFormat format : List.of(WireFormat.AVRO, WireFormat.JSON)) {
        byte[] bytes = codec.encode(record, format);
        T read = codec.decode(bytes);
        // by their bodies: Avro's own lists cannot compare records with optional instants
        assertThat(codec.encodeBody(read))
            .as("seed %d, %s: %s", seed, format, new String(bytes, StandardCharsets.UTF_8))
            .isEqualTo(codec.encodeBody(record));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void a_body_reads_back_from_the_middle_of_an_array(
      RecordCodec<T> codec) {
    T record = new RandomRecords(7).next(codec);
    byte[] body = codec.encodeBody(record);
    byte[] around = new byte[body.length + 5];
    System.arraycopy(body, 0, around, 3, body.length);

    assertThat(codec.decodeBody(around, 3, body.length)).isEqualTo(record);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void single_object_avro_is_what_avro_itself_writes_and_reads(
      RecordCodec<T> codec) throws Exception {
    T record = new RandomRecords(11).next(codec);
    var data = SpecificData.getForSchema(codec.schema());
    var decoder = new BinaryMessageDecoder<T>(data, codec.schema());

    T decoded = decoder.decode(codec.encode(record, WireFormat.AVRO));

    // Avro's own lists cannot compare records that hold instants
    assertThat(codec.encodeBody(decoded)).isEqualTo(codec.encodeBody(record));
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void a_fire_with_an_encoded_definition_gives_the_same_bytes(Encoding encoding) {
    for (long seed = 0; seed < RECORDS; seed++) {
      Fire fire = new RandomRecords(seed).next(RecordCodecs.fire());
      byte[] whole = RecordCodecs.fire().encode(fire, encoding);
      ScheduleSnapshot definition = ScheduleSnapshot.of(fire.getSchedule());
      fire.setSchedule(null);

      assertThat(definition.encode(fire, encoding)).as("seed %d", seed).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void a_revision_with_an_encoded_definition_gives_the_same_bytes(Encoding encoding) {
    for (long seed = 0; seed < RECORDS; seed++) {
      Revision revision = new RandomRecords(seed).next(RecordCodecs.revision());
      byte[] whole = RecordCodecs.revision().encode(revision, encoding);
      ScheduleSnapshot definition = ScheduleSnapshot.of(revision.getSchedule());
      revision.setSchedule(null);

      assertThat(definition.encode(revision, encoding)).as("seed %d", seed).isEqualTo(whole);
    }
  }

  static Stream<Encoding> encodings() {
    return Stream.of(Encoding.AVRO, Encoding.registered(schema -> 7), Encoding.JSON);
  }

  @Test
  void a_snapshot_reads_every_field_of_its_body() {
    for (long seed = 0; seed < RECORDS; seed++) {
      Schedule schedule = RandomRecords.schedule(seed);
      byte[] body = RecordCodecs.schedule().encodeBody(schedule);

      ScheduleSnapshot snapshot = ScheduleSnapshot.ofBody(body, 0, body.length);

      assertThat(snapshot.schedule()).as("seed %d", seed).isEqualTo(schedule);
      assertThat(RecordCodecs.schedule().encodeBody(snapshot.schedule()))
          .as("seed %d", seed)
          .isEqualTo(body);
      assertThat(snapshot).as("seed %d", seed).isEqualTo(ScheduleSnapshot.of(schedule));
    }
  }

  @Test
  void a_snapshot_refuses_a_body_that_is_cut_or_longer_at_any_byte() {
    byte[] body = RecordCodecs.schedule().encodeBody(RandomRecords.schedule(5));
    for (int length = 0; length < body.length; length++) {
      int cut = length;
      assertThatExceptionOfType(UndecodableException.class)
          .as("%d bytes", cut)
          .isThrownBy(() -> ScheduleSnapshot.ofBody(body, 0, cut));
    }
    byte[] longer = java.util.Arrays.copyOf(body, body.length + 1);
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> ScheduleSnapshot.ofBody(longer, 0, longer.length));
  }

  @Test
  void the_schedule_is_the_last_field_of_a_fire() {
    List<Schema.Field> fields = Fire.getClassSchema().getFields();
    assertThat(fields).hasSize(13);
    assertThat(fields.get(12).name()).isEqualTo("schedule");
  }

  @Test
  void equal_maps_give_equal_bytes_whatever_their_order() {
    Schedule one = RandomRecords.schedule(1);
    Schedule two = Schedule.newBuilder(one).build();
    Map<String, String> labels = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      labels.put("label-" + i, "v");
    }
    one.setLabels(labels);
    Map<String, String> reversed = new TreeMap<>(Comparator.reverseOrder());
    reversed.putAll(labels);
    two.setLabels(reversed);

    assertThat(RecordCodecs.schedule().encodeBody(two))
        .isEqualTo(RecordCodecs.schedule().encodeBody(one));
  }

  @Test
  void an_older_published_schema_is_read_with_the_defaults_of_what_it_lacks() throws Exception {
    Schema older =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Collapsed", "namespace": "io.waterclock.schemas.avro",
                 "fields": [{"name": "first", "type": "long"}, {"name": "count", "type": "int"}]}
                """);
    GenericData.Record written = new GenericData.Record(older);
    written.put("first", 5_000L);
    written.put("count", 3);
    byte[] bytes =
        new BinaryMessageEncoder<GenericData.Record>(GenericData.get(), older)
            .encode(written)
            .array();

    assertThat(collapsed(List.of(older)).decode(bytes))
        .isEqualTo(new Collapsed(3L, false, Instant.ofEpochMilli(5_000)));
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> collapsed(List.of()).decode(bytes))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NEWER_VERSION));
  }

  private static RecordCodec<Collapsed> collapsed(List<Schema> published) {
    return new RecordCodec<>(
        Collapsed.class, published, RecordBodies::readCollapsed, RecordBodies::write);
  }

  @Test
  void threads_share_a_codec() {
    RecordCodec<Fire> codec = RecordCodecs.fire();
    LongStream.range(0, 2_000)
        .parallel()
        .forEach(
            seed -> {
              Fire fire = new RandomRecords(seed % 20).next(codec);
              assertThat(codec.decode(codec.encode(fire, WireFormat.AVRO))).isEqualTo(fire);
            });
  }

  @Test
  void a_serde_keeps_tombstones_and_reads_both_formats() {
    Schedule schedule = RandomRecords.schedule(3);
    Serde<Schedule> avro = RecordCodecs.schedule().serde(WireFormat.AVRO);
    Serde<Schedule> json = RecordCodecs.schedule().serde(WireFormat.JSON);

    assertThat(avro.serializer().serialize("t", null)).isNull();
    assertThat(avro.deserializer().deserialize("t", (byte[]) null)).isNull();
    assertThat(avro.deserializer().deserialize("t", json.serializer().serialize("t", schedule)))
        .isEqualTo(schedule);
  }

  @Test
  void what_cannot_be_read_says_why() {
    assertUndecodable(new byte[0], Reason.EMPTY, "it is empty");
    assertUndecodable(
        bytes(" null\n"),
        Reason.EMPTY,
        "it is the text null; a record that deletes has a null value");
    assertUndecodable(bytes("nullify"), Reason.UNKNOWN_FORMAT, "the first bytes are neither");
    assertUndecodable(
        bytes("abc"), Reason.UNKNOWN_FORMAT, "neither single-object Avro", "61 62 63");
    assertUndecodable(
        HexFormat.of().parseHex("000000002a06"),
        Reason.NO_REGISTRY,
        "Confluent wire format (schema id 42), and no registry is configured",
        "schema.registry.url");
    assertUndecodable(new byte[] {0, 1}, Reason.MALFORMED, "too short for a schema id");
    assertUndecodable(
        HexFormat.of().parseHex("c3010102030405060708ff"),
        Reason.NEWER_VERSION,
        "fingerprint 0807060504030201",
        "no version of Fire");
    assertUndecodable(HexFormat.of().parseHex("c30101"), Reason.MALFORMED, "header is cut short");
    assertUndecodable(bytes("{\"fire_id\":3}"), Reason.MALFORMED, "fire_id: is the number 3");
  }

  @Test
  void json_of_a_newer_version_has_no_fault_but_names_that_this_one_does_not_know() {
    ObjectNode fire =
        (ObjectNode) RecordCodecs.fire().toJson(new RandomRecords(1).next(RecordCodecs.fire()));
    fire.put("cause", "ECLIPSE").put("colour", "blue").withObject("/schedule").put("mood", 1);
    assertUndecodable(bytes(fire.toString()), Reason.NEWER_VERSION, "colour", "mood", "ECLIPSE");
    ObjectNode schedule = fire.withObject("/schedule");
    schedule.remove(List.of("cron", "every", "rrule", "at", "in", "anchor"));
    assertUndecodable(bytes(fire.toString()), Reason.NEWER_VERSION, "there is no trigger");
    fire.put("due", "yesterday");
    assertUndecodable(bytes(fire.toString()), Reason.MALFORMED, "due", "colour");
  }

  @Test
  void bytes_after_the_body_are_refused() {
    byte[] bytes =
        RecordCodecs.fire().encode(new RandomRecords(1).next(RecordCodecs.fire()), WireFormat.AVRO);

    assertUndecodable(Arrays.copyOf(bytes, bytes.length + 2), Reason.MALFORMED, "2 bytes follow");
  }

  private static void assertUndecodable(byte[] bytes, Reason reason, String... parts) {
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> RecordCodecs.fire().decode(bytes))
        .withMessageContainingAll(parts)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

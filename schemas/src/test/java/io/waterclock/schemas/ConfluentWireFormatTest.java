package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.UndecodableException.Reason;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConfluentWireFormatTest {
  private static final int ID = 0x01020304;
  private static final Encoding ENCODING = Encoding.registered(schema -> ID);

  static Stream<RecordCodec<?>> codecs() {
    return RecordCodecs.all().stream();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void a_record_is_a_zero_the_id_and_the_body(RecordCodec<T> codec) {
    for (long seed = 0; seed < 20; seed++) {
      T record = new RandomRecords(seed).next(codec);
      byte[] bytes = codec.encode(record, ENCODING);

      assertThat(bytes).startsWith(0, 1, 2, 3, 4);
      assertThat(Arrays.copyOfRange(bytes, 5, bytes.length)).isEqualTo(codec.encodeBody(record));
      assertThat(codec.encodeBody(codec.decode(bytes, known(codec.schema()))))
          .isEqualTo(codec.encodeBody(record));
      assertThat(ConfluentHeader.schemaId(bytes)).hasValue(ID);
    }
  }

  @Test
  void the_format_cannot_be_written_without_ids() {
    assertThatThrownBy(() -> Encoding.of(WireFormat.AVRO_REGISTRY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_writers_schema_is_resolved_to_ours() throws IOException {
    Schema once =
        SchemaBuilder.record("OnceTrigger")
            .namespace("io.waterclock.schemas.avro")
            .fields()
            .name("at")
            .type(RecordCodecs.schedule().schema().getField("start_at").schema())
            .withDefault(null)
            .endRecord();
    Schema writer =
        SchemaBuilder.record("Schedule")
            .namespace("io.waterclock.schemas.avro")
            .fields()
            .optionalString("a_note_of_theirs")
            .name("max_replay")
            .type()
            .intType()
            .noDefault()
            .name("trigger")
            .type(once)
            .noDefault()
            .endRecord();
    GenericRecord trigger = new GenericData.Record(once);
    trigger.put("at", 1_000L);
    GenericRecord record = new GenericData.Record(writer);
    record.put("a_note_of_theirs", "not for us");
    record.put("max_replay", 7);
    record.put("trigger", trigger);

    Schedule read = RecordCodecs.schedule().decode(encoded(record), known(writer));

    assertThat(read.getTrigger())
        .isInstanceOfSatisfying(
            OnceTrigger.class, at -> assertThat(at.getAt()).isEqualTo(Instant.ofEpochMilli(1_000)));
    assertThat(read.getMaxReplay()).isEqualTo(7);
    assertThat(read.getEnabled()).as("its default").isTrue();
  }

  @Test
  void a_writers_schema_that_cannot_be_resolved_is_told() throws IOException {
    Schema writer =
        SchemaBuilder.record("Schedule")
            .namespace("io.waterclock.schemas.avro")
            .fields()
            .requiredString("max_replay")
            .endRecord();
    GenericRecord record = new GenericData.Record(writer);
    record.put("max_replay", "many");

    assertRefused(
        encoded(record),
        known(writer),
        Reason.INCOMPATIBLE_SCHEMA,
        "schema 16909060 of the registry",
        "trigger: trigger (READER_FIELD_MISSING_DEFAULT_VALUE)",
        "max_replay: reader type: LONG not compatible with writer type: STRING");
  }

  @Test
  void a_schema_that_the_registry_does_not_know_is_told() {
    assertRefused(
        new byte[] {0, 0, 0, 0, 9, 1},
        id -> new Lookup.Refused(Reason.UNKNOWN_SCHEMA, "of no known schema " + id),
        Reason.UNKNOWN_SCHEMA,
        "Schedule cannot be read: it is of no known schema 9");
  }

  @Test
  void a_broken_body_is_told() {
    byte[] good = RecordCodecs.schedule().encode(RandomRecords.schedule(1), ENCODING);
    SchemaSource source = known(RecordCodecs.schedule().schema());

    assertRefused(
        Arrays.copyOf(good, good.length - 1), source, Reason.MALFORMED, "Avro body is broken");
    assertRefused(Arrays.copyOf(good, good.length + 1), source, Reason.MALFORMED, "1 bytes follow");
  }

  @Test
  void a_schema_without_end_costs_no_thread_its_stack() throws IOException {
    Schema list = Schema.createRecord("List", null, "a", false);
    list.setFields(
        List.of(
            new Schema.Field(
                "tail", Schema.createUnion(Schema.create(Schema.Type.NULL), list), null, null)));
    Schema writer = Schema.createRecord("Schedule", null, "io.waterclock.schemas.avro", false);
    writer.setFields(
        List.of(
            new Schema.Field("endless", list, null, null),
            new Schema.Field(
                "trigger",
                SchemaBuilder.record("io.waterclock.schemas.avro.CronTrigger")
                    .fields()
                    .requiredString("expression")
                    .endRecord(),
                null,
                null)));
    byte[] bytes = new byte[1 << 20];
    Arrays.fill(bytes, 5, bytes.length, (byte) 2);

    assertRefused(bytes, known(writer), Reason.MALFORMED, "nested too deeply");
  }

  @Test
  void an_outage_of_the_registry_is_no_fault_of_the_record() {
    byte[] bytes = RecordCodecs.schedule().encode(RandomRecords.schedule(1), ENCODING);

    assertThatExceptionOfType(SchemaUnavailableException.class)
        .isThrownBy(
            () -> RecordCodecs.schedule().decode(bytes, id -> new Lookup.Unavailable("on fire")))
        .withMessageContaining("schema 16909060 cannot be had now: on fire");
  }

  private static SchemaSource known(Schema writer) {
    return id -> {
      assertThat(id).isIn(ID, 0);
      return new Lookup.Known(writer);
    };
  }

  private static byte[] encoded(GenericRecord record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(ConfluentHeader.of(ID));
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static void assertRefused(
      byte[] bytes, SchemaSource schemas, Reason reason, String... parts) {
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> RecordCodecs.schedule().decode(bytes, schemas))
        .withMessageContainingAll(parts)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }
}

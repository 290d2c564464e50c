package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithLength;
import io.waterclock.fuzz.Claims;
import io.waterclock.fuzz.HostileSchema;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Schedule;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The Confluent wire format: the fuzzer writes the writer's schema too. Reading costs no more than
 * the bytes of schema and record allow, and ends with a record or an {@link UndecodableException}.
 */
final class WriterSchemasFuzzTest {
  private static final List<RecordCodec<? extends SpecificRecordBase>> CODECS =
      List.of(
          RecordCodecs.schedule(),
          RecordCodecs.command(),
          RecordCodecs.calendar(),
          RecordCodecs.outcome(),
          RecordCodecs.fire());

  /** The text of a schema, as a registry sends it. */
  @FuzzTest
  @DictionaryEntries({
    "{\\x22type\\x22:\\x22record\\x22,\\x22name\\x22:\\x22io.waterclock.schemas.avro.Outcome\\x22,\\x22fields\\x22:[",
    "{\\x22name\\x22:\\x22fire_key\\x22,\\x22type\\x22:\\x22string\\x22}",
    ",\\x22default\\x22:",
    "[\\x22null\\x22,",
    "\\x22aliases\\x22:[",
    "\\x22logicalType\\x22:\\x22decimal\\x22",
    "{\\x22type\\x22:\\x22fixed\\x22,\\x22name\\x22:\\x22f\\x22,\\x22size\\x22:2147483647}",
    "{\\x22type\\x22:\\x22array\\x22,\\x22items\\x22:",
    "{\\x22type\\x22:\\x22map\\x22,\\x22values\\x22:",
    "{\\x22type\\x22:\\x22enum\\x22,",
    "\\x22symbols\\x22:[\\x22A\\x22,\\x22B\\x22]",
    "\\x22order\\x22:\\x22ignore\\x22",
    "\\x22timestamp-millis\\x22",
    "\\x22long\\x22"
  })
  void text(byte @NotNull @WithLength(max = 64) [] body, @NotNull String schema) throws Exception {
    Schema writer;
    try {
      Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
      parser.setValidateDefaults(false);
      writer = parser.parse(schema);
    } catch (RuntimeException | StackOverflowError refused) {
      return; // RegistryClient refuses what Avro refuses
    }
    check(writer, body, schema.length());
  }

  /** A schema that resolves: ours with changes that the bytes choose. */
  @FuzzTest
  void grown(byte @NotNull @WithLength(max = 256) [] changes, byte @NotNull [] body)
      throws Exception {
    for (Schema ours :
        List.of(Outcome.SCHEMA$, Schedule.SCHEMA$, Command.SCHEMA$, Calendar.SCHEMA$)) {
      check(new HostileSchema(changes).of(ours), body, changes.length + 10_000);
    }
  }

  private static void check(Schema writer, byte[] body, int schemaLength) throws Exception {
    byte[] value = Arrays.copyOf(ConfluentHeader.of(1), ConfluentHeader.LENGTH + body.length);
    System.arraycopy(body, 0, value, ConfluentHeader.LENGTH, body.length);
    SchemaSource source = id -> new SchemaSource.Lookup.Known(writer);
    for (RecordCodec<? extends SpecificRecordBase> codec : CODECS) {
      check(codec, value, source, schemaLength);
    }
  }

  private static <T extends SpecificRecordBase> void check(
      RecordCodec<T> codec, byte[] value, SchemaSource source, int schemaLength) throws Exception {
    T record;
    try {
      record = Claims.bounded(value.length + schemaLength, () -> codec.decode(value, source));
    } catch (UndecodableException e) {
      Claims.rejectedInOneLine(e);
      return;
    }
    byte[] avro = codec.encode(record, WireFormat.AVRO);
    assertThat(codec.encode(codec.decode(avro), WireFormat.AVRO)).isEqualTo(avro);
  }
}

package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.UndecodableException.Reason;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.text.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may register a schema, or write a record, costs a reader no more than the record's size. */
@Timeout(120)
class HostileSchemaTest {
  private static final int ID = 7;
  private static final Schema NULL = Schema.create(Schema.Type.NULL);

  @ParameterizedTest
  @ValueSource(ints = {101, 1_000, 3_000})
  void a_chain_of_records_is_refused(int length) {
    Schema link = record("Link0");
    for (int i = 1; i < length; i++) {
      link = record("Link" + i, link);
    }

    assertRefused(link, body(), Reason.INCOMPATIBLE_SCHEMA, "nested more than 100 deep");
  }

  @Test
  void a_chain_is_refused_in_whatever_order_it_is_met() {
    List<Schema> links = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      links.add(i == 0 ? record("Link0") : record("Link" + i, links.get(i - 1)));
    }

    assertRefused(
        record("All", links.toArray(Schema[]::new)),
        body(),
        Reason.INCOMPATIBLE_SCHEMA,
        "nested more than 100 deep");
  }

  @Test
  void deep_lists_are_refused() {
    Schema list = NULL;
    for (int i = 0; i < 200; i++) {
      list = Schema.createArray(list);
    }

    assertRefused(list, body(), Reason.INCOMPATIBLE_SCHEMA, "nested more than 100 deep");
  }

  @Test
  void a_schema_that_unfolds_to_billions_of_parts_is_refused() {
    Schema twice = record("Twice0");
    for (int i = 1; i < 40; i++) {
      twice = record("Twice" + i, twice, twice);
    }

    assertRefused(twice, body(), Reason.INCOMPATIBLE_SCHEMA, "unfolds to more than 10000 parts");
  }

  @Test
  void a_record_within_itself_is_refused() {
    Schema endless = Schema.createRecord("Endless", null, "a", false);
    endless.setFields(List.of(new Schema.Field("again", endless, null, null)));

    assertRefused(endless, body(), Reason.INCOMPATIBLE_SCHEMA, "a.Endless contains itself");
  }

  @Test
  void items_that_cost_more_than_their_bytes_are_refused() {
    Schema[] fields = IntStream.range(0, 5_000).mapToObj(i -> NULL).toArray(Schema[]::new);

    assertRefused(
        Schema.createArray(record("Wide", fields)),
        body(),
        Reason.INCOMPATIBLE_SCHEMA,
        "an item of type a.Wide has 5001 parts, but may take no more than 0 bytes");
  }

  @Test
  void a_huge_schema_is_refused() {
    Schema[] fields =
        IntStream.range(0, 10_001)
            .mapToObj(i -> Schema.create(Schema.Type.INT))
            .toArray(Schema[]::new);

    assertRefused(
        record("Huge", fields), body(), Reason.INCOMPATIBLE_SCHEMA, "more than 10000 parts");
  }

  @Test
  void items_without_bytes_are_counted() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    while (bytes.size() < 200_000) {
      encoder.writeLong(195_000 - bytes.size());
    }

    assertRefused(
        Schema.createArray(NULL),
        bytes.toByteArray(),
        Reason.MALFORMED,
        "its lists claim more items than it has bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Odd\\u001b[2J", "\uD883\uDC2F", "x\uD883\uDC2F"})
  void a_rejection_escapes_the_names_of_others(String part) {
    String name = part.repeat(600);
    Schema writer =
        new Schema.Parser(NameValidator.NO_VALIDATION)
            .parse(
                "{\"type\":\"record\",\"name\":\"io.waterclock.schemas.avro.Outcome\",\"fields\":["
                    + "{\"name\":\"state\",\"type\":{\"type\":\"enum\",\"name\":\""
                    + name
                    + "\","
                    + "\"symbols\":[\"FAILED\"]}}]}");

    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(
            () -> RecordCodecs.outcome().decode(registered(body()), id -> new Lookup.Known(writer)))
        .withMessageContaining("state: ")
        .satisfies(e -> assertThat(e.getMessage()).isEqualTo(SafeText.line(e.getMessage())));
  }

  @Test
  void what_the_schema_of_others_holds_besides_is_no_fault() throws IOException {
    Schema tree = Schema.createRecord("Tree", null, "a", false);
    tree.setFields(
        List.of(
            new Schema.Field("name", Schema.create(Schema.Type.STRING), null, null),
            new Schema.Field("kind", record("Marker"), null, null),
            new Schema.Field("children", Schema.createArray(tree), null, null),
            new Schema.Field("parent", Schema.createUnion(NULL, tree), null, null)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    encoder.writeString("root");
    encoder.writeLong(1);
    encoder.writeString("leaf");
    encoder.writeLong(0);
    encoder.writeIndex(0);
    encoder.writeLong(0);
    encoder.writeIndex(0);
    encoder.writeString("0 9 * * *");

    assertThat(
            RecordCodecs.schedule()
                .decode(registered(bytes.toByteArray()), source(tree))
                .getTrigger())
        .isEqualTo(new CronTrigger("0 9 * * *"));
  }

  private static void assertRefused(Schema unknown, byte[] body, Reason reason, String part) {
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> RecordCodecs.schedule().decode(registered(body), source(unknown)))
        .withMessageContaining(part)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2_000));
  }

  /** A schedule of others, with a field that we do not know before all that we do. */
  private static SchemaSource source(Schema unknown) {
    Schema writer = Schema.createRecord("Schedule", null, "io.waterclock.schemas.avro", false);
    writer.setFields(
        List.of(
            new Schema.Field("unknown", unknown, null, null),
            new Schema.Field(
                "trigger",
                SchemaBuilder.record("io.waterclock.schemas.avro.CronTrigger")
                    .fields()
                    .requiredString("expression")
                    .endRecord(),
                null,
                null)));
    return id -> new Lookup.Known(writer);
  }

  private static Schema record(String name, Schema... fields) {
    Schema record = Schema.createRecord(name, null, "a", false);
    record.setFields(
        IntStream.range(0, fields.length)
            .mapToObj(i -> new Schema.Field("f" + i, fields[i], null, null))
            .toList());
    return record;
  }

  private static byte[] body() {
    byte[] body = new byte[100];
    Arrays.fill(body, (byte) 2);
    return body;
  }

  private static byte[] registered(byte[] body) {
    byte[] header = ConfluentHeader.of(ID);
    byte[] bytes = Arrays.copyOf(header, header.length + body.length);
    System.arraycopy(body, 0, bytes, header.length, body.length);
    return bytes;
  }
}

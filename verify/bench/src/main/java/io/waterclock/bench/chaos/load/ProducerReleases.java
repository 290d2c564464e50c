package io.waterclock.bench.chaos.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Writes records in Confluent's wire format as producers of ever newer releases do: the schema of
 * each release has one more field, which the scheduler does not know. A release writes a few
 * records, so that some schemas are known when they are needed and some are not. Thread-safe.
 */
final class ProducerReleases {
  private static final int RECORDS_OF_A_RELEASE = 4;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What has been written to a topic so far. */
  private static final class Written {
    private int records;
    private int schemaId;
  }

  private final Map<String, RecordCodec<?>> codecs;
  private final ToIntFunction<String> registry;
  private final Map<String, Written> written = new HashMap<>();

  /**
   * @param registry takes a schema and gives its id
   */
  ProducerReleases(Topics topics, ToIntFunction<String> registry) {
    this.codecs =
        Map.of(
            topics.schedules(), RecordCodecs.schedule(),
            topics.commands(), RecordCodecs.command(),
            topics.outcomes(), RecordCodecs.outcome());
    this.registry = registry;
  }

  boolean writeTo(String topic) {
    return codecs.containsKey(topic);
  }

  /** The same record as the JSON text. */
  synchronized byte[] encode(String topic, String json) {
    RecordCodec<?> codec = codecs.get(topic);
    if (codec == null) {
      throw new IllegalArgumentException("nothing is written to " + topic);
    }
    Written before = written.computeIfAbsent(topic, unknown -> new Written());
    String field = "release_" + before.records++ / RECORDS_OF_A_RELEASE;
    if (before.records % RECORDS_OF_A_RELEASE == 1) {
      before.schemaId = registry.applyAsInt(with(field, codec));
    }
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    return bytes(before.schemaId, body(codec, text), field);
  }

  private static <T extends SpecificRecordBase> byte[] body(RecordCodec<T> codec, byte[] json) {
    return codec.encodeBody(codec.decode(json));
  }

  /** The schema with a last field of that name, a text. */
  private static String with(String field, RecordCodec<?> codec) {
    try {
      JsonNode schema = JSON.readTree(codec.schema().toString());
      ((ArrayNode) schema.get("fields")).addObject().put("name", field).put("type", "string");
      return schema.toString();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(int schemaId, byte[] body, String last) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ByteBuffer.allocate(1 + Integer.BYTES).putInt(1, schemaId).array());
    bytes.writeBytes(body);
    try {
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
      encoder.writeString(last);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

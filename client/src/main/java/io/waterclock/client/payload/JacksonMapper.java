package io.waterclock.client.payload;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.lang.reflect.Type;

/** Payloads in JSON, with Jackson 2. Thread-safe. */
public final class JacksonMapper implements PayloadMapper {
  private static final JacksonMapper STANDARD =
      new JacksonMapper(
          JsonMapper.builder()
              .addModule(new JavaTimeModule())
              .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
              .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
              .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
              .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
              .build());

  private final ObjectMapper json;

  /**
   * @param json an object mapper of the service; the caller no longer changes it
   */
  public JacksonMapper(ObjectMapper json) {
    this.json = json;
  }

  /**
   * The default. It writes the types of {@code java.time} as ISO-8601 text, and ignores unknown
   * properties: an old handler reads the payload of a newer service.
   */
  public static JacksonMapper standard() {
    return STANDARD;
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public byte[] write(Object value) throws IOException {
    return json.writeValueAsBytes(value);
  }

  @Override
  public Object read(byte[] payload, Type type) throws IOException {
    Object value = json.readValue(payload, json.constructType(type));
    if (value == null) {
      throw new IOException("it is null");
    }
    return value;
  }
}

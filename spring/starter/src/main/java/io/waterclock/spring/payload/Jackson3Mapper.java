package io.waterclock.spring.payload;

import io.waterclock.client.payload.PayloadMapper;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/** Payloads in JSON, with Jackson 3. Thread-safe. */
public record Jackson3Mapper(JsonMapper json) implements PayloadMapper {
  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public byte[] write(Object value) {
    return json.writeValueAsBytes(value);
  }

  @Override
  public Object read(byte[] payload, Type type) {
    Object value = json.readValue(payload, json.constructType(type));
    if (value == null) {
      throw new IllegalArgumentException("it is null");
    }
    return value;
  }
}

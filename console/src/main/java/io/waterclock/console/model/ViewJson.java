package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Records as the console's JSON: names in snake case, instants as ISO-8601, an empty optional as no
 * field. Thread-safe.
 */
public final class ViewJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(new OptionalSerializer()))
          .withConfigOverride(
              Optional.class,
              optional ->
                  optional.setInclude(
                      JsonInclude.Value.construct(
                          JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS)))
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build();

  private ViewJson() {}

  public static ObjectNode of(Record view) {
    return MAPPER.valueToTree(view);
  }

  public static ArrayNode list(List<? extends Record> views) {
    return MAPPER.valueToTree(views);
  }

  private static final class OptionalSerializer extends StdSerializer<Optional<?>> {
    OptionalSerializer() {
      super(Optional.class, false);
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, Optional<?> value) {
      return value.isEmpty();
    }

    @Override
    public void serialize(Optional<?> value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      provider.defaultSerializeValue(value.orElse(null), json);
    }
  }
}

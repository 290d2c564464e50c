package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.spring.boot.WaterclockProperties;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The metadata from which editors complete and explain the properties. */
final class MetadataTest {
  @Test
  void every_property_has_a_description() throws Exception {
    try (InputStream metadata =
        WaterclockProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      Map<String, Object> parsed =
          JsonParserFactory.getJsonParser()
              .parseMap(
                  new String(
                      Objects.requireNonNull(metadata).readAllBytes(), StandardCharsets.UTF_8));
      @SuppressWarnings("unchecked")
      List<Map<String, Object>> properties =
          (List<Map<String, Object>>) Objects.requireNonNull(parsed.get("properties"));
      assertThat(properties)
          .hasSizeGreaterThan(20)
          .allSatisfy(property -> assertThat(property).containsKey("description"))
          .extracting(property -> (String) property.get("name"))
          .contains(
              "waterclock.prefix",
              "waterclock.worker.group-id",
              "waterclock.schedules.removal",
              "waterclock.claims.create-table",
              "waterclock.scheduler.enabled");
    }
  }
}

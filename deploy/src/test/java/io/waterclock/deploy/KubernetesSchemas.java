package io.waterclock.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** The schemas of Kubernetes for the kinds of objects that we deploy. */
final class KubernetesSchemas {
  @FunctionalInterface
  private interface Schema {
    void validate(JsonElement manifest) throws IOException;
  }

  private static final Map<String, Schema> SCHEMAS =
      Map.of(
          "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
          "v1 ConfigMap", V1ConfigMap::validateJsonElement,
          "v1 Service", V1Service::validateJsonElement,
          "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
          "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement);

  private KubernetesSchemas() {}

  /**
   * Validates an object against the schema of its kind.
   *
   * @throws IllegalArgumentException names the field that is wrong or unknown
   */
  static void validate(JsonNode manifest) throws IOException {
    Schema schema = Objects.requireNonNull(SCHEMAS.get(kind(manifest)), kind(manifest));
    schema.validate(JsonParser.parseString(manifest.toString()));
  }

  /** API version and kind, such as {@code apps/v1 StatefulSet}. */
  static String kind(JsonNode manifest) {
    return manifest.at("/apiVersion").asText() + " " + manifest.at("/kind").asText();
  }
}

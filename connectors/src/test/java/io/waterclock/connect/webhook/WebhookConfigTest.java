package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConfigTest {
  /** What a worker's REST API would say. */
  private static List<String> problems(Map<String, String> settings) {
    return new WebhookSinkConnector()
        .validate(settings).configValues().stream()
            .flatMap(value -> value.errorMessages().stream())
            .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "url;ftp://x;must be an http or https URL",
        "url;;url is empty, and no schedule may name a URL; set it, or url.allow",
        "url.allow;example.com;is not a pattern of URLs",
        "internal.allow;10.0.0.0/99;is not a range of addresses",
        "mode;both;String must be one of: binary, structured",
        "body;all;String must be one of: fire, payload",
        "auth.type;digest;String must be one of: none, basic, bearer, oauth2",
        "auth.type;basic;auth.basic.user is missing, as auth.type is basic",
        "auth.type;bearer;auth.bearer.token is missing, as auth.type is bearer",
        "auth.type;oauth2;auth.oauth2.token.url is missing, as auth.type is oauth2",
        "signature.secrets;whsec_*;the text after whsec_ must be base64",
        "signature.secrets;secret;has 6 bytes; at least 24",
        "signature.secrets;whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw;is published",
        "signature.secrets;whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD;is published",
        "max.in.flight;0;Value must be at least 1",
        "prefix;a b;topic prefix",
        "schema.registry.url;nowhere;is no http or https URL",
      })
  void a_wrong_setting_is_refused_with_a_valid_example(String key, String value, String expected) {
    Map<String, String> settings = new HashMap<>(Map.of("url", "https://hooks.example.com/"));
    settings.put(key, value == null ? "" : value);
    assertThat(problems(settings)).hasSize(1).first().asString().contains(expected);
  }

  /**
   * Who takes the file as it is gets a connector that does not start, not a secret known to all.
   */
  @Test
  void the_secret_of_the_configuration_that_we_ship_must_be_replaced() throws IOException {
    Map<String, String> shipped = new HashMap<>();
    new JsonMapper()
        .readTree(Path.of("config", "fires-to-webhook.json").toFile())
        .get("config")
        .properties()
        .forEach(entry -> shipped.put(entry.getKey(), entry.getValue().asText()));
    assertThat(problems(shipped)).hasSize(1).first().asString().contains("openssl rand -base64 32");
    shipped.put("signature.secrets", "whsec_" + "QUJD".repeat(11));
    assertThat(problems(shipped)).isEmpty();
  }

  @Test
  void a_url_with_a_password_is_refused_without_showing_it() {
    assertThat(problems(Map.of("url", "https://ann:s3cret@example.com/?s3cret")))
        .hasSize(1)
        .allSatisfy(
            problem -> assertThat(problem).contains("example.com").doesNotContain("s3cret"));
  }

  @ParameterizedTest
  @CsvSource({"url,https://hooks.example.com/x?y=z", "url.allow,https://*.example.com"})
  void a_url_or_an_allow_list_is_enough(String key, String value) {
    assertThat(problems(Map.of(key, value))).isEmpty();
  }
}

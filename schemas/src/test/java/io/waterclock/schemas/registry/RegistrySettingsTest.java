package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrySettingsTest {
  private final List<String> problems = new ArrayList<>();

  @Test
  void nothing_configured_is_no_registry() {
    assertThat(parse("format", "json")).isEmpty();
    assertThat(problems).isEmpty();
  }

  /** Kafka Connect gives its plug-ins a null for each setting that has no value. */
  @Test
  void settings_without_a_value_are_not_set() {
    Map<String, Object> settings = new HashMap<>();
    RegistrySettings.KEYS.forEach(key -> settings.put(key, null));
    assertThat(RegistrySettings.among(settings)).isEmpty();
    settings.put("schema.registry.url", "http://r:8081");
    assertThat(RegistrySettings.among(settings)).isPresent();
  }

  @Test
  void an_address_is_enough() {
    RegistrySettings settings = parse("schema.registry.url", "http://r:8081/").orElseThrow();

    assertThat(problems).isEmpty();
    assertThat(settings.endpoints())
        .extracting(Endpoint::toString)
        .containsExactly("http://r:8081");
    assertThat(settings.autoRegister()).isTrue();
    assertThat(settings.useLatest()).isFalse();
    assertThat(settings.subjects()).isEqualTo(SubjectStrategy.TOPIC_NAME);
    assertThat(settings.tls()).isEmpty();
    assertThat(settings.readTimeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void each_address_may_hold_its_own_user() {
    RegistrySettings settings =
        parse("schema.registry.url", "http://u:p%2Bw@a:1/apis/v7, https://b").orElseThrow();

    assertThat(settings.address()).isEqualTo("http://a:1/apis/v7, https://b");
    assertThat(settings.endpoints().get(0).authorization()).contains(basic("u:p+w"));
    assertThat(settings.endpoints().get(1).authorization()).isEmpty();
    assertThat(settings.toString()).doesNotContain("p+w").doesNotContain(basic("u:p+w"));
  }

  @Test
  void a_user_or_a_token_goes_to_every_address() {
    assertThat(authorization("basic.auth.user.info", "u:p")).contains(basic("u:p"));
    assertThat(
            authorization(
                "basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", "u:p:q"))
        .contains(basic("u:p:q"));
    assertThat(authorization("bearer.auth.token", "t")).contains("Bearer t");
    assertThat(
            authorization(
                "bearer.auth.credentials.source", "STATIC_TOKEN", "bearer.auth.token", "t"))
        .contains("Bearer t");
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "io.confluent.kafka.serializers.subject.RecordNameStrategy,RECORD_NAME",
    "TopicNameStrategy,TOPIC_NAME",
    "TopicRecordName,TOPIC_RECORD_NAME"
  })
  void strategies_go_by_the_names_of_confluents_classes(String name, SubjectStrategy strategy) {
    assertThat(
            parse("schema.registry.url", "http://r", "value.subject.name.strategy", name)
                .map(RegistrySettings::subjects))
        .contains(strategy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schema.registry.url | ftp://r | no http or https URL",
        "schema.registry.url | , | holds no address",
        "auto.register.schemas | yes | neither true nor false",
        "use.latest.version | true | works only with auto.register.schemas=false",
        "value.subject.name.strategy | Mine | is none of TopicNameStrategy",
        "http.read.timeout.ms | 5s | not a whole number of milliseconds",
        "basic.auth.user.info | alone | must be USER:PASSWORD",
        "basic.auth.credentials.source | USER_INFO | must be USER:PASSWORD",
        "basic.auth.credentials.source | SASL_INHERIT | neither USER_INFO nor URL",
        "bearer.auth.credentials.source | OAUTHBEARER | only STATIC_TOKEN",
        "bearer.auth.credentials.source | STATIC_TOKEN | bearer.auth.token: must be set",
        "schema.registry.ssl.truststore.location | /nowhere.p12 | schema.registry.ssl",
      })
  void what_is_wrong_is_said(String key, String value, String said) {
    Map<String, String> settings = new HashMap<>(Map.of("schema.registry.url", "http://r"));
    settings.put(key, value);

    assertThat(RegistrySettings.parse(settings, problems)).isEmpty();
    assertThat(problems).singleElement().asString().contains(said);
  }

  @Test
  void settings_of_a_registry_that_is_not_there_are_a_mistake() {
    assertThat(parse("bearer.auth.token", "t", "use.latest.version", "true")).isEmpty();
    assertThat(problems)
        .containsExactly(
            "bearer.auth.token: is set, but schema.registry.url is not",
            "use.latest.version: is set, but schema.registry.url is not");
  }

  private Optional<String> authorization(String... settings) {
    List<String> all = new ArrayList<>(List.of("schema.registry.url", "http://r"));
    all.addAll(List.of(settings));
    return parse(all.toArray(String[]::new)).orElseThrow().endpoints().get(0).authorization();
  }

  private Optional<RegistrySettings> parse(String... settings) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put(settings[i], settings[i + 1]);
    }
    return RegistrySettings.parse(map, problems);
  }

  private static String basic(String user) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(user.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}

package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.connect.TestFires;
import io.waterclock.connect.rules.Destinations.Destination;
import io.waterclock.schemas.avro.Fire;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlPatternTest {
  private static final String HOOKS = "https://hooks.example.com/jobs";

  @ParameterizedTest
  @CsvSource({
    "https://hooks.example.com,https://hooks.example.com,true",
    "https://hooks.example.com,https://HOOKS.example.com/a?b=c,true",
    "https://hooks.example.com,https://hooks.example.com:443/,true",
    "https://hooks.example.com,https://hooks.example.com:8443/,false",
    "https://hooks.example.com,http://hooks.example.com/,false",
    "https://hooks.example.com,https://hooks.example.com.evil.org/,false",
    "https://hooks.example.com,https://evil.org/hooks.example.com,false",
    "https://*.example.com,https://a.example.com/,true",
    "https://*.example.com,https://a.b.example.com/,true",
    "https://*.example.com,https://example.com/,false",
    "https://*.example.com,https://evilexample.com/,false",
    "https://example.com/jobs,https://example.com/jobs,true",
    "https://example.com/jobs/,https://example.com/jobs/a,true",
    "https://example.com/jobs,https://example.com/jobs?x=1,true",
    "https://example.com/jobs,https://example.com/jobs2,false",
    "https://example.com/jobs,https://example.com/jobs/a%20b/50%25%C3%A4,true",
    "https://example.com/jobs,https://example.com/,false",
    "http://10.1.2.3:8080,http://10.1.2.3:8080/x,true",
  })
  void matches(String pattern, String url, boolean expected) {
    assertThat(UrlPattern.parse(pattern).matches(UrlPattern.url(url).orElseThrow()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://example.com",
        "file:///etc/passwd",
        "example.com",
        "https://",
        "https:///x",
        "https://user@example.com/",
        "https://example.com@evil.org/",
        "https://example.com/#a",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://example.com/jobs/../admin",
        "https://example.com/jobs/%2e%2e/admin",
        "https://example.com/jobs%2F..%2Fadmin",
        "https://example.com/jobs/..;/admin",
        "https://example.com/jobs/..%3ba=b/admin",
        "https://example.com/jobs/%252e%252e/admin",
        "https://example.com/jobs/%25252E%25252e/admin",
        "https://example.com/jobs%252f..%252Fadmin",
        "https://example.com/jobs/.%25%32%65/admin",
        "https://example.com/jobs/..%253ba=b/admin",
        "https://example.com/jobs/%2525252525252e%2525252525252e/admin",
        "https://example.com/jobs/%c0%ae%c0%ae/admin",
        "https://example.com/jobs/..%00/admin",
        "https://example.com/jobs/.%0a./admin",
        "https://exa mple.com/",
        "https://example.com/\n",
        "https://a_b\\evil.org/"
      })
  void a_url_with_tricks_is_refused(String url) {
    assertThat(UrlPattern.url(url.equals("https://example.com/\n") ? "https://e.com/\nx" : url))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.com", "*", "https://", "https://e.com/?a=b", "ssh://e.com"})
  void refuses_invalid_patterns(String pattern) {
    assertThatThrownBy(() -> UrlPattern.parse(pattern))
        .hasMessageContaining("for example https://*.example.com/jobs");
  }

  private static Fire fire(Map<String, String> labels) {
    return TestFires.of("a", Instant.EPOCH, schedule -> schedule.setLabels(labels));
  }

  private static Destinations destinations(String configured, String... allowed) {
    return new Destinations(
        Optional.of(configured).filter(url -> !url.isEmpty()).map(URI::create),
        Optional.of("webhook-url"),
        List.of(allowed).stream().map(UrlPattern::parse).toList());
  }

  @Test
  void a_fire_goes_where_its_schedule_says_if_that_is_allowed_and_else_where_it_is_configured() {
    Destinations both = destinations("https://own.example.com/", "https://hooks.example.com");
    assertThat(both.of(fire(Map.of())))
        .isEqualTo(new Destination.Found(URI.create("https://own.example.com/")));
    assertThat(both.of(fire(Map.of("webhook-url", HOOKS))))
        .isEqualTo(new Destination.Found(URI.create(HOOKS)));
  }

  @Test
  void a_url_that_is_not_allowed_is_refused_and_the_fire_never_goes_to_the_configured_url() {
    Destinations none = destinations("https://own.example.com/");
    assertThat(none.of(fire(Map.of("webhook-url", HOOKS))))
        .isEqualTo(
            new Destination.Refused(
                "the schedule names https://hooks.example.com/jobs, which url.allow does not"
                    + " contain:"
                    + " it is empty"));
    assertThat(destinations("", "https://*.example.com/a").of(fire(Map.of("webhook-url", HOOKS))))
        .isEqualTo(
            new Destination.Refused(
                "the schedule names https://hooks.example.com/jobs, which url.allow does not"
                    + " contain:"
                    + " https://*.example.com:443/a"));
    assertThat(none.of(fire(Map.of("webhook-url", "file:///etc/passwd"))))
        .isInstanceOf(Destination.Refused.class);
  }

  @Test
  void a_refusal_shows_no_secret_of_a_url() {
    Destinations none = destinations("https://own.example.com/");
    for (String url :
        List.of(
            "https://ann:s3cret@e.com/x", "https://e.com/x?key=s3cret", "ftp://e.com/?s3cret")) {
      assertThat(none.of(fire(Map.of("webhook-url", url))).toString())
          .startsWith("Refused")
          .contains("e.com/")
          .doesNotContain("s3cret");
    }
  }

  @Test
  void without_a_configured_url_a_schedule_must_name_one() {
    assertThat(destinations("", "https://*.example.com").of(fire(Map.of())))
        .isEqualTo(
            new Destination.Refused(
                "no URL is configured, and the schedule names none in its label webhook-url"));
  }
}

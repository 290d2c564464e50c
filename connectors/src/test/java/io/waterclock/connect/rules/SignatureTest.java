package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.connect.TestFires;
import io.waterclock.schemas.avro.Fire;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignatureTest {
  /** The example that Standard Webhooks' libraries test themselves with. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final Instant AT = Instant.ofEpochSecond(1_614_265_330);
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
  private static final String SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final URI URL = URI.create("https://hooks.example.com/jobs");

  private static Fire fire(String id, String schedule, Instant occurrence) {
    Fire fire = TestFires.of(schedule, occurrence, definition -> {});
    fire.setFireId(id);
    return fire;
  }

  private static final Fire FIRE = fire(ID, "a", Instant.EPOCH);

  private static String value(Signature signature, String header, Fire fire, URI url) {
    return value(signature.headers(fire, url, AT, BODY), header);
  }

  private static String value(List<HttpHeader> headers, String name) {
    return headers.stream()
        .filter(header -> header.name().equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void signs_as_standard_webhooks_does() {
    assertThat(Signature.of(List.of(SECRET)).headers(FIRE, URL, AT, BODY))
        .contains(
            new HttpHeader("webhook-id", ID),
            new HttpHeader("webhook-timestamp", "1614265330"),
            new HttpHeader("webhook-signature", SIGNED));
  }

  @Test
  void signs_with_each_secret_while_one_replaces_another() {
    Signature both = Signature.of(List.of("a text of 24 characters.", SECRET));
    assertThat(value(both, "webhook-signature", FIRE, URL).split(" ")).hasSize(2).contains(SIGNED);
    assertThat(value(both, "waterclock-signature", FIRE, URL).split(" ")).hasSize(2);
  }

  @Test
  void another_time_another_body_or_another_id_gives_another_signature() {
    Signature signature = Signature.of(List.of(SECRET));
    byte[] other = "{\"test\": 2432232315}".getBytes(StandardCharsets.UTF_8);
    for (String header : List.of("webhook-signature", "waterclock-signature")) {
      assertThat(
              List.of(
                  value(signature, header, FIRE, URL),
                  value(signature.headers(FIRE, URL, AT.plusSeconds(1), BODY), header),
                  value(signature.headers(FIRE, URL, AT, other), header),
                  value(signature, header, fire("msg", "a", Instant.EPOCH), URL)))
          .doesNotHaveDuplicates();
    }
  }

  /** Or one who gets a request could send it on, to another URL or as another schedule's fire. */
  @Test
  void another_url_another_subject_or_another_occurrence_gives_another_signature() {
    Signature signature = Signature.of(List.of(SECRET));
    assertThat(
            List.of(
                value(signature, "waterclock-signature", FIRE, URL),
                value(signature, "waterclock-signature", FIRE, URI.create(URL + "/other")),
                value(signature, "waterclock-signature", fire(ID, "b", Instant.EPOCH), URL),
                value(signature, "waterclock-signature", fire(ID, "a", AT), URL)))
        .doesNotHaveDuplicates();
  }

  /** Computed with Python's hmac, over the lines in docs/connectors.md. */
  @Test
  void the_whole_request_is_signed_line_by_line() {
    assertThat(value(Signature.of(List.of(SECRET)), "waterclock-signature", FIRE, URL))
        .isEqualTo("v1,5prt0VqSdR6CqVBuwOethqwiAuu8JNqe634zdBzZldY=");
  }

  @ParameterizedTest
  @CsvSource({
    "whsec_*,must be base64",
    "whsec_c2VjcmV0,has 6 bytes; at least 24",
    "a text of 23 characters,has 23 bytes; at least 24",
    "${file:/etc/secrets:webhook},no configuration provider has replaced",
  })
  void a_secret_that_is_none_or_can_be_guessed_is_refused(String secret, String reason) {
    assertThatThrownBy(() -> Signature.of(List.of(secret)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("openssl rand -base64 32")
        .hasMessageNotContaining(secret);
  }
}

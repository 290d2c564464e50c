package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignatureTest {
  /** The example that Standard Webhooks' libraries test themselves with. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final Instant AT = Instant.ofEpochSecond(1_614_265_330);
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
  private static final String SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  @Test
  void signs_as_standard_webhooks_does() {
    assertThat(Signature.of(List.of(SECRET)).headers(ID, AT, BODY))
        .containsExactly(
            new HttpHeader("webhook-id", ID),
            new HttpHeader("webhook-timestamp", "1614265330"),
            new HttpHeader("webhook-signature", SIGNED));
  }

  @Test
  void signs_with_each_secret_while_one_replaces_another() {
    String value = Signature.of(List.of("plain text", SECRET)).headers(ID, AT, BODY).get(2).value();
    assertThat(value.split(" ")).hasSize(2).contains(SIGNED);
  }

  @Test
  void another_time_another_body_or_another_id_gives_another_signature() {
    Signature signature = Signature.of(List.of(SECRET));
    byte[] other = "{\"test\": 2432232315}".getBytes(StandardCharsets.UTF_8);
    assertThat(
            List.of(
                signature.headers(ID, AT.plusSeconds(1), BODY).get(2).value(),
                signature.headers(ID, AT, other).get(2).value(),
                signature.headers("msg", AT, BODY).get(2).value()))
        .doesNotContain(SIGNED)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_secret_that_is_no_base64_is_refused() {
    assertThatThrownBy(() -> Signature.of(List.of("whsec_*")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

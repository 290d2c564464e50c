package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryRuleTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final RetryRule RULE =
      new RetryRule(Duration.ofSeconds(1), Duration.ofSeconds(60));

  /** So that the pauses are whole. */
  private static final RandomGenerator NONE = () -> 0;

  private static DeliveryDecision after(int code, String retryAfter, int attempt) {
    HttpResult answer =
        new HttpResult.Status(
            code, Optional.of(retryAfter).filter(text -> !text.isEmpty()), "oops");
    return RULE.after(answer, attempt, NOW, NOW.plusSeconds(600), NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void success_is_2xx(int code) {
    assertThat(after(code, "", 1))
        .isEqualTo(new DeliveryDecision.Delivered("HTTP " + code + ": oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504, 520, 599})
  void temporary_results_are_retried(int code) {
    assertThat(after(code, "", 1))
        .isEqualTo(new DeliveryDecision.Again(NOW.plusSeconds(1), "HTTP " + code + ": oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 301, 302, 307, 400, 401, 403, 404, 409, 410, 413, 422, 501, 505})
  void other_results_are_final(int code) {
    assertThat(after(code, "", 1)).isInstanceOf(DeliveryDecision.GivenUp.class);
  }

  @Test
  void a_redirect_says_what_to_do() {
    assertThat(after(302, "", 1))
        .isEqualTo(
            new DeliveryDecision.GivenUp(
                "HTTP 302: oops; the connector does not follow redirects, set the final URL"));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,4", "6,32", "7,60", "40,60", "2000000000,60"})
  void pauses_double_up_to_the_longest(int attempt, long seconds) {
    assertThat(after(503, "", attempt))
        .isEqualTo(new DeliveryDecision.Again(NOW.plusSeconds(seconds), "HTTP 503: oops"));
  }

  @Test
  void the_wait_is_between_half_and_all_of_the_backoff() {
    SplittableRandom random = new SplittableRandom(7);
    HttpResult answer = new HttpResult.None("refused", true);
    for (int i = 0; i < 1_000; i++) {
      DeliveryDecision next = RULE.after(answer, 4, NOW, NOW.plusSeconds(600), random);
      assertThat(((DeliveryDecision.Again) next).at())
          .isBetween(NOW.plusSeconds(4), NOW.plusSeconds(8));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30|30",
        "0|1",
        "Sat, 21 Nov 2026 10:02:00 GMT|120",
        "Sat, 21 Nov 2026 09:00:00 GMT|1",
        "soon|1",
        "-5|1",
        "99999999999|1"
      })
  void no_attempt_comes_sooner_than_the_server_asks(String retryAfter, long seconds) {
    assertThat(after(429, retryAfter, 1))
        .isEqualTo(new DeliveryDecision.Again(NOW.plusSeconds(seconds), "HTTP 429: oops"));
  }

  @Test
  void a_retry_after_the_deadline_is_given_up_at_once() {
    assertThat(after(429, "601", 1))
        .isEqualTo(
            new DeliveryDecision.GivenUp(
                "HTTP 429: oops; given up after 1 attempt, because the next one would come after"
                    + " 2026-11-21T10:10:00Z"));
  }

  @Test
  void a_missing_answer_is_retried_unless_it_is_final() {
    assertThat(RULE.after(new HttpResult.None("refused", true), 1, NOW, NOW.plusSeconds(9), NONE))
        .isEqualTo(new DeliveryDecision.Again(NOW.plusSeconds(1), "refused"));
    assertThat(RULE.after(new HttpResult.None("internal", false), 1, NOW, NOW.plusSeconds(9), NONE))
        .isEqualTo(new DeliveryDecision.GivenUp("internal"));
  }
}

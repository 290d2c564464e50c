package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/** Answers of token servers: a token that fits into a header, or an {@link IOException}. */
final class TokenFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final Authentication.ClientCredentials CLIENT =
      new Authentication.ClientCredentials(
          URI.create("https://id.example.com/token"), "id", "secret", Optional.empty());

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/token.dict")
  void answer(@NotNull String body) throws Exception {
    try {
      Authorizer.Token token =
          Claims.bounded(body.length(), () -> Authorizer.read(CLIENT, body, NOW));
      assertThat(token.value()).isNotEmpty().matches("[!-~]+");
      assertThat(token.until()).isAfterOrEqualTo(NOW);
    } catch (IOException e) {
      Claims.rejectedInOneLine(e);
    }
  }
}

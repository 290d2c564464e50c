package io.waterclock.connect.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.connect.rules.HttpHeader;
import io.waterclock.connect.rules.HttpResult;
import io.waterclock.connect.rules.UrlPattern;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Creates the {@code Authorization} header of requests. It keeps an OAuth 2.0 token until shortly
 * before it expires, or until a server refuses it. It requests one token at a time, and after a
 * failure it does not ask again at once. Thread-safe.
 */
final class Authorizer {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration SPARE = Duration.ofSeconds(30);
  private static final Duration FAILURE_LIFE = Duration.ofSeconds(1);
  private static final Duration DEFAULT_LIFE = Duration.ofMinutes(5);

  record Token(String value, Instant until) {}

  private record Failure(IOException why, Instant until) {}

  private final Authentication authentication;
  private final Http http;
  private final InstantSource clock;
  private Optional<Token> token = Optional.empty();
  private Optional<Failure> failure = Optional.empty();

  Authorizer(Authentication authentication, Http http, InstantSource clock) {
    this.authentication = authentication;
    this.http = http;
    this.clock = clock;
  }

  /**
   * The value of the header; empty for none.
   *
   * @throws IOException with the reason, if a token is needed and the token server returns none
   */
  Optional<String> authorization() throws IOException {
    return authentication instanceof Authentication.ClientCredentials client
        ? Optional.of("Bearer " + token(client))
        : ((Authentication.Fixed) authentication).authorization();
  }

  /**
   * Forgets a token that a server has refused.
   *
   * @return whether a new token may be accepted
   */
  synchronized boolean refused(Optional<String> authorization) {
    if (!(authentication instanceof Authentication.ClientCredentials)) {
      return false;
    }
    token = token.filter(kept -> !authorization.equals(Optional.of("Bearer " + kept.value())));
    return true;
  }

  private synchronized String token(Authentication.ClientCredentials client) throws IOException {
    Instant now = clock.instant();
    if (token.filter(kept -> now.isBefore(kept.until())).isEmpty()) {
      Optional<Failure> recent = failure.filter(kept -> now.isBefore(kept.until()));
      if (recent.isPresent()) {
        throw recent.get().why();
      }
      try {
        token = Optional.of(fetch(client, now));
      } catch (IOException e) {
        failure = Optional.of(new Failure(e, clock.instant().plus(FAILURE_LIFE)));
        throw e;
      }
    }
    return token.orElseThrow().value();
  }

  private Token fetch(Authentication.ClientCredentials client, Instant now) throws IOException {
    String form =
        "grant_type=client_credentials"
            + client.scope().map(scope -> "&scope=" + encode(scope)).orElse("");
    HttpResult.Status response;
    try {
      response =
          http.post(
              client.tokenUrl(),
              List.of(
                  new HttpHeader("Content-Type", "application/x-www-form-urlencoded"),
                  new HttpHeader("Accept", "application/json"),
                  new HttpHeader(
                      "Authorization",
                      Authentication.basic(encode(client.id()), encode(client.secret())))),
              form.getBytes(StandardCharsets.UTF_8),
              abort -> {});
    } catch (CheckedResolver.ForbiddenAddressException e) {
      throw e;
    } catch (IOException e) {
      throw noToken(client, String.valueOf(e.getMessage()));
    }
    if (response.code() != 200) {
      throw noToken(client, "HTTP " + response.code() + " " + response.shown());
    }
    return read(client, response.body(), now);
  }

  /**
   * Reads the answer of a token server.
   *
   * @throws IOException if it contains no token that fits into a header
   */
  static Token read(Authentication.ClientCredentials client, String body, Instant now)
      throws IOException {
    try {
      JsonNode answer = JSON.readTree(body);
      String value = answer.path("access_token").asText();
      if (!value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c < 127)) {
        Duration life =
            answer.path("expires_in").canConvertToInt()
                ? Duration.ofSeconds(Math.max(0, answer.path("expires_in").asInt()))
                : DEFAULT_LIFE;
        Duration kept =
            life.compareTo(SPARE.multipliedBy(2)) > 0 ? life.minus(SPARE) : life.dividedBy(2);
        return new Token(value, now.plus(kept));
      }
    } catch (JsonProcessingException e) {
      throw noToken(client, "its answer is not JSON");
    }
    throw noToken(client, "its answer contains no valid access_token");
  }

  private static IOException noToken(Authentication.ClientCredentials client, String why) {
    return new IOException(
        UrlPattern.shown(client.tokenUrl().toString()) + " returns no token: " + why);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

package io.waterclock.console.login;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.waterclock.schemas.registry.LimitedBody;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * What an OpenID provider says of itself, and requests to it. Each request takes 5 s and its answer
 * 256 KiB at most. Thread-safe.
 */
final class OpenIdProvider {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 256 << 10;

  /** Signatures with a public key alone. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.copyOf(
          List.of(
              JWSAlgorithm.RS256,
              JWSAlgorithm.RS384,
              JWSAlgorithm.RS512,
              JWSAlgorithm.PS256,
              JWSAlgorithm.PS384,
              JWSAlgorithm.PS512,
              JWSAlgorithm.ES256,
              JWSAlgorithm.ES384,
              JWSAlgorithm.ES512));

  private final Issuer issuer;
  private final ClientID client;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private volatile Optional<Known> known = Optional.empty();

  /** The provider's metadata, and what checks its tokens. */
  record Known(OIDCProviderMetadata metadata, IDTokenValidator tokens) {}

  OpenIdProvider(URI issuer, String client) {
    this.issuer = new Issuer(issuer);
    this.client = new ClientID(client);
  }

  /**
   * Asks the provider once, as OpenID Connect Discovery says; again if that failed.
   *
   * @throws LoginException if it does not answer as it should
   */
  Known known() throws LoginException {
    Optional<Known> before = known;
    if (before.isPresent()) {
      return before.get();
    }
    try {
      URI place = OIDCProviderMetadata.resolveURL(issuer).toURI();
      HttpResponse<byte[]> answer = send(HttpRequest.newBuilder(place).build());
      if (answer.statusCode() != 200) {
        throw new IOException(place + " answers " + answer.statusCode());
      }
      OIDCProviderMetadata metadata =
          OIDCProviderMetadata.parse(new String(answer.body(), StandardCharsets.UTF_8));
      if (!metadata.getIssuer().equals(issuer)) {
        throw new IOException("it calls itself " + metadata.getIssuer());
      }
      Known found = new Known(metadata, validator(metadata));
      known = Optional.of(found);
      return found;
    } catch (IOException | GeneralException | URISyntaxException e) {
      throw new LoginException(
          LoginException.Reason.PROVIDER, "The OpenID provider " + issuer + " is of no use", e);
    }
  }

  private IDTokenValidator validator(OIDCProviderMetadata metadata) throws MalformedURLException {
    return new IDTokenValidator(
        issuer,
        client,
        new JWSVerificationKeySelector<SecurityContext>(
            ALGORITHMS,
            JWKSourceBuilder.create(
                    metadata.getJWKSetURI().toURL(),
                    url -> {
                      HttpResponse<byte[]> answer =
                          send(HttpRequest.newBuilder(URI.create(url.toString())).build());
                      return new Resource(
                          new String(answer.body(), StandardCharsets.UTF_8), "application/json");
                    })
                .build()),
        null);
  }

  /** Sends what the library has put together. */
  HTTPResponse send(HTTPRequest prepared) throws IOException {
    return prepared.send(this::sent);
  }

  private HTTPResponse sent(ReadOnlyHTTPRequest request) throws IOException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(request.getURL().toString()))
            .method(
                request.getMethod().name(),
                BodyPublishers.ofString(Objects.requireNonNullElse(request.getBody(), "")));
    request
        .getHeaderMap()
        .forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
    HttpResponse<byte[]> answer = send(builder.build());
    HTTPResponse response = new HTTPResponse(answer.statusCode());
    answer
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> response.setHeader("Content-Type", type));
    response.setBody(new String(answer.body(), StandardCharsets.UTF_8));
    return response;
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return http.sendAsync(request, head -> new LimitedBody(LONGEST_ANSWER))
          .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException e) {
      throw new IOException(
          request.uri() + " does not answer within " + TIMEOUT.toSeconds() + " s", e.getCause());
    }
  }
}

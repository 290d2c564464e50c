package io.waterclock.cli.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * A server that gives a token to each client that knows the secret (RFC 6749, section 4.4), and
 * publishes the key that brokers check it with (RFC 7517).
 */
final class TokenServer implements AutoCloseable {
  static final String SECRET = "s3cret";

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer server;
  private final KeyPair keys;
  private volatile String audience = "kafka";

  private TokenServer(HttpServer server, KeyPair keys) {
    this.server = server;
    this.keys = keys;
  }

  static TokenServer start() throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    TokenServer tokens = new TokenServer(server, generator.generateKeyPair());
    server.createContext("/token", tokens::token);
    server.createContext("/keys", exchange -> answer(exchange, 200, tokens.publicKey()));
    server.start();
    return tokens;
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** For whom the tokens are from now on. */
  void audience(String name) {
    audience = name;
  }

  private void token(HttpExchange exchange) throws IOException {
    String login = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    String[] client =
        new String(Base64.getDecoder().decode(login.replace("Basic ", "")), UTF_8).split(":", 2);
    if (client[1].equals(SECRET)) {
      String token = "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":3600}";
      answer(exchange, 200, token.formatted(signed(client[0])));
    } else {
      answer(exchange, 401, "{\"error\":\"invalid_client\"}");
    }
  }

  /** A JSON Web Token (RFC 7519) for a user. */
  private String signed(String user) {
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"iss\":\"waterclock-test\",\"aud\":\"%s\",\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}"
            .formatted(audience, user, now, now + 3600);
    String content = text("{\"alg\":\"RS256\",\"kid\":\"one\"}") + "." + text(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(content.getBytes(UTF_8));
      return content + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String publicKey() {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"one\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(number(key.getModulus()), number(key.getPublicExponent()));
  }

  /** Without the byte of the sign. */
  private static String number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int sign = bytes[0] == 0 ? 1 : 0;
    return BASE64.encodeToString(Arrays.copyOfRange(bytes, sign, bytes.length));
  }

  private static String text(String json) {
    return BASE64.encodeToString(json.getBytes(UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

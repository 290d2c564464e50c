package io.waterclock.connect.rules;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as Standard Webhooks has it (standardwebhooks.com): HMAC-SHA256 over {@code
 * <id>.<timestamp in seconds>.<body>}, so that a receiver knows that a request is ours, unchanged,
 * and no older than it says. With several secrets there is a signature for each, while one of them
 * replaces another. Thread-safe.
 */
public final class Signature {
  /** The header with the id that is signed. */
  public static final String ID = "webhook-id";

  /** The header with the time that is signed, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** The header with the signatures. */
  public static final String SIGNATURE = "webhook-signature";

  private static final String ALGORITHM = "HmacSHA256";
  private static final String BASE64_SECRET = "whsec_";

  private final List<SecretKeySpec> keys;

  private Signature(List<SecretKeySpec> keys) {
    this.keys = keys;
  }

  /**
   * @param secrets {@code whsec_} and base64, or any other text, whose UTF-8 is the key then
   * @throws IllegalArgumentException if one is empty, or what follows {@code whsec_} is no base64
   */
  public static Signature of(List<String> secrets) {
    List<SecretKeySpec> keys = new ArrayList<>();
    for (String secret : secrets) {
      byte[] key =
          secret.startsWith(BASE64_SECRET)
              ? Base64.getDecoder().decode(secret.substring(BASE64_SECRET.length()))
              : secret.getBytes(StandardCharsets.UTF_8);
      keys.add(new SecretKeySpec(key, ALGORITHM));
    }
    return new Signature(List.copyOf(keys));
  }

  /** The headers of a request. */
  public List<HttpHeader> headers(String id, Instant now, byte[] body) {
    String timestamp = Long.toString(now.getEpochSecond());
    return List.of(
        new HttpHeader(ID, id),
        new HttpHeader(TIMESTAMP, timestamp),
        new HttpHeader(SIGNATURE, signatures(id + "." + timestamp + ".", body)));
  }

  private String signatures(String before, byte[] body) {
    return keys.stream()
        .map(key -> "v1," + Base64.getEncoder().encodeToString(sign(key, before, body)))
        .collect(Collectors.joining(" "));
  }

  private static byte[] sign(SecretKeySpec key, String before, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(before.getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}

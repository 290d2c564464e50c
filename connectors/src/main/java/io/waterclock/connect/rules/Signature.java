package io.waterclock.connect.rules;

import io.waterclock.schemas.avro.Fire;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests, so that a receiver can verify their sender, content and time. With several
 * secrets it makes one signature for each, while a new secret replaces an old one. Thread-safe.
 *
 * <p>There are two signatures, both HMAC-SHA256 and in base64 after {@code v1,}: that of Standard
 * Webhooks (standardwebhooks.com), over {@code <id>.<timestamp in seconds>.<body>}, for which there
 * are libraries; and one over the whole request, line by line: id, timestamp, URL, subject,
 * occurrence, and the body after them. Only the latter distinguishes requests for different URLs,
 * or for different schedules if the body does not contain the schedule id.
 */
public final class Signature {
  /** The header with the id that is signed. */
  public static final String ID = "webhook-id";

  /** The header with the time that is signed, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** The header with the signatures of Standard Webhooks. */
  public static final String SIGNATURE = "webhook-signature";

  /** The header with the signatures over the whole request. */
  public static final String WHOLE_SIGNATURE = "waterclock-signature";

  /** The minimum of Standard Webhooks. */
  private static final int LEAST_BYTES = 24;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String BASE64_SECRET = "whsec_";
  private static final String UNRESOLVED = "${";

  private final List<SecretKeySpec> keys;

  private Signature(List<SecretKeySpec> keys) {
    this.keys = keys;
  }

  /**
   * @param secrets {@code whsec_} and base64, or any other text, whose UTF-8 bytes are then the key
   * @throws IllegalArgumentException if a secret is too short, is not base64 after {@code whsec_},
   *     or is an unresolved placeholder; the message does not contain the secret
   */
  public static Signature of(List<String> secrets) {
    return new Signature(
        secrets.stream().map(secret -> new SecretKeySpec(key(secret), ALGORITHM)).toList());
  }

  private static byte[] key(String secret) {
    if (secret.startsWith(UNRESOLVED)) {
      throw bad("a secret begins with ${, so no configuration provider has replaced it");
    }
    byte[] key = bytes(secret);
    if (key.length < LEAST_BYTES) {
      throw bad("a secret has " + key.length + " bytes; at least " + LEAST_BYTES + " are needed");
    }
    return key;
  }

  private static byte[] bytes(String secret) {
    if (!secret.startsWith(BASE64_SECRET)) {
      return secret.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(secret.substring(BASE64_SECRET.length()));
    } catch (IllegalArgumentException e) {
      throw bad("the text after " + BASE64_SECRET + " must be base64");
    }
  }

  private static IllegalArgumentException bad(String what) {
    return new IllegalArgumentException(
        what + "; " + BASE64_SECRET + " and the output of openssl rand -base64 32 is right");
  }

  /**
   * The headers of a request.
   *
   * @param body the whole body
   */
  public List<HttpHeader> headers(Fire fire, URI url, Instant now, byte[] body) {
    String id = EventForm.ascii(fire.getFireId());
    String timestamp = Long.toString(now.getEpochSecond());
    String lines =
        Stream.of(id, timestamp, url, fire.getScheduleId(), fire.getOccurrence())
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    return List.of(
        new HttpHeader(ID, id),
        new HttpHeader(TIMESTAMP, timestamp),
        new HttpHeader(SIGNATURE, signatures(id + "." + timestamp + ".", body)),
        new HttpHeader(WHOLE_SIGNATURE, signatures(lines, body)));
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

package io.waterclock.console.login;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;

/**
 * Claims that a browser keeps and cannot read or change: an encrypted JSON Web Token (RFC 7516,
 * A256GCM) under a key that this process alone has. Each kind of cookie has its own key, so that
 * one is not taken for another. Thread-safe.
 */
final class SealedCookie {
  private static final int KEY_BYTES = 32;

  private final String name;
  private final Duration validFor;
  private final boolean isSecure;
  private final String sameSite;
  private final InstantSource clock;
  private final byte[] key = new byte[KEY_BYTES];

  /**
   * @param name of the cookie; has the prefix {@code __Host-} where connections are secure
   * @param isSecure whether browsers reach the console with https
   * @param sameSite {@code Strict}, or {@code Lax} to be sent when another site leads here
   */
  SealedCookie(
      String name, Duration validFor, boolean isSecure, String sameSite, InstantSource clock) {
    this.name = isSecure ? "__Host-" + name : name;
    this.validFor = validFor;
    this.isSecure = isSecure;
    this.sameSite = sameSite;
    this.clock = clock;
    new SecureRandom().nextBytes(key);
  }

  String name() {
    return name;
  }

  /** The header {@code Set-Cookie} that keeps these claims. */
  String set(JWTClaimsSet claims) {
    JWTClaimsSet timed =
        new JWTClaimsSet.Builder(claims)
            .expirationTime(Date.from(clock.instant().plus(validFor)))
            .build();
    EncryptedJWT sealed =
        new EncryptedJWT(new JWEHeader(JWEAlgorithm.DIR, EncryptionMethod.A256GCM), timed);
    try {
      sealed.encrypt(new DirectEncrypter(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("every Java platform has A256GCM", e);
    }
    return header(sealed.serialize(), validFor);
  }

  /** The header {@code Set-Cookie} that removes it. */
  String removed() {
    return header("", Duration.ZERO);
  }

  private String header(String value, Duration age) {
    return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=%s%s"
        .formatted(name, value, age.toSeconds(), sameSite, isSecure ? "; Secure" : "");
  }

  /** The claims; empty if this object did not seal them, or too long ago. */
  Optional<JWTClaimsSet> open(String value) {
    try {
      EncryptedJWT sealed = EncryptedJWT.parse(value);
      sealed.decrypt(new DirectDecrypter(key));
      JWTClaimsSet claims = sealed.getJWTClaimsSet();
      return Optional.of(claims)
          .filter(found -> found.getExpirationTime().toInstant().isAfter(clock.instant()));
    } catch (ParseException | JOSEException e) {
      return Optional.empty();
    }
  }
}

package io.waterclock.console.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps other web pages from using a person's browser against the console. Immutable.
 *
 * <p>Three checks. The {@code Host} must be an address, {@code localhost} or a name that was given,
 * so that a hostile name that resolves to the console (DNS rebinding) is refused. The {@code
 * Origin} of a change must be that host. And a change must carry a token that only pages of this
 * origin can read; it is a keyed hash of the person's name, so the server keeps no sessions.
 */
public final class RequestGuard {
  private static final Pattern ADDRESS =
      Pattern.compile("\\[[0-9a-f:.]+]|\\d{1,3}(\\.\\d{1,3}){3}");
  private static final String ALGORITHM = "HmacSHA256";

  private final Set<String> hosts;
  private final SecretKeySpec secret;

  /**
   * @param names of the console, beside {@code localhost} and addresses
   * @param secret random, at least 32 bytes
   */
  public RequestGuard(Collection<String> names, byte[] secret) {
    Set<String> all = new HashSet<>(Set.of("localhost"));
    names.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
    this.hosts = Set.copyOf(all);
    this.secret = new SecretKeySpec(secret, ALGORITHM);
  }

  /** Whether a {@code Host} header names this console. */
  public boolean isKnownHost(Optional<String> authority) {
    return authority
        .map(RequestGuard::host)
        .filter(host -> hosts.contains(host) || ADDRESS.matcher(host).matches())
        .isPresent();
  }

  /**
   * Whether a change may come from this origin.
   *
   * @param origin of the request; absent if no web page sent it
   * @param fetchSite the {@code Sec-Fetch-Site} header
   */
  public boolean isOwnOrigin(
      Optional<String> origin, Optional<String> fetchSite, Optional<String> authority) {
    return fetchSite.filter(site -> !site.equals("same-origin") && !site.equals("none")).isEmpty()
        && (origin.isEmpty() || (authority.isPresent() && isOf(origin.get(), authority.get())));
  }

  private static boolean isOf(String origin, String authority) {
    try {
      return authority.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The token that a person's pages send with each change. */
  public String token(String name) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return HexFormat.of().formatHex(mac.doFinal(name.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  public boolean isToken(Optional<String> token, String name) {
    return token
        .filter(t -> MessageDigest.isEqual(t.getBytes(UTF_8), token(name).getBytes(UTF_8)))
        .isPresent();
  }

  private static String host(String authority) {
    return authority.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
  }
}

package io.waterclock.connect.rules;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of URLs that a schedule may name: {@code https://hooks.example.com}, {@code
 * https://*.example.com/jobs/}, {@code http://10.1.2.3:8080}. Scheme, port and host must be equal,
 * but {@code *.} stands for one or more labels of the host; the path must begin with the pattern's
 * path, segment by segment.
 *
 * @param host in lower case
 * @param path the beginning of the path, without a slash at its end; empty for all
 */
public record UrlPattern(String scheme, boolean anySubdomain, String host, int port, String path) {
  private static final String WILDCARD = "*.";
  private static final int MAX_PORT = 65_535;

  /** Control characters, and bytes that are never valid in UTF-8, which can hide a dot. */
  private static final Pattern NEVER_PLAIN = Pattern.compile("(?i)\\p{Cntrl}|%c[01]");

  private static final Pattern ENCODED = Pattern.compile("(?i)%([0-7][0-9a-f])");
  private static final int HEX = 16;
  private static final int MOST_DECODED = 4;

  /**
   * @throws IllegalArgumentException if the text is not a pattern
   */
  public static UrlPattern parse(String text) {
    boolean wild = text.contains("://" + WILDCARD);
    URI uri =
        url(text.strip().replace("://" + WILDCARD, "://"))
            .filter(read -> read.getRawQuery() == null)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "\""
                            + text
                            + "\" is not a pattern of URLs: a scheme (http or https), a host that"
                            + " may begin with \"*.\", and optionally a port and the beginning of"
                            + " the path; for example https://*.example.com/jobs"));
    return new UrlPattern(
        scheme(uri), wild, host(uri), port(uri), uri.getRawPath().replaceAll("/+$", ""));
  }

  /**
   * Parses a URL without tricks: http or https, with a host, and without user info, fragment, or
   * dots that go up in its path, even if path parameters or a multiple encoding hide them. Empty
   * for all other texts.
   */
  public static Optional<URI> url(String text) {
    try {
      URI uri = URI.create(text.strip());
      boolean isPlain =
          uri.getHost() != null
              && ("http".equals(scheme(uri)) || "https".equals(scheme(uri)))
              && uri.getRawUserInfo() == null
              && uri.getRawFragment() == null
              && isPort(uri.getPort())
              && !climbs(uri.getRawPath());
      return isPlain ? Optional.of(uri) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * @param uri a result of {@link #url}
   */
  public boolean matches(URI uri) {
    String given = host(uri);
    boolean sameHost = anySubdomain ? given.endsWith("." + host) : given.equals(host);
    String rest = uri.getRawPath();
    return scheme.equals(scheme(uri))
        && sameHost
        && port == port(uri)
        && (path.isEmpty() || rest.equals(path) || rest.startsWith(path + "/"));
  }

  /** A URI without a port has the port -1. */
  private static boolean isPort(int port) {
    return port == -1 || (port > 0 && port <= MAX_PORT);
  }

  /** A server may decode a path several times: its final form must not go up. */
  private static boolean climbs(String rawPath) {
    String plain = rawPath;
    for (int i = 0; i < MOST_DECODED; i++) {
      plain = decoded(plain);
    }
    if (ENCODED.matcher(plain).find()) {
      return true; // so many encodings are an attack
    }
    String segments = plain.replace('\\', '/').replaceAll(";[^/]*", "") + "/";
    return segments.contains("/../") || NEVER_PLAIN.matcher(plain).find();
  }

  private static String decoded(String path) {
    return ENCODED
        .matcher(path)
        .replaceAll(
            hex ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(hex.group(1), HEX))));
  }

  /** A URL for messages, without user info, query and fragment, which may contain secrets. */
  public static String shown(String url) {
    return url.replaceFirst("(?s)[?#].*", "").replaceFirst("//[^/]*@", "//");
  }

  /** A URL's server for messages, also without the path, which may contain a secret. */
  public static String origin(URI url) {
    return scheme(url) + "://" + host(url) + ":" + port(url);
  }

  private static String scheme(URI uri) {
    return String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
  }

  private static String host(URI uri) {
    return String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
  }

  private static int port(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    return scheme(uri).equals("https") ? 443 : 80;
  }
}

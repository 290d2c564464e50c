package io.waterclock.runtime.http;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.HostPort;

/**
 * The host names that requests to an instance may use. Immutable.
 *
 * <p>Idea: with DNS rebinding, a hostile web page resolves its own host name to the address of an
 * instance, and the browser treats the answers as the page's own. The {@code Host} header shows
 * that name. IP addresses need no resolver, and attackers cannot resolve {@code localhost}, so both
 * are always known.
 *
 * @param names in lower case, without ports
 */
record KnownHosts(Set<String> names) {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  KnownHosts {
    names = Set.copyOf(names);
  }

  /**
   * @param hosts names or addresses, with or without a port
   */
  static KnownHosts of(Collection<String> hosts) {
    Set<String> names = new HashSet<>(List.of("localhost"));
    hosts.forEach(host -> name(host).ifPresent(names::add));
    return new KnownHosts(names);
  }

  /**
   * @param authority the {@code Host} of a request
   */
  boolean knows(String authority) {
    return name(authority).filter(name -> isAddress(name) || names.contains(name)).isPresent();
  }

  private static boolean isAddress(String name) {
    return name.startsWith("[") || IPV4.matcher(name).matches();
  }

  /** The host without its port; empty if the text is not an authority. */
  private static Optional<String> name(String authority) {
    try {
      return Optional.ofNullable(new HostPort(authority).getHost())
          .map(name -> name.toLowerCase(Locale.ROOT))
          .filter(name -> !name.isEmpty());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}

package io.waterclock.topology.runtime.http;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.HostPort;

/**
 * By which names an instance may be asked over HTTP. Immutable.
 *
 * <p>Idea: a page in a browser reaches an instance of its user's network by a name that its author
 * resolves to the instance's address (DNS rebinding), and the browser takes the answer for the
 * page's own. The name in {@code Host} gives it away. An IP address needs no resolver, and {@code
 * localhost} has none that strangers control: both are always known.
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
   * @param authority what a request has as {@code Host}
   */
  boolean knows(String authority) {
    return name(authority).filter(name -> isAddress(name) || names.contains(name)).isPresent();
  }

  private static boolean isAddress(String name) {
    return name.startsWith("[") || IPV4.matcher(name).matches();
  }

  /** Without its port; empty for what is no authority. */
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

package io.waterclock.console.access;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How the console knows who asks. Immutable. */
public sealed interface Identification {
  /**
   * What a request says of who sends it.
   *
   * @param identities the values of the identity header
   * @param from the address of the connection
   * @param session the cookie that {@link #cookie} names
   */
  record Claim(
      Optional<String> authorization,
      List<String> identities,
      InetAddress from,
      Optional<String> session) {}

  /** The header in which a request names its sender; empty if it does so in another way. */
  default Optional<String> header() {
    return Optional.empty();
  }

  /** The cookie in which a browser keeps a login; empty if people do not log in. */
  default Optional<String> cookie() {
    return Optional.empty();
  }

  /** Who sends a request; empty to refuse it. */
  Optional<Identity> identity(Claim claim);

  /** Whether different people have different names. */
  default boolean isPersonal() {
    return true;
  }

  /** Everyone who reaches the console has one name. */
  record None(String everyone) implements Identification {
    @Override
    public Optional<Identity> identity(Claim claim) {
      return Optional.of(Identity.of(everyone));
    }

    @Override
    public boolean isPersonal() {
      return false;
    }
  }

  /** Requests carry a bearer token. */
  record Bearer(Tokens tokens) implements Identification {
    private static final String SCHEME = "Bearer ";

    @Override
    public Optional<Identity> identity(Claim claim) {
      return claim
          .authorization()
          .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
          .flatMap(text -> tokens.name(text.substring(SCHEME.length()).strip()))
          .map(Identity::of);
    }
  }

  /**
   * People log in at an OpenID provider; programs carry a bearer token.
   *
   * @param bearer empty if programs have no access
   */
  record OpenId(Logins logins, Optional<Bearer> bearer) implements Identification {
    @Override
    public Optional<String> cookie() {
      return Optional.of(logins.cookie());
    }

    @Override
    public Optional<Identity> identity(Claim claim) {
      return claim.authorization().isPresent()
          ? bearer.flatMap(known -> known.identity(claim))
          : claim.session().flatMap(logins::identity);
    }
  }

  /**
   * A proxy names the sender in a header, exactly once. The header counts only on connections from
   * the proxy, since anyone else could write it.
   */
  record Proxy(String headerName, Set<InetAddress> proxies) implements Identification {
    public Proxy {
      proxies = Set.copyOf(proxies);
    }

    @Override
    public Optional<String> header() {
      return Optional.of(headerName);
    }

    @Override
    public Optional<Identity> identity(Claim claim) {
      return proxies.contains(claim.from()) && claim.identities().size() == 1
          ? Optional.of(claim.identities().get(0).strip())
              .filter(Identity::isName)
              .map(Identity::of)
          : Optional.empty();
    }
  }
}

package io.waterclock.console.access;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How the console knows who asks. Immutable. */
public sealed interface Identification {
  /** At most this many characters of a name reach the scheduler. */
  int LONGEST_NAME = 100;

  /**
   * What a request says of who sends it.
   *
   * @param authorization of the header
   * @param identities the values of the identity header
   * @param from the address of the connection
   */
  record Claim(Optional<String> authorization, List<String> identities, InetAddress from) {}

  /** The header in which a request names its sender; empty if it does so in another way. */
  default Optional<String> header() {
    return Optional.empty();
  }

  /** Who sends a request; empty to refuse it. */
  Optional<String> name(Claim claim);

  /** Whether different people have different names. */
  default boolean isPersonal() {
    return true;
  }

  /**
   * Everyone who reaches the console has one name.
   *
   * @param everyone the name
   */
  record None(String everyone) implements Identification {
    @Override
    public Optional<String> name(Claim claim) {
      return Optional.of(everyone);
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
    public Optional<String> name(Claim claim) {
      return claim
          .authorization()
          .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
          .flatMap(text -> tokens.name(text.substring(SCHEME.length()).strip()));
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
    public Optional<String> name(Claim claim) {
      return proxies.contains(claim.from()) && claim.identities().size() == 1
          ? Optional.of(claim.identities().get(0).strip()).filter(Identification::isName)
          : Optional.empty();
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= LONGEST_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }
}

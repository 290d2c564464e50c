package io.waterclock.connect.webhook;

import io.waterclock.connect.rules.AddressRule;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Resolves names, and refuses those that lead to an internal address. A connection goes to the very
 * addresses that were judged here, so a name server that answers otherwise a moment later changes
 * nothing. Thread-safe.
 */
final class CheckedResolver implements DnsResolver {
  /** A name that leads where it may not. */
  static final class ForbiddenAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    ForbiddenAddressException(String message) {
      super(message);
    }
  }

  private final AddressRule rule;
  private final DnsResolver names;

  CheckedResolver(AddressRule rule) {
    this(rule, SystemDefaultDnsResolver.INSTANCE);
  }

  CheckedResolver(AddressRule rule, DnsResolver names) {
    this.rule = rule;
    this.names = names;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = names.resolve(host);
    for (InetAddress address : addresses) {
      if (!rule.allows(address)) {
        throw new ForbiddenAddressException(
            host
                + " is the internal address "
                + address.getHostAddress()
                + ", and internal.allow does not have it");
      }
    }
    return Arrays.copyOf(addresses, addresses.length);
  }

  @Override
  public String resolveCanonicalHostname(String host) throws UnknownHostException {
    return names.resolveCanonicalHostname(host);
  }
}

package io.waterclock.connect.webhook;

import io.waterclock.connect.rules.AddressRule;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Resolves host names, and refuses those with an internal address. The connection uses the
 * addresses that this class has checked, so a name server that later answers with another address
 * has no effect. Thread-safe.
 */
record CheckedResolver(AddressRule rule, DnsResolver names) implements DnsResolver {
  static final class ForbiddenAddressException extends UnknownHostException {
    ForbiddenAddressException(String message) {
      super(message);
    }
  }

  CheckedResolver(AddressRule rule) {
    this(rule, SystemDefaultDnsResolver.INSTANCE);
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = names.resolve(host);
    for (InetAddress address : addresses) {
      if (!rule.allows(address)) {
        throw new ForbiddenAddressException(
            "%s is the internal address %s, which internal.allow does not contain"
                .formatted(host, address.getHostAddress()));
      }
    }
    return Arrays.copyOf(addresses, addresses.length);
  }

  @Override
  public String resolveCanonicalHostname(String host) throws UnknownHostException {
    return names.resolveCanonicalHostname(host);
  }
}

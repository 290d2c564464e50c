package io.waterclock.connect.rules;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Decides to which addresses the connector may connect: all global addresses, and the permitted
 * internal ones. Internal are the special-purpose addresses in IANA's registries (RFC 6890 and its
 * successors), multicast, and 168.63.129.16, the address at which Azure answers its machines. An
 * IPv6 address that embeds an IPv4 address counts as that address. Immutable.
 *
 * @param permitted the internal ranges to which the connector may connect
 */
public record AddressRule(List<AddressRange> permitted) {
  private static final List<AddressRange> INTERNAL =
      Arrays.stream(
              ("0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 "
                      + "172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 "
                      + "198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 "
                      + "::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 "
                      + "3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8")
                  .split(" "))
          .map(AddressRange::parse)
          .toList();
  private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");
  private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");

  public AddressRule {
    permitted = List.copyOf(permitted);
  }

  public boolean allows(InetAddress address) {
    return permitted.stream().anyMatch(range -> range.contains(address)) || !isInternal(address);
  }

  private static boolean isInternal(InetAddress address) {
    if (NAT64.contains(address)) {
      return isInternal(embedded(address, 12));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return isInternal(embedded(address, 2));
    }
    return INTERNAL.stream().anyMatch(range -> range.contains(address));
  }

  private static InetAddress embedded(InetAddress address, int from) {
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(address.getAddress(), from, from + 4));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are a valid address", e);
    }
  }
}

package io.waterclock.connect.rules;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be connected to: all that are reachable from everywhere, and of the others
 * those that are permitted. What is not global is what IANA's registries of special-purpose
 * addresses say (RFC 6890 and its successors), with multicast, and the one address outside of them
 * at which a cloud answers its own machines (168.63.129.16, of Azure). An IPv6 address that stands
 * for one of IPv4 is judged as that. Immutable.
 *
 * @param permitted internal ranges that may be connected to all the same
 */
public record AddressRule(List<AddressRange> permitted) {
  private static final List<AddressRange> INTERNAL =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "168.63.129.16/32",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/96",
              "::ffff:0:0:0/96",
              "64:ff9b:1::/48",
              "100::/64",
              "2001::/23",
              "2001:db8::/32",
              "3fff::/20",
              "5f00::/16",
              "fc00::/7",
              "fe80::/10",
              "fec0::/10",
              "ff00::/8")
          .map(AddressRange::parse)
          .toList();
  private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");
  private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");

  public AddressRule {
    permitted = List.copyOf(permitted);
  }

  /** Whether a connection may be made. */
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
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}

package io.waterclock.connect.rules;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A range of IP addresses in CIDR form, for example {@code 10.0.0.0/8} or {@code fd00::/8}.
 *
 * @param address any address of the range
 * @param bits the number of leading bits that all addresses of the range share
 */
public record AddressRange(InetAddress address, int bits) {

  /**
   * Parses {@code address/bits}, or an address alone, which is a range of one. Makes no DNS
   * request.
   *
   * @throws IllegalArgumentException if the text is not a range
   */
  public static AddressRange parse(String text) {
    String[] parts = text.strip().split("/", -1);
    boolean isLiteral = parts[0].matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    if (isLiteral && parts.length <= 2) {
      try {
        InetAddress address = InetAddress.getByName(parts[0]);
        int length = address.getAddress().length * 8;
        int bits = parts.length == 1 ? length : Integer.parseInt(parts[1]);
        if (bits >= 0 && bits <= length) {
          return new AddressRange(address, bits);
        }
      } catch (UnknownHostException | NumberFormatException e) {
        throw wrong(text);
      }
    }
    throw wrong(text);
  }

  /** Whether the range contains the address; never for the other IP version. */
  public boolean contains(InetAddress other) {
    byte[] ours = address.getAddress();
    byte[] theirs = other.getAddress();
    return ours.length == theirs.length
        && new BigInteger(1, ours).xor(new BigInteger(1, theirs)).bitLength()
            <= ours.length * 8 - bits;
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not a range of addresses; for example 10.20.0.0/16 or 127.0.0.1");
  }
}

package io.waterclock.connect.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRuleTest {
  private static final AddressRule STRICT = new AddressRule(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.9.1",
        "0.0.0.0",
        "10.0.0.1",
        "10.255.255.255",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "168.63.129.16",
        "::ffff:168.63.129.16",
        "64:ff9b::168.63.129.16",
        "100.64.0.1",
        "100.127.255.255",
        "192.0.0.8",
        "198.18.0.1",
        "198.19.255.255",
        "224.0.0.1",
        "239.1.2.3",
        "255.255.255.255",
        "240.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "::10.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:0a00:0001::1",
        "2002:7f00:1::",
        "2001:db8::1",
        "2001::1",
        "100::1",
        "2130706433",
        "127.1"
      })
  void internal_addresses_are_refused_however_they_are_written(String address)
      throws UnknownHostException {
    assertThat(STRICT.allows(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "169.253.0.1",
        "168.63.129.15",
        "168.63.129.17",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2a00:1450::1",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1"
      })
  void all_others_are_allowed(String address) throws UnknownHostException {
    assertThat(STRICT.allows(InetAddress.getByName(address))).isTrue();
  }

  @Test
  void permitted_addresses_are_allowed_and_no_others() throws UnknownHostException {
    AddressRule rule =
        new AddressRule(
            List.of(AddressRange.parse("10.20.0.0/15"), AddressRange.parse("fd00:1::/32")));
    assertThat(rule.allows(InetAddress.getByName("10.20.0.0"))).isTrue();
    assertThat(rule.allows(InetAddress.getByName("10.21.255.255"))).isTrue();
    assertThat(rule.allows(InetAddress.getByName("10.22.0.0"))).isFalse();
    assertThat(rule.allows(InetAddress.getByName("10.19.255.255"))).isFalse();
    assertThat(rule.allows(InetAddress.getByName("fd00:1:ffff::1"))).isTrue();
    assertThat(rule.allows(InetAddress.getByName("fd00:2::1"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,32",
    "127.0.0.1/32,32",
    "10.0.0.0/8,8",
    "0.0.0.0/0,0",
    "::1,128",
    "::/0,0"
  })
  void reads_a_range(String text, int bits) {
    assertThat(AddressRange.parse(text).bits()).isEqualTo(bits);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::1/129", "a.b/8"})
  void refuses_invalid_ranges_without_a_dns_request(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .hasMessageContaining("is not a range of addresses; for example 10.20.0.0/16");
  }
}

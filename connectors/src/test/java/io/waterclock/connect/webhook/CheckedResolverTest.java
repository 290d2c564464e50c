package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.connect.rules.AddressRange;
import io.waterclock.connect.rules.AddressRule;
import io.waterclock.connect.rules.HttpHeader;
import io.waterclock.connect.webhook.CheckedResolver.ForbiddenAddressException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.impl.InMemoryDnsResolver;
import org.junit.jupiter.api.Test;

class CheckedResolverTest {
  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void a_name_with_one_internal_address_among_others_is_refused() throws UnknownHostException {
    InMemoryDnsResolver names = new InMemoryDnsResolver();
    names.add("open.example", address("1.1.1.1"), address("8.8.8.8"));
    names.add("mixed.example", address("1.1.1.1"), address("10.0.0.5"));
    CheckedResolver resolver = new CheckedResolver(new AddressRule(List.of()), names);
    assertThat(resolver.resolve("open.example")).hasSize(2);
    assertThatThrownBy(() -> resolver.resolve("mixed.example"))
        .isInstanceOf(ForbiddenAddressException.class)
        .hasMessage(
            "mixed.example is the internal address 10.0.0.5, which internal.allow does not"
                + " contain");
  }

  @Test
  void a_name_that_resolves_otherwise_a_moment_later_gets_nowhere() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    InMemoryDnsResolver names =
        new InMemoryDnsResolver() {
          @Override
          public InetAddress[] resolve(String host) {
            return new InetAddress[] {
              address(asked.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2")
            };
          }
        };
    AddressRule rule = new AddressRule(List.of(AddressRange.parse("127.0.0.1")));
    try (WebhookServer server = WebhookServer.start();
        Http http =
            new Http(
                new CheckedResolver(rule, names),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                2)) {
      URI url = URI.create("http://rebinding.example:" + server.port() + "/x");
      List<HttpHeader> close = List.of(new HttpHeader("Connection", "close"));
      assertThat(http.post(url, close, new byte[0], abort -> {}).code()).isEqualTo(204);
      assertThat(server.received.get(0).header("host")).startsWith("rebinding.example");
      assertThatThrownBy(() -> http.post(url, close, new byte[0], abort -> {}))
          .isInstanceOf(ForbiddenAddressException.class);
      assertThat(asked).hasValue(2);
    }
  }
}

package io.waterclock.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AccessTest {
  private static final RequestGuard GUARD =
      new RequestGuard(List.of("Console.example.com"), new byte[32]);

  @ParameterizedTest
  @CsvSource({
    "ann, VIEWER, any/thing, true",
    "ann, OPERATOR, billing/a, true",
    "ann, OPERATOR, other/a, false",
    "ann, EDITOR, billing/a, false",
    "eve, VIEWER, any/thing, true",
    "eve, OPERATOR, billing/a, false",
    "edda, VIEWER, any/thing, true",
    "edda, OPERATOR, any/thing, true",
    "edda, EDITOR, any/thing, true"
  })
  void roles_hold_for_the_ids_of_their_prefix(
      String name, Role role, String id, boolean isAllowed) {
    AccessRules rules =
        AccessRules.parse("# people\nviewer *\noperator ann billing/ # on call\neditor edda\n");
    assertThat(rules.of(Identity.of(name)).may(role, id)).isEqualTo(isAllowed);
  }

  @Test
  void rules_name_every_wrong_line() {
    assertThatThrownBy(() -> AccessRules.parse("viewer ann\nadmin bob\noperator\n"))
        .isInstanceOf(InvalidAccessException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("line 3")
        .hasMessageContaining("operator ann billing/");
  }

  @ParameterizedTest
  @CsvSource({"ann, billing/a, true", "ann, other/a, false", "edda, other/a, true"})
  void payload_and_headers_are_as_if_absent_for_a_viewer(String name, String id, boolean isShown) {
    AccessRules rules = AccessRules.parse("viewer *\noperator ann billing/\neditor edda");
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setDescription("d")
            .setHeaders(Map.of("key", "secret"))
            .setPayload(ByteBuffer.wrap(new byte[] {1}))
            .build();
    Schedule bare = Schedule.newBuilder(schedule).setHeaders(Map.of()).setPayload(null).build();
    KnownSchedule known =
        KnownSchedule.of(id)
            .with(Optional.of(new WrittenDefinition("s-0@7", Optional.of(schedule))))
            .withStatus(
                Optional.of(
                    ScheduleStatus.newBuilder()
                        .setScheduleId(id)
                        .setState(State.ACTIVE)
                        .setRevision("s-0@6")
                        .setSince(Instant.EPOCH)
                        .build()))
            .withRevision(
                Revision.newBuilder()
                    .setScheduleId(id)
                    .setRevision("s-0@6")
                    .setSchedule(schedule)
                    .setOwnsAfter(Instant.EPOCH)
                    .setEffectiveAt(Instant.EPOCH)
                    .setAcceptedAt(Instant.EPOCH)
                    .setTzdb("2026a")
                    .build());
    KnownSchedule shown = rules.of(Identity.of(name)).shown(known).orElseThrow();
    assertThat(shown.schedule()).contains(isShown ? schedule : bare);
    assertThat(shown.definition().orElseThrow().schedule()).contains(isShown ? schedule : bare);
    assertThat(rules.showingPayloads().of(Identity.of(name)).shown(known)).contains(known);
    assertThat(AccessRules.parse("editor ann x/").of(Identity.of("ann")).shown(known)).isEmpty();
    assertThat(known.schedule()).contains(schedule);
  }

  @Test
  void nobody_without_a_rule_sees_anything() {
    Access access = AccessRules.parse("viewer ann").of(Identity.of("bob"));
    assertThat(access.isEmpty()).isTrue();
    assertThat(access.sees("a")).isFalse();
  }

  @Test
  void token_names_its_owner_and_no_message_repeats_a_token() {
    Tokens tokens = Tokens.parse("# tokens\nann 0123456789abcdef\n");
    assertThat(tokens.name("0123456789abcdef")).contains("ann");
    assertThat(tokens.name("0123456789abcdeg")).isEmpty();
    assertThatThrownBy(() -> Tokens.parse("ann secret"))
        .hasMessageContaining("line 1")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> Tokens.parse("")).hasMessageContaining("NAME TOKEN");
  }

  @Test
  void bearer_token_is_needed_in_its_header() {
    Identification bearer = new Identification.Bearer(Tokens.parse("ann 0123456789abcdef"));
    assertThat(bearer.identity(claim("Bearer 0123456789abcdef"))).contains(Identity.of("ann"));
    assertThat(bearer.identity(claim("bearer  0123456789abcdef"))).contains(Identity.of("ann"));
    assertThat(bearer.identity(claim("Basic 0123456789abcdef"))).isEmpty();
    assertThat(bearer.identity(claim("Bearer "))).isEmpty();
  }

  private static Identification.Claim claim(String authorization) {
    return new Identification.Claim(
        Optional.of(authorization), List.of(), InetAddress.getLoopbackAddress(), Optional.empty());
  }

  @Test
  void identity_header_counts_once_and_from_the_proxy_alone() throws UnknownHostException {
    InetAddress proxy = InetAddress.getByName("10.0.0.1");
    Identification identification = new Identification.Proxy("X-User", Set.of(proxy));
    assertThat(identification.identity(header(proxy, "ann"))).contains(Identity.of("ann"));
    assertThat(identification.identity(header(InetAddress.getByName("10.0.0.2"), "ann"))).isEmpty();
    assertThat(identification.identity(header(proxy, "ann", "eve"))).isEmpty();
    assertThat(identification.identity(header(proxy))).isEmpty();
    assertThat(identification.identity(header(proxy, " "))).isEmpty();
    assertThat(identification.identity(header(proxy, "a".repeat(101)))).isEmpty();
  }

  private static Identification.Claim header(InetAddress from, String... values) {
    return new Identification.Claim(Optional.empty(), List.of(values), from, Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8086, true",
    "localhost, true",
    "LOCALHOST:1, true",
    "[::1]:8086, true",
    "console.example.com, true",
    "evil.example.com, false",
    "console.example.com.evil.com, false",
    "localhost.evil.com, false",
    "127.0.0.1.evil.com, false",
    "'', false"
  })
  void host_is_an_address_or_a_known_name(String host, boolean isKnown) {
    assertThat(GUARD.isKnownHost(Optional.of(host))).isEqualTo(isKnown);
    assertThat(GUARD.isKnownHost(Optional.empty())).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8086, same-origin, true",
    "https://localhost:8086, , true",
    ", , true",
    ", none, true",
    "http://localhost:9999, , false",
    "http://evil.example.com, , false",
    "null, , false",
    "http://localhost:8086, cross-site, false",
    ", same-site, false"
  })
  void change_comes_from_the_console_itself(String origin, String site, boolean isOwn) {
    assertThat(
            GUARD.isOwnOrigin(
                Optional.ofNullable(origin),
                Optional.ofNullable(site),
                Optional.of("localhost:8086")))
        .isEqualTo(isOwn);
  }

  @Test
  void token_against_forgery_is_good_for_one_person_and_one_console() {
    String token = GUARD.token("ann");
    assertThat(GUARD.isToken(Optional.of(token), "ann")).isTrue();
    assertThat(GUARD.isToken(Optional.of(token), "eve")).isFalse();
    assertThat(GUARD.isToken(Optional.empty(), "ann")).isFalse();
    byte[] other = new byte[32];
    other[0] = 1;
    assertThat(new RequestGuard(List.of(), other).isToken(Optional.of(token), "ann")).isFalse();
  }
}

package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Tokens;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.login.OpenIdLogin;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Logins at an OpenID provider that checks the proof key, as a browser would make them. The
 * provider sends browsers to the public address of the console; the test goes to the real one.
 */
final class OpenIdLoginTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String PUBLIC = "https://console.example.com";
  private static final String TOKEN = "0123456789abcdef";

  private final MockOAuth2Server provider = new MockOAuth2Server();
  private Instant now = Instant.now();
  private TopicFollower follower;
  private ConsoleServer server;

  /** What a browser keeps. */
  private final Map<String, String> cookies = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    provider.start(InetAddress.getLoopbackAddress(), 0);
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1_000, 100));
    TopicReader noBroker =
        new TopicReader(
            () -> {
              throw new KafkaException("there is no broker");
            });
    TopicSource source = new TopicSource(noBroker, Topics.ofDefault(), SchemaSource.none());
    follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1_000, InstantSource.system()));
    AccessRules rules = AccessRules.parse("viewer ann@example.com\noperator @ops billing/");
    OpenIdLogin login =
        new OpenIdLogin(
            new OpenIdLogin.Settings(
                provider.issuerUrl("waterclock").uri(),
                "console",
                Optional.of("s3cret"),
                URI.create(PUBLIC),
                "email",
                Optional.of("realm_access.roles"),
                rules.groups()),
            () -> now);
    server =
        ConsoleServer.start(
            new ConsoleServer.Listening(
                "127.0.0.1",
                0,
                rules,
                new Identification.OpenId(
                    login,
                    Optional.of(
                        new Identification.Bearer(Tokens.parse("ann@example.com " + TOKEN))))),
            new ConsoleServer.Served(
                model,
                follower,
                source,
                Optional.empty(),
                new ConsoleServer.Offer(List.of("console.example.com"), List.of())),
            InstantSource.system());
  }

  @AfterEach
  void stop() {
    server.close();
    follower.close();
    provider.shutdown();
  }

  private HttpResponse<String> get(String address, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(real(address)));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining("; ")));
    }
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    for (String set : answer.headers().allValues("Set-Cookie")) {
      String[] pair = set.split(";")[0].split("=", 2);
      if (set.contains("Max-Age=0;")) {
        cookies.remove(pair[0]);
      } else {
        cookies.put(pair[0], pair[1]);
      }
    }
    return answer;
  }

  private String real(String address) {
    String here = "http://127.0.0.1:" + server.port();
    return address.startsWith("/") ? here + address : address.replace(PUBLIC, here);
  }

  private static String place(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(302, 303);
    return answer.headers().firstValue("Location").orElseThrow();
  }

  /** What the provider says of the person that it lets in next. */
  private void says(Map<String, Object> claims) {
    provider.enqueueCallback(
        new DefaultOAuth2TokenCallback(
            "waterclock", "subject", "JWT", List.of("console"), claims, 600));
  }

  /** Where the provider sends the browser after a login. */
  private String back() throws Exception {
    return place(get(place(get("/login"))));
  }

  private JsonNode session() throws Exception {
    HttpResponse<String> answer = get("/api/v1/session");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  void a_person_logs_in_acts_by_the_groups_of_the_provider_and_logs_out() throws Exception {
    HttpResponse<String> unknown = get("/api/v1/session");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(JSON.readTree(unknown.body()).path("login").asText()).isEqualTo("/login");

    HttpResponse<String> begun = get("/login?to=%23%2Fschedule%3Fid%3Da");
    assertThat(begun.headers().firstValue("Set-Cookie").orElseThrow())
        .startsWith("__Host-waterclock-login=")
        .endsWith("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure");
    assertThat(place(begun))
        .startsWith(provider.authorizationEndpointUrl("waterclock").toString())
        .contains("response_type=code", "code_challenge_method=S256", "nonce=", "state=")
        .contains("redirect_uri=https%3A%2F%2Fconsole.example.com%2Flogin%2Fback");
    says(
        Map.of(
            "email",
            "ann@example.com",
            "realm_access",
            Map.of("roles", List.of("ops", "of no meaning here"))));
    HttpResponse<String> back = get(place(get(place(begun))));
    assertThat(place(back)).isEqualTo("/#/schedule?id=a");
    assertThat(back.headers().allValues("Set-Cookie"))
        .anyMatch(
            cookie ->
                cookie.startsWith("__Host-waterclock-session=")
                    && cookie.endsWith(
                        "; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure"));
    assertThat(cookies).containsOnlyKeys("__Host-waterclock-session");

    assertThat(session().path("name").asText()).isEqualTo("ann@example.com");
    assertThat(session().path("logout").asText()).isEqualTo("/logout");
    get(session().path("logout").asText());
    assertThat(cookies).isEmpty();
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  @Test
  void groups_alone_give_roles_and_a_name_like_a_group_gives_none() throws Exception {
    says(Map.of("email", "bob@example.com", "realm_access", Map.of("roles", "ops")));
    get(back());
    assertThat(session().path("grants")).as("only reads").hasSize(0);
    assertThat(session().path("name").asText()).isEqualTo("bob@example.com");
    says(Map.of("email", "@ops"));
    get(back());
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(403);
  }

  @Test
  void a_session_ends_after_eight_hours_and_no_other_console_knows_it() throws Exception {
    says(Map.of("email", "ann@example.com"));
    get(back());
    now = now.plus(Duration.ofHours(8)).minusSeconds(1);
    session();
    now = now.plusSeconds(1);
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
    now = now.minusSeconds(60);
    cookies.replaceAll((name, value) -> value.substring(0, value.length() - 3) + "AAA");
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  @Test
  void a_login_is_of_no_use_in_another_browser_or_with_another_state() throws Exception {
    says(Map.of("email", "ann@example.com"));
    String back = back();
    Map<String, String> own = Map.copyOf(cookies);
    cookies.clear();
    assertThat(place(get(back))).isEqualTo("/#/?login=expired");
    back();
    assertThat(place(get(back))).as("begun anew").isEqualTo("/#/?login=expired");
    cookies.clear();
    cookies.putAll(own);
    now = now.plus(Duration.ofMinutes(10));
    assertThat(place(get(back))).as("too late").isEqualTo("/#/?login=expired");
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  /**
   * Who has seen another person's code cannot use it: the proof key is in that person's browser.
   */
  @Test
  void a_code_of_another_login_is_refused() throws Exception {
    says(Map.of("email", "ann@example.com"));
    String stolen = back().replaceFirst(".*[?&]code=([^&]*).*", "$1");
    cookies.clear();
    String own = back();
    assertThat(place(get(own.replaceFirst("code=[^&]*", "code=" + stolen))))
        .isEqualTo("/#/?login=refused");
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void a_token_that_names_nobody_for_certain_lets_nobody_in(boolean isNamed, boolean isVerified)
      throws Exception {
    says(
        isNamed
            ? Map.of("email", "ann@example.com", "email_verified", isVerified)
            : Map.of("email_verified", isVerified));
    assertThat(place(get(back()))).isEqualTo("/#/?login=nameless");
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(401);
  }

  @Test
  void nor_does_one_that_says_in_a_text_that_its_address_is_not_verified() throws Exception {
    says(Map.of("email", "ann@example.com", "email_verified", "false"));
    assertThat(place(get(back()))).isEqualTo("/#/?login=nameless");
    says(Map.of("email", "ann@example.com", "email_verified", "true"));
    get(back());
    assertThat(session().path("name").asText()).isEqualTo("ann@example.com");
  }

  /** The first one shows that the others would be good but for what is wrong with them. */
  @ParameterizedTest
  @CsvSource({
    "name, Ann, true",
    "aud, another, false",
    "iss, https://id.example.com, false",
    "nonce, of another login, false",
    "exp, 1, false"
  })
  void a_token_for_others_or_of_others_lets_nobody_in(String claim, String value, boolean isGood)
      throws Exception {
    says(
        Map.of(
            "email", "ann@example.com", claim, claim.equals("exp") ? Long.valueOf(value) : value));
    assertThat(place(get(back()))).isEqualTo(isGood ? "/#/" : "/#/?login=provider");
    assertThat(get("/api/v1/session").statusCode()).isEqualTo(isGood ? 200 : 401);
  }

  @Test
  void the_provider_may_refuse_and_a_login_leads_to_no_other_site() throws Exception {
    String back = back();
    String state = back.replaceFirst(".*[?&]state=([^&]*).*", "$1");
    assertThat(place(get("/login/back?error=access_denied&state=" + state)))
        .isEqualTo("/#/?login=refused");
    says(Map.of("email", "ann@example.com"));
    String elsewhere = place(get("/login?to=%2F%2Fevil.example.com"));
    assertThat(place(get(place(get(elsewhere))))).isEqualTo("/#/");
  }

  @Test
  void programs_carry_tokens_and_a_wrong_one_is_no_login() throws Exception {
    says(Map.of("email", "ann@example.com"));
    get(back());
    assertThat(get("/api/v1/session", "Authorization", "Bearer x").statusCode()).isEqualTo(401);
    cookies.clear();
    assertThat(get("/api/v1/session", "Authorization", "Bearer " + TOKEN).statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_provider_that_is_away_is_asked_again_at_the_next_login() throws Exception {
    int port = provider.baseUrl().port();
    provider.shutdown();
    assertThat(place(get("/login"))).isEqualTo("/#/?login=provider");
    MockOAuth2Server again = new MockOAuth2Server();
    again.start(InetAddress.getLoopbackAddress(), port);
    try {
      assertThat(place(get("/login")))
          .startsWith(again.authorizationEndpointUrl("waterclock").toString());
    } finally {
      again.shutdown();
    }
  }
}

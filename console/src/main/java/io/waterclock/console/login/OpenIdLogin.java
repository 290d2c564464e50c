package io.waterclock.console.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.waterclock.console.access.Identity;
import io.waterclock.console.access.Logins;
import io.waterclock.schemas.text.Quoted;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Logs people in at an OpenID provider: the authorization code flow of OpenID Connect with PKCE
 * (RFC 7636), a state and a nonce. The server keeps nothing of a login or a person; the browser
 * holds both in sealed cookies, so a restart of the process ends them. Thread-safe.
 */
public final class OpenIdLogin implements Logins {
  /** Where a login begins, and where it ends. */
  public static final String BEGIN = "/login";

  /** Where the provider sends the browser back. */
  public static final String BACK = "/login/back";

  public static final String LOGOUT = "/logout";

  private static final Duration LOGIN_TAKES = Duration.ofMinutes(10);
  private static final Duration SESSION = Duration.ofHours(8);
  private static final int LONGEST_PLACE = 1_000;
  private static final Pattern PLACE = Pattern.compile("#/[!-~]*");
  private static final String GROUPS = "groups";
  private static final String EMAIL = "email";

  /**
   * What the operator decides.
   *
   * @param issuer the provider, as it calls itself
   * @param secret of the client; empty for a public one
   * @param console where browsers reach this console, without a path
   * @param nameClaim the claim of the ID token that names the person
   * @param groupsClaim the claim whose values are the person's groups: a text or a list, a dot
   *     stands between the names of nested objects
   * @param knownGroups those that access rules name; others are not kept
   */
  public record Settings(
      URI issuer,
      String client,
      Optional<String> secret,
      URI console,
      String nameClaim,
      Optional<String> groupsClaim,
      Set<String> knownGroups) {
    boolean isSecure() {
      return "https".equalsIgnoreCase(console.getScheme());
    }
  }

  /**
   * Where the browser goes next.
   *
   * @param cookies values of {@code Set-Cookie}
   */
  public record Redirect(String place, List<String> cookies) {}

  private final Settings settings;
  private final OpenIdProvider provider;
  private final ClientID client;
  private final URI back;
  private final SealedCookie logins;
  private final SealedCookie sessions;

  /** Logins that end by a clock. */
  public OpenIdLogin(Settings settings, InstantSource clock) {
    this.settings = settings;
    this.provider = new OpenIdProvider(settings.issuer(), settings.client());
    this.client = new ClientID(settings.client());
    this.back = settings.console().resolve(BACK);
    this.logins =
        new SealedCookie("waterclock-login", LOGIN_TAKES, settings.isSecure(), "Lax", clock);
    this.sessions =
        new SealedCookie("waterclock-session", SESSION, settings.isSecure(), "Strict", clock);
  }

  /** Whether a request for this path is about a login. */
  public static boolean isPath(String path) {
    return path.equals(BEGIN) || path.equals(BACK) || path.equals(LOGOUT);
  }

  @Override
  public String cookie() {
    return sessions.name();
  }

  /** Who has logged in; empty if nobody has, or more than eight hours ago. */
  @Override
  public Optional<Identity> identity(String cookie) {
    return sessions
        .open(cookie)
        .map(
            claims ->
                new Identity(
                    claims.getSubject(),
                    new HashSet<>(texts(Optional.ofNullable(claims.getClaim(GROUPS))))));
  }

  /**
   * Answers a request of a path of {@link #isPath}. Waits for the provider, three requests at most.
   *
   * @param asked the address with its query
   * @param place the fragment of the console's address to come back to
   * @throws LoginException if the login failed; the browser gets {@link #failed}
   */
  public Redirect answer(URI asked, Map<String, String> cookies, Optional<String> place)
      throws LoginException {
    return switch (asked.getPath()) {
      case BEGIN -> begin(place);
      case BACK -> end(asked, Optional.ofNullable(cookies.get(logins.name())));
      default -> new Redirect("/", List.of(sessions.removed(), logins.removed()));
    };
  }

  /** Where the browser goes after a login that failed. */
  public static Redirect failed(LoginException failure) {
    return new Redirect("/#/?login=" + failure.reason().name().toLowerCase(Locale.ROOT), List.of());
  }

  private Redirect begin(Optional<String> place) throws LoginException {
    State state = new State();
    Nonce nonce = new Nonce();
    CodeVerifier verifier = new CodeVerifier();
    URI page =
        new AuthenticationRequest.Builder(
                ResponseType.CODE, new Scope("openid", "profile", EMAIL), client, back)
            .endpointURI(provider.known().metadata().getAuthorizationEndpointURI())
            .state(state)
            .nonce(nonce)
            .codeChallenge(verifier, CodeChallengeMethod.S256)
            .build()
            .toURI();
    JWTClaimsSet begun =
        new JWTClaimsSet.Builder()
            .claim("state", state.getValue())
            .claim("nonce", nonce.getValue())
            .claim("verifier", verifier.getValue())
            .claim("place", place.filter(OpenIdLogin::isPlace).orElse("#/"))
            .build();
    return new Redirect(page.toString(), List.of(logins.set(begun)));
  }

  private static boolean isPlace(String place) {
    return place.length() <= LONGEST_PLACE && PLACE.matcher(place).matches();
  }

  private Redirect end(URI asked, Optional<String> cookie) throws LoginException {
    JWTClaimsSet begun =
        cookie
            .flatMap(logins::open)
            .orElseThrow(
                () ->
                    new LoginException(
                        LoginException.Reason.EXPIRED,
                        "A login came back whose beginning this browser does not know"));
    try {
      AuthenticationResponse response = AuthenticationResponseParser.parse(asked);
      if (!new State(text(begun, "state")).equals(response.getState())) {
        throw new LoginException(
            LoginException.Reason.EXPIRED, "A login came back with the state of another one");
      }
      if (!response.indicatesSuccess()) {
        throw refused(response.toErrorResponse().getErrorObject());
      }
      JWTClaimsSet claims =
          claims(
              new AuthorizationCodeGrant(
                  response.toSuccessResponse().getAuthorizationCode(),
                  back,
                  new CodeVerifier(text(begun, "verifier"))),
              new Nonce(text(begun, "nonce")));
      JWTClaimsSet session =
          new JWTClaimsSet.Builder().subject(name(claims)).claim(GROUPS, groups(claims)).build();
      return new Redirect(
          "/" + text(begun, "place"), List.of(sessions.set(session), logins.removed()));
    } catch (ParseException | java.text.ParseException | IOException e) {
      throw new LoginException(
          LoginException.Reason.PROVIDER, "The OpenID provider does not answer as it should", e);
    } catch (BadJOSEException | JOSEException e) {
      throw new LoginException(
          LoginException.Reason.PROVIDER, "The ID token of a login is not valid", e);
    }
  }

  private JWTClaimsSet claims(AuthorizationCodeGrant grant, Nonce nonce)
      throws LoginException,
          ParseException,
          java.text.ParseException,
          IOException,
          BadJOSEException,
          JOSEException {
    OpenIdProvider.Known known = provider.known();
    URI place = known.metadata().getTokenEndpointURI();
    TokenRequest request =
        settings
            .secret()
            .map(secret -> authentication(secret, known.metadata()))
            .map(proof -> new TokenRequest.Builder(place, proof, grant).build())
            .orElseGet(() -> new TokenRequest.Builder(place, client, grant).build());
    TokenResponse response = OIDCTokenResponseParser.parse(provider.send(request.toHTTPRequest()));
    if (!response.indicatesSuccess()) {
      throw refused(response.toErrorResponse().getErrorObject());
    }
    return known
        .tokens()
        .validate(
            ((OIDCTokenResponse) response.toSuccessResponse()).getOIDCTokens().getIDToken(), nonce)
        .toJWTClaimsSet();
  }

  private ClientAuthentication authentication(String secret, OIDCProviderMetadata metadata) {
    List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
    return methods == null || methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        ? new ClientSecretBasic(client, new Secret(secret))
        : new ClientSecretPost(client, new Secret(secret));
  }

  private static LoginException refused(ErrorObject error) {
    return new LoginException(
        LoginException.Reason.REFUSED,
        "The OpenID provider refused a login: %s %s"
            .formatted(
                Quoted.of(String.valueOf(error.getCode())),
                Quoted.of(String.valueOf(error.getDescription()))));
  }

  /**
   * An address of mail that the provider has not verified could be another person's. Some providers
   * say so in a text.
   */
  private String name(JWTClaimsSet claims) throws LoginException {
    String claim = settings.nameClaim();
    boolean isDoubtful =
        claim.equals(EMAIL)
            && "false".equalsIgnoreCase(String.valueOf(claims.getClaim("email_verified")));
    return Optional.ofNullable(claims.getClaim(claim))
        .filter(value -> !isDoubtful)
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(Identity::isName)
        .orElseThrow(
            () ->
                new LoginException(
                    LoginException.Reason.NAMELESS,
                    "The ID token has no usable claim %s%s; it has %s"
                        .formatted(
                            claim,
                            isDoubtful ? " (email_verified is false)" : "",
                            claims.getClaims().keySet())));
  }

  private List<String> groups(JWTClaimsSet claims) {
    return settings.groupsClaim().stream()
        .flatMap(claim -> texts(value(claims.getClaims(), claim)).stream())
        .filter(settings.knownGroups()::contains)
        .toList();
  }

  /** The claim of this very name, or what is nested at its dots. */
  private static Optional<Object> value(Map<?, ?> tree, String path) {
    int dot = path.indexOf('.');
    if (tree.containsKey(path) || dot < 0) {
      return Optional.ofNullable(tree.get(path));
    }
    return tree.get(path.substring(0, dot)) instanceof Map<?, ?> nested
        ? value(nested, path.substring(dot + 1))
        : Optional.empty();
  }

  private static List<String> texts(Optional<Object> value) {
    return value
        .map(found -> found instanceof List<?> many ? many : List.of(found))
        .orElse(List.of())
        .stream()
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .collect(Collectors.toList());
  }

  private static String text(JWTClaimsSet claims, String name) {
    return (String) Objects.requireNonNull(claims.getClaim(name));
  }
}

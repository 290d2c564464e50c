package io.waterclock.cli.serve;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.console.Console;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.InvalidAccessException;
import io.waterclock.console.access.Role;
import io.waterclock.console.access.Tokens;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.login.OpenIdLogin;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.occurrences.tzdb.InvalidZoneDataException;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.occurrences.tzdb.ZoneDataPin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * How a console is served, and who may do what: the options of the command console, or the settings
 * {@code console.*} of an instance.
 */
final class ConsoleOptions {
  private static final long MB = 1_000_000;
  private static final int LEAST_MB = 8;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      paramLabel = "ADDRESS",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  String host = "127.0.0.1";

  @Option(
      names = "--port",
      defaultValue = "8086",
      paramLabel = "PORT",
      description = "The port to listen on; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8086;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "What everyone may do who reaches the console, without --access: ${COMPLETION-CANDIDATES}"
              + " (default: VIEWER, which only reads).")
  Optional<Role> role = Optional.empty();

  @Option(
      names = "--access",
      paramLabel = "FILE",
      description =
          "Who may do what, one rule a line: ROLE NAME [PREFIX], for example 'operator ann"
              + " billing/'.")
  Optional<Path> access = Optional.empty();

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "People by their bearer tokens, one a line: NAME TOKEN.")
  Optional<Path> tokens = Optional.empty();

  @Option(
      names = "--identity-header",
      paramLabel = "NAME",
      description =
          "The header in which a proxy names the person, for example X-Forwarded-User; needs"
              + " --trusted-proxy.")
  Optional<String> identityHeader = Optional.empty();

  @Option(
      names = "--trusted-proxy",
      paramLabel = "ADDRESS",
      description = "The address from which that header is believed; may be repeated.")
  List<String> trustedProxies = List.of();

  @Option(
      names = "--openid-issuer",
      paramLabel = "URL",
      description =
          "The OpenID provider at which people log in, as it calls itself; needs"
              + " --openid-client and --url.")
  Optional<URI> issuer = Optional.empty();

  @Option(
      names = "--openid-client",
      paramLabel = "ID",
      description = "The id of the console at the provider.")
  Optional<String> client = Optional.empty();

  @Option(
      names = "--openid-secret",
      paramLabel = "FILE",
      description = "The secret of that client; without it the client is a public one.")
  Optional<Path> clientSecret = Optional.empty();

  @Option(
      names = "--openid-name",
      paramLabel = "CLAIM",
      description =
          "The claim of the ID token that names a person to --access and in histories (default:"
              + " email).")
  Optional<String> nameClaim = Optional.empty();

  @Option(
      names = "--openid-groups",
      paramLabel = "CLAIM",
      description =
          "The claim with a person's groups, for example groups or realm_access.roles; rules of"
              + " --access name a group with @: 'operator @ops billing/'.")
  Optional<String> groupsClaim = Optional.empty();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "Where browsers reach the console, for example https://console.example.com; the provider"
              + " leads back to its path "
              + OpenIdLogin.BACK
              + ".")
  Optional<URI> url = Optional.empty();

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description =
          "A name under which browsers reach the console, beside localhost and addresses; may be"
              + " repeated.")
  List<String> hosts = List.of();

  @Option(names = "--show-payloads", description = "Show payloads and headers to viewers, too.")
  boolean showPayloads;

  @Option(
      names = "--fires",
      defaultValue = "10000000",
      paramLabel = "COUNT",
      description =
          "How many of the newest fires to keep, at about 33 MB a million and in a third of"
              + " --memory at most (default: ${DEFAULT-VALUE}).")
  int fires = 10_000_000;

  @Option(
      names = "--memory",
      paramLabel = "MEGABYTES",
      description =
          "How much of the heap to fill with what the topics hold; the console says what has no"
              + " room (default: half of the heap).")
  Optional<Integer> memory = Optional.empty();

  /** Without {@link #memory}: the console fills one part of so many of the heap. */
  int parts = 2;

  @Option(
      names = "--tzdb",
      paramLabel = "FILE[,FILE@INSTANT]",
      description =
          "Other time-zone data with which people may compare, as for waterclock diff; may be"
              + " repeated.")
  List<String> tzdb = List.of();

  private final UnaryOperator<String> named;

  ConsoleOptions() {
    this(name -> "--" + name);
  }

  /**
   * @param named how people write an option, from its name
   */
  ConsoleOptions(UnaryOperator<String> named) {
    this.named = named;
  }

  /** Whether everyone may only look. */
  boolean onlyReads() {
    return rules().grants().stream().allMatch(grant -> grant.role() == Role.VIEWER);
  }

  /**
   * @param zone of schedules that name none
   * @param clock by which logins end
   */
  Console.Settings settings(ZoneId zone, InstantSource clock) {
    return new Console.Settings(
        new ConsoleServer.Listening(host, port, rules(), identification(clock)),
        new ConsoleServer.Offer(
            Stream.concat(hosts.stream(), url.stream().map(URI::getHost)).toList(),
            zoneData(named("tzdb"), tzdb)),
        zone,
        ModelWriter.Limits.of(bytes(), fires));
  }

  private long bytes() {
    return memory.map(mb -> mb * MB).orElse(heap() / parts);
  }

  private static long heap() {
    return Runtime.getRuntime().maxMemory();
  }

  /** What contradicts itself, or would let people in by mistake. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    boolean knowsPeople = tokens.isPresent() || identityHeader.isPresent() || issuer.isPresent();
    problems.addAll(problemsOfOpenId());
    if (port < 0 || port > 65_535) {
      problems.add(named("port") + " must be from 0 (any free port) to 65535, not " + port + ".");
    }
    if (fires < 1) {
      problems.add(named("fires") + " must be at least 1, not " + fires + ".");
    }
    long most = heap() / MB * 2 / 3;
    if (memory.isPresent() && (memory.get() < LEAST_MB || memory.get() > most)) {
      problems.add(
          "%s must be from %s to %s (MB, two thirds of the heap), not %s: give the process a larger"
                  .formatted(named("memory"), LEAST_MB, most, memory.get())
              + " heap, with WATERCLOCK_OPTS=-Xmx...");
    }
    if (tokens.isPresent() && identityHeader.isPresent()) {
      problems.add(
          "Either %s or %s says who asks, not both."
              .formatted(named("tokens"), named("identity-header")));
    }
    if (identityHeader.isPresent() == trustedProxies.isEmpty()) {
      problems.add(
          "%s and %s belong together: anyone could write the header."
              .formatted(named("identity-header"), named("trusted-proxy")));
    }
    if (access.isPresent() && !knowsPeople) {
      problems.add(
          "%s needs %s, %s or %s, which say who asks."
              .formatted(
                  named("access"),
                  named("tokens"),
                  named("identity-header"),
                  named("openid-issuer")));
    }
    if (access.isPresent() && role.isPresent()) {
      problems.add(
          "Either %s or %s says what people may do, not both."
              .formatted(named("access"), named("role")));
    }
    if (!knowsPeople && !address(host).isLoopbackAddress()) {
      problems.add(
          "On %s everyone in the network would see all schedules: %s, %s or %s must say who asks."
              .formatted(host, named("tokens"), named("identity-header"), named("openid-issuer")));
    }
    return problems;
  }

  private List<String> problemsOfOpenId() {
    List<String> problems = new ArrayList<>();
    if (issuer.isPresent() != client.isPresent() || issuer.isPresent() != url.isPresent()) {
      problems.add(
          "%s, %s and %s belong together."
              .formatted(named("openid-issuer"), named("openid-client"), named("url")));
    }
    if (issuer.isEmpty()
        && (clientSecret.isPresent() || nameClaim.isPresent() || groupsClaim.isPresent())) {
      problems.add(
          "%s, %s and %s need %s."
              .formatted(
                  named("openid-secret"),
                  named("openid-name"),
                  named("openid-groups"),
                  named("openid-issuer")));
    }
    if (issuer.isPresent() && identityHeader.isPresent()) {
      problems.add(
          "Either %s or %s says who asks, not both."
              .formatted(named("openid-issuer"), named("identity-header")));
    }
    safe("openid-issuer", issuer).ifPresent(problems::add);
    safe("url", url).ifPresent(problems::add);
    if (url.filter(at -> !List.of("", "/").contains(String.valueOf(at.getPath()))).isPresent()) {
      problems.add(
          named("url") + " must have no path, as the console's pages have none: " + url.get());
    }
    if (access.isPresent() && issuer.isPresent() && groupsClaim.isEmpty()) {
      Set<String> groups = rules().groups();
      if (!groups.isEmpty()) {
        problems.add(
            "%s names the groups %s: %s must say which claim has them."
                .formatted(named("access"), new TreeSet<>(groups), named("openid-groups")));
      }
    }
    return problems;
  }

  /** Secrets and tokens of people travel to these addresses. */
  private Optional<String> safe(String option, Optional<URI> given) {
    return given
        .filter(
            at ->
                at.getHost() == null
                    || !("https".equals(at.getScheme())
                        || ("http".equals(at.getScheme()) && LOOPBACK.contains(at.getHost()))))
        .map(at -> named(option) + " must be an https address (or http on this machine): " + at);
  }

  /**
   * @param name of the option, for messages
   */
  static List<ZoneData> zoneData(String name, List<String> pins) {
    try {
      return pins.stream().map(ZoneDataPin::read).toList();
    } catch (InvalidZoneDataException e) {
      throw new Failure(name + ": " + e.getMessage(), e);
    }
  }

  private AccessRules rules() {
    AccessRules rules =
        access
            .map(file -> parsed("access", file, AccessRules::parse))
            .orElseGet(() -> AccessRules.forEveryone(role.orElse(Role.VIEWER)));
    return showPayloads ? rules.showingPayloads() : rules;
  }

  private Identification identification(InstantSource clock) {
    Optional<Identification.Bearer> bearer =
        tokens.map(file -> new Identification.Bearer(parsed("tokens", file, Tokens::parse)));
    if (issuer.isPresent()) {
      return new Identification.OpenId(
          new OpenIdLogin(
              new OpenIdLogin.Settings(
                  issuer.get(),
                  client.orElseThrow(),
                  clientSecret.map(file -> parsed("openid-secret", file, String::strip)),
                  url.orElseThrow(),
                  nameClaim.orElse("email"),
                  groupsClaim,
                  rules().groups()),
              clock),
          bearer);
    }
    if (bearer.isPresent()) {
      return bearer.get();
    }
    Set<InetAddress> proxies = new HashSet<>();
    trustedProxies.forEach(proxy -> proxies.add(address(proxy)));
    return identityHeader
        .<Identification>map(name -> new Identification.Proxy(name, proxies))
        .orElseGet(() -> new Identification.None(System.getProperty("user.name", "local")));
  }

  private String named(String option) {
    return named.apply(option);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new Failure(text + " is not an address.", e);
    }
  }

  private <T> T parsed(String option, Path file, Function<String, T> parse) {
    try {
      return parse.apply(Files.readString(file));
    } catch (IOException e) {
      throw new Failure(named(option) + ": " + file + " cannot be read.", e);
    } catch (InvalidAccessException e) {
      throw new Failure(
          String.valueOf(e.getMessage())
              .lines()
              .map(line -> named(option) + ": " + file + ", " + line)
              .toList(),
          e);
    }
  }
}

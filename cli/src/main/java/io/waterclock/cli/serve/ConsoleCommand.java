package io.waterclock.cli.serve;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ClusterCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.Console;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.InvalidAccessException;
import io.waterclock.console.access.Role;
import io.waterclock.console.access.Tokens;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.model.ReadModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves the web console until the process ends. */
@Command(
    name = "console",
    description = {
      "Serve a web console: whether schedules fire, why one does not, and commands.",
      "",
      "It follows the topics in its own memory and needs no scheduler. Unless options say otherwise"
          + " it listens on 127.0.0.1 and only reads. docs/console.md shows how to let people in."
    })
public final class ConsoleCommand extends ClusterCommand {
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
          "How many of the newest fires to keep in memory, at about 33 MB a million (default:"
              + " ${DEFAULT-VALUE}).")
  int fires = 10_000_000;

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() throws InterruptedException {
    check();
    Shutdown shutdown = Shutdown.listening();
    ConsoleServer.Listening listening =
        new ConsoleServer.Listening(host, port, rules(), identification());
    boolean reads =
        listening.rules().grants().stream().allMatch(grant -> grant.role() == Role.VIEWER);
    Cluster cluster = cluster();
    Optional<Schedules> schedules =
        reads ? Optional.empty() : Optional.of(shutdown.onExit(schedules()));
    Console console =
        shutdown.onExit(
            start(
                new Console.Settings(
                    listening,
                    hosts,
                    showPayloads,
                    defaultZone.zone(),
                    new ReadModel.Limits(
                        fires,
                        ReadModel.Limits.DEFAULT.missed(),
                        ReadModel.Limits.DEFAULT.deadLetters())),
                new Console.Source(
                    cluster.reader(), cluster.topics(), cluster.schemas(), schedules),
                terminal()));
    shutdown.running();
    println("Console: " + address(host, console) + (reads ? " (read-only)" : ""));
    terminal().flush();
    new CountDownLatch(1).await();
    return ExitCode.OK;
  }

  /** The address to open in a browser. */
  static String address(String host, Console console) {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + (host.equals("0.0.0.0") ? "127.0.0.1" : name) + ":" + console.port() + "/";
  }

  /**
   * Starts a console.
   *
   * @throws Failure if its port is taken
   */
  static Console start(Console.Settings settings, Console.Source source, Terminal terminal) {
    try {
      return Console.start(settings, source, terminal.clock());
    } catch (IOException e) {
      ConsoleServer.Listening listening = settings.listening();
      throw new Failure(
          "The console cannot listen on "
              + listening.host()
              + ":"
              + listening.port()
              + ": "
              + e.getMessage()
              + ". --port chooses another port.",
          e);
    }
  }

  private void check() {
    boolean knowsPeople = tokens.isPresent() || identityHeader.isPresent();
    if (port < 0 || port > 65_535) {
      throw new WrongUsage("--port must be from 0 (any free port) to 65535, not " + port + ".");
    }
    if (fires < 1) {
      throw new WrongUsage("--fires must be at least 1, not " + fires + ".");
    }
    if (tokens.isPresent() && identityHeader.isPresent()) {
      throw new WrongUsage("Either --tokens or --identity-header says who asks, not both.");
    }
    if (identityHeader.isPresent() == trustedProxies.isEmpty()) {
      throw new WrongUsage(
          "--identity-header and --trusted-proxy belong together: anyone could write the header.");
    }
    if (access.isPresent() && !knowsPeople) {
      throw new WrongUsage("--access needs --tokens or --identity-header, which say who asks.");
    }
    if (access.isPresent() && role.isPresent()) {
      throw new WrongUsage("Either --access or --role says what people may do, not both.");
    }
    if (!knowsPeople && !address(host).isLoopbackAddress()) {
      throw new WrongUsage(
          "On "
              + host
              + " everyone in the network would see all schedules: --tokens or --identity-header"
              + " must say who asks.");
    }
  }

  private AccessRules rules() {
    return access
        .map(file -> parsed("--access", file, AccessRules::parse))
        .orElseGet(() -> AccessRules.forEveryone(role.orElse(Role.VIEWER)));
  }

  private Identification identification() {
    if (tokens.isPresent()) {
      return new Identification.Bearer(parsed("--tokens", tokens.get(), Tokens::parse));
    }
    Set<InetAddress> proxies = new HashSet<>();
    trustedProxies.forEach(proxy -> proxies.add(address(proxy)));
    return identityHeader
        .<Identification>map(name -> new Identification.Proxy(name, proxies))
        .orElseGet(() -> new Identification.None(System.getProperty("user.name", "local")));
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new Failure(text + " is not an address.", e);
    }
  }

  private static <T> T parsed(String option, Path file, Function<String, T> parse) {
    try {
      return parse.apply(Files.readString(file));
    } catch (IOException e) {
      throw new Failure(option + ": " + file + " cannot be read.", e);
    } catch (InvalidAccessException e) {
      throw new Failure(
          String.valueOf(e.getMessage())
              .lines()
              .map(line -> option + ": " + file + ", " + line)
              .toList(),
          e);
    }
  }
}

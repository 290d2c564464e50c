package io.waterclock.cli.serve;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.console.access.Role;
import io.waterclock.schemas.text.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The settings of an instance that also serves a console: {@code console=on} and its details. */
final class ConsoleSettings {
  private static final String SWITCH = "console";
  private static final String FIRST = "console.";

  /** A console in the process of a scheduler shares its heap: about 33 MB. */
  private static final int FIRES = 1_000_000;

  /** The console fills a quarter of the heap: 100 MB of the 400 that the manifests give. */
  private static final int PARTS = 4;

  /** What each setting does, by its name as an option; throws for a value that is wrong. */
  private static final Map<String, BiConsumer<ConsoleOptions, String>> SETTINGS =
      new LinkedHashMap<>();

  static {
    SETTINGS.put("host", (options, text) -> options.host = text);
    SETTINGS.put("port", (options, text) -> options.port = number(text));
    SETTINGS.put("role", (options, text) -> options.role = Optional.of(role(text)));
    SETTINGS.put("access", (options, text) -> options.access = Optional.of(Path.of(text)));
    SETTINGS.put("tokens", (options, text) -> options.tokens = Optional.of(Path.of(text)));
    SETTINGS.put("identity-header", (options, text) -> options.identityHeader = Optional.of(text));
    SETTINGS.put("trusted-proxy", (options, text) -> options.trustedProxies = list(text));
    SETTINGS.put("allow-host", (options, text) -> options.hosts = list(text));
    SETTINGS.put("show-payloads", (options, text) -> options.showPayloads = yesOrNo(text));
    SETTINGS.put("tzdb", (options, text) -> options.tzdb = List.of(text));
    SETTINGS.put("fires", (options, text) -> options.fires = number(text));
    SETTINGS.put("memory", (options, text) -> options.memory = Optional.of(number(text)));
  }

  private ConsoleSettings() {}

  /**
   * Removes the settings of the console from those of an instance.
   *
   * @return how to serve it; empty unless {@code console=on}
   * @throws Failure with every problem
   */
  static Optional<ConsoleOptions> take(Map<String, String> settings) {
    List<String> problems = new ArrayList<>();
    String state = Optional.ofNullable(settings.remove(SWITCH)).map(String::strip).orElse("off");
    if (!state.equals("on") && !state.equals("off")) {
      problems.add(SWITCH + ": \"" + state + "\" is neither on nor off");
    }
    ConsoleOptions options = new ConsoleOptions(ConsoleSettings::key);
    options.fires = FIRES;
    options.parts = PARTS;
    SETTINGS.forEach(
        (name, set) ->
            Optional.ofNullable(settings.remove(key(name)))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .ifPresent(text -> set(set, options, name, text, problems)));
    for (String unknown : List.copyOf(settings.keySet())) {
      if (unknown.startsWith(FIRST)) {
        settings.remove(unknown);
        problems.add(
            unknown
                + ": is no setting of the console; did you mean "
                + Nearest.to(unknown, SETTINGS.keySet().stream().map(ConsoleSettings::key).toList())
                + "?");
      }
    }
    if (problems.isEmpty() && state.equals("on")) {
      problems.addAll(options.problems());
    }
    if (!problems.isEmpty()) {
      throw new Failure(problems);
    }
    return state.equals("on") ? Optional.of(options) : Optional.empty();
  }

  private static String key(String option) {
    return FIRST + option.replace('-', '.');
  }

  private static void set(
      BiConsumer<ConsoleOptions, String> set,
      ConsoleOptions options,
      String name,
      String text,
      List<String> problems) {
    try {
      set.accept(options, text);
    } catch (IllegalArgumentException e) {
      problems.add(key(name) + ": \"" + text + "\" is not " + e.getMessage());
    }
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a whole number", e);
    }
  }

  private static Role role(String text) {
    return Stream.of(Role.values())
        .filter(role -> role.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("viewer, operator or editor"));
  }

  private static boolean yesOrNo(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("true or false");
    }
    return Boolean.parseBoolean(text);
  }

  private static List<String> list(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::strip)
        .filter(Predicate.not(String::isEmpty))
        .toList();
  }
}

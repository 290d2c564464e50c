package io.waterclock.cli.serve;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.console.access.Role;
import io.waterclock.schemas.text.Nearest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The settings of an instance that also serves a console: {@code console=on} and its details, which
 * are the options of the command console by other names.
 */
final class ConsoleSettings {
  private static final String SWITCH = "console";
  private static final String FIRST = "console.";

  /** A console in the process of a scheduler shares its heap: about 33 MB. */
  private static final int FIRES = 1_000_000;

  /** The console fills a quarter of the heap: 100 MB of the 400 that the manifests give. */
  private static final int PARTS = 4;

  private ConsoleSettings() {}

  /**
   * Removes the settings of the console from those of an instance.
   *
   * @return how to serve it; empty unless {@code console=on}
   */
  static Optional<ConsoleOptions> take(Map<String, String> settings) {
    List<String> problems = new ArrayList<>();
    String state = Optional.ofNullable(settings.remove(SWITCH)).map(String::strip).orElse("off");
    if (!state.equals("on") && !state.equals("off")) {
      problems.add(SWITCH + ": \"" + state + "\" is neither on nor off");
    }
    ConsoleOptions options = new ConsoleOptions(ConsoleSettings::key);
    CommandLine parser =
        new CommandLine(options)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExpandAtFiles(false)
            .setOverwrittenOptionsAllowed(true);
    parser.getCommandSpec().parser().collectErrors(true);
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("--fires=" + FIRES));
    for (OptionSpec option : parser.getCommandSpec().options()) {
      keys.add(key(option));
      values(option, Optional.ofNullable(settings.remove(key(option))).orElse(""))
          .forEach(text -> arguments.add(option.longestName() + "=" + text));
    }
    for (Exception problem : parser.parseArgs(arguments.toArray(String[]::new)).errors()) {
      problems.add(problem((ParameterException) problem));
    }
    options.parts = PARTS;
    for (String unknown : List.copyOf(settings.keySet())) {
      if (unknown.startsWith(FIRST)) {
        settings.remove(unknown);
        problems.add(
            unknown
                + ": is no setting of the console"
                + Nearest.slipOf(unknown, keys).map("; did you mean %s?"::formatted).orElse(""));
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

  private static String key(OptionSpec option) {
    return key(option.longestName().substring(2));
  }

  private static String key(String option) {
    return FIRST + option.replace('-', '.');
  }

  /** The values of a setting: a comma stands between several, but for data of time zones. */
  private static List<String> values(OptionSpec option, String text) {
    boolean isList = option.isMultiValue() && !option.longestName().equals("--tzdb");
    return Stream.of(isList ? text.split(",", -1) : new String[] {text})
        .map(String::strip)
        .filter(Predicate.not(String::isEmpty))
        .toList();
  }

  private static String problem(ParameterException wrong) {
    Class<?> type = wrong.getArgSpec().auxiliaryTypes()[0];
    return "%s: \"%s\" is not %s"
        .formatted(
            key((OptionSpec) wrong.getArgSpec()),
            wrong.getValue(),
            type == Role.class
                ? "viewer, operator or editor"
                : type == boolean.class
                    ? "true or false"
                    : type == URI.class ? "an address" : "a whole number");
  }
}

package io.waterclock.cli.source;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command of a crontab's entry, and its standard input.
 *
 * @param text for the shell
 * @param input behind the first percent sign; ends with a line end, unless it is empty
 */
record CrontabCommand(String text, Optional<String> input) {
  private static final Pattern TOKEN =
      Pattern.compile("&&|[|]{2}|[;|&()<>]|(?:\"[^\"]*\"|'[^']*'|[^\\s;|&()<>\"']++)++|[\"']");
  private static final Pattern OPERATOR = Pattern.compile("&&|[|]{2}|[;|&()]");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");

  /** Commands that prepare the one behind the next operator. */
  private static final Set<String> PREPARATIONS =
      Set.of(".", "[", "cd", "export", "mkdir", "set", "sleep", "source", "test", "true", "umask");

  /** Options that take the next word, of commands that run another one. */
  private static final Map<String, Set<String>> RUNNERS =
      Map.ofEntries(
          Map.entry("bash", Set.of()),
          Map.entry("chronic", Set.of()),
          Map.entry("env", Set.of("-u", "-C")),
          Map.entry("exec", Set.of("-a")),
          Map.entry("flock", Set.of("-E", "-w")),
          Map.entry("ionice", Set.of("-c", "-n")),
          Map.entry("java", Set.of("-cp", "-classpath")),
          Map.entry("nice", Set.of("-n")),
          Map.entry("nohup", Set.of()),
          Map.entry("perl", Set.of()),
          Map.entry("php", Set.of("-c", "-d")),
          Map.entry("python", Set.of()),
          Map.entry("python3", Set.of()),
          Map.entry("ruby", Set.of()),
          Map.entry("setsid", Set.of()),
          Map.entry("sh", Set.of()),
          Map.entry("sudo", Set.of("-g", "-u")),
          Map.entry("time", Set.of("-f", "-o")),
          Map.entry("timeout", Set.of("-k", "-s")));

  /** Of these, the first word that is no option is the lock or the time limit. */
  private static final Set<String> WITH_ARGUMENT = Set.of("flock", "timeout");

  private static final int LONGEST_READ = 1_000;

  private static final Set<String> SHELLS = Set.of("bash", "flock", "sh");

  /**
   * Reads what stands behind the fields, as cronie does: the first percent sign begins the input
   * unless a backslash escapes it, and a backslash escapes a backslash. In the input further
   * percent signs are line ends, and a backslash before one escapes it, whatever stands before.
   */
  static CrontabCommand read(String text) {
    StringBuilder command = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        return new CrontabCommand(command.toString().strip(), Optional.of(input(text, i + 1)));
      }
      boolean isEscape = c == '\\' && i + 1 < text.length();
      if (isEscape && text.charAt(i + 1) != '%') {
        command.append(c);
      }
      command.append(isEscape ? text.charAt(++i) : c);
    }
    return new CrontabCommand(command.toString().strip(), Optional.empty());
  }

  private static String input(String text, int from) {
    StringBuilder input = new StringBuilder();
    for (int i = from; i < text.length(); i++) {
      boolean isEscaped = text.startsWith("\\%", i);
      char c = text.charAt(isEscaped ? ++i : i);
      input.append(c == '%' && !isEscaped ? '\n' : c);
    }
    boolean isWhole = input.isEmpty() || input.charAt(input.length() - 1) == '\n';
    return isWhole ? input.toString() : input.append('\n').toString();
  }

  /**
   * The file name of the program that does the work, not of one that prepares or runs it: {@code
   * half.sh} of {@code cd /srv && flock -n /lock ./half.sh}.
   */
  String name() {
    Deque<String> words = new ArrayDeque<>();
    Matcher token = TOKEN.matcher(text.substring(0, Math.min(LONGEST_READ, text.length())));
    while (token.find()) {
      words.add(token.group());
    }
    String name = "entry";
    while (!words.isEmpty()) {
      String word = words.remove();
      String program = fileName(word);
      if (OPERATOR.matcher(word).matches() || ASSIGNMENT.matcher(word).matches()) {
        continue;
      }
      if (PREPARATIONS.contains(program)) {
        name = program;
        skipToOperator(words);
      } else if (RUNNERS.containsKey(program)) {
        Optional<String> script = skipOptions(program, words);
        if (script.isPresent()) {
          return new CrontabCommand(script.get(), Optional.empty()).name();
        }
        name = program;
      } else {
        return program;
      }
    }
    return name;
  }

  private static void skipToOperator(Deque<String> words) {
    while (!words.isEmpty() && !OPERATOR.matcher(words.peek()).matches()) {
      words.remove();
    }
  }

  /**
   * Skips what is between the name of a runner and the command that it runs.
   *
   * @return the command, if a shell has it as one word behind {@code -c}
   */
  private static Optional<String> skipOptions(String runner, Deque<String> words) {
    boolean needsArgument = WITH_ARGUMENT.contains(runner);
    while (!words.isEmpty() && (needsArgument || words.peek().startsWith("-"))) {
      String word = words.remove();
      if (!word.startsWith("-")) {
        needsArgument = false;
      } else if (word.endsWith("c") && SHELLS.contains(runner) && !words.isEmpty()) {
        return Optional.of(unquoted(words.remove()));
      } else if (RUNNERS.getOrDefault(runner, Set.of()).contains(word) && !words.isEmpty()) {
        words.remove();
      }
    }
    return Optional.empty();
  }

  private static String fileName(String word) {
    String path = unquoted(word);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String unquoted(String word) {
    boolean isQuoted = word.length() > 1 && List.of('"', '\'').contains(word.charAt(0));
    return isQuoted ? word.substring(1, word.length() - 1) : word;
  }
}

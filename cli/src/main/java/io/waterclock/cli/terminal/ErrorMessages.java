package io.waterclock.cli.terminal;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.testkit.EmbeddedKafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What goes wrong, as one sentence on standard error. A stack trace means a bug in Waterclock, and
 * only that.
 */
public final class ErrorMessages {
  private ErrorMessages() {}

  public static int ofExecution(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof WrongUsage) {
      return usage(failure, command);
    }
    if (failure instanceof InvalidTriggerException invalid) {
      say(invalid.field() + ": " + invalid.getMessage(), command);
      return ExitCode.SOFTWARE;
    }
    if (failure instanceof Failure known) {
      say(known.lines().get(0), command);
      known.lines().stream().skip(1).forEach(command.getErr()::println);
      return ExitCode.SOFTWARE;
    }
    if (failure instanceof EmbeddedKafkaException) {
      say(failure.getMessage(), command);
      return ExitCode.SOFTWARE;
    }
    failure.printStackTrace(command.getErr());
    return ExitCode.SOFTWARE;
  }

  public static int ofUsage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    int exitCode = usage(failure, command);
    UnmatchedArgumentException.printSuggestions(failure, command.getErr());
    return exitCode;
  }

  private static int usage(Exception failure, CommandLine command) {
    say(failure.getMessage(), command);
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("See '" + name + " --help' for how it is used.");
    return ExitCode.USAGE;
  }

  private static void say(@Nullable String sentence, CommandLine command) {
    command.getErr().println("waterclock: " + sentence);
  }
}

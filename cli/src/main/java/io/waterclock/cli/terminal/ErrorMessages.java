package io.waterclock.cli.terminal;

import io.waterclock.client.WaterclockException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.testkit.EmbeddedKafkaException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints failures as one sentence on standard error. A stack trace always means a bug in
 * Waterclock.
 */
public final class ErrorMessages {
  private ErrorMessages() {}

  public static int ofExecution(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof WrongUsage) {
      return usage(failure, command);
    }
    if (failure instanceof InvalidTriggerException invalid) {
      say(List.of(invalid.field() + ": " + invalid.getMessage()), command);
    } else if (failure instanceof Failure known) {
      say(known.lines(), command);
    } else if (failure instanceof InvalidValueException
        || failure instanceof InvalidIdException
        || failure instanceof WaterclockException
        || failure instanceof EmbeddedKafkaException) {
      say(List.of(String.valueOf(failure.getMessage())), command);
    } else if (Logs.areJson()) {
      SafeLogger.of(ErrorMessages.class).error("This is a bug in Waterclock", failure);
    } else {
      failure.printStackTrace(command.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  public static int ofUsage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    int exitCode = usage(failure, command);
    UnmatchedArgumentException.printSuggestions(failure, command.getErr());
    return exitCode;
  }

  private static int usage(Exception failure, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    say(
        List.of(String.valueOf(failure.getMessage()), "See '" + name + " --help' for its usage."),
        command);
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static void say(List<String> sentences, CommandLine command) {
    if (Logs.areJson()) {
      sentences.forEach(SafeLogger.of(ErrorMessages.class)::error);
    } else {
      command.getErr().println("waterclock: " + sentences.get(0));
      sentences.stream().skip(1).forEach(command.getErr()::println);
    }
  }
}

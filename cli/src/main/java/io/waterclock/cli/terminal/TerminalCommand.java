package io.waterclock.cli.terminal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command below {@link RootCommand}, which uses the terminal of the root. */
@Command
public abstract class TerminalCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  protected final Terminal terminal() {
    return ((RootCommand) spec.root().userObject()).terminal();
  }

  protected final void println(Object line) {
    terminal().println(line);
  }

  /** Prints a sentence for people on standard error. */
  protected final void note(String sentence) {
    terminal().note(sentence);
  }

  /** Refuses a value of an option below {@code least}. */
  protected static void requireLeast(String option, long value, long least) {
    if (value < least) {
      throw new WrongUsage(option + " must be at least " + least + ".");
    }
  }

  /** Refuses a value of an option below 1 or above {@code most}. */
  protected static void requireUpTo(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new WrongUsage(option + " must be from 1 to " + most + ", not " + value + ".");
    }
  }

  /** The current time, in milliseconds as records contain it. */
  protected final Instant now() {
    return terminal().clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }
}

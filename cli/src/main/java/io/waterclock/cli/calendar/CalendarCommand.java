package io.waterclock.cli.calendar;

import io.waterclock.cli.terminal.WrongUsage;
import picocli.CommandLine.Command;

/** The parent of the calendar commands. */
@Command(
    name = "calendar",
    description = {
      "Show and change calendars: dates on which the schedules that name them (--except) do not"
          + " occur.",
      "",
      "A change applies to the occurrences after it."
    },
    synopsisSubcommandLabel = "COMMAND")
public final class CalendarCommand implements Runnable {
  @Override
  public void run() {
    throw new WrongUsage("A command is missing: put, list, get or delete.");
  }
}

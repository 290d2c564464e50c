package io.waterclock.cli.calendar;

import io.waterclock.cli.terminal.WrongUsage;
import picocli.CommandLine.Command;

/** The group of the commands for calendars. */
@Command(
    name = "calendar",
    description = {
      "Show and change calendars: dates on which schedules do not occur that name them (--except).",
      "",
      "A change counts for occurrences after it; what was before stays as it was."
    },
    synopsisSubcommandLabel = "COMMAND")
public final class CalendarCommand implements Runnable {
  @Override
  public void run() {
    throw new WrongUsage("A command is missing: put, list, get or delete.");
  }
}

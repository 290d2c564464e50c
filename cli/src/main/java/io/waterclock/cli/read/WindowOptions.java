package io.waterclock.cli.read;

import io.waterclock.cli.terminal.WrongUsage;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A window of time. */
public final class WindowOptions {
  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description = "Only from this instant on, for example 2026-03-29T00:00:00Z.")
  Optional<String> from = Optional.empty();

  @Option(names = "--to", paramLabel = "INSTANT", description = "Only before this instant.")
  Optional<String> to = Optional.empty();

  /**
   * Inclusive.
   *
   * @throws WrongUsage if it is not an instant, or not before the end
   */
  public Instant from() {
    Instant start = from.map(text -> instant("--from", text)).orElse(Instant.MIN);
    if (!start.isBefore(to())) {
      throw new WrongUsage("--to must be later than --from.");
    }
    return start;
  }

  /**
   * Exclusive.
   *
   * @throws WrongUsage if it is no instant
   */
  public Instant to() {
    return to.map(text -> instant("--to", text)).orElse(Instant.MAX);
  }

  private static Instant instant(String option, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new WrongUsage(
          option + " must be an instant such as 2026-03-29T00:00:00Z, not \"" + text + "\".");
    }
  }
}

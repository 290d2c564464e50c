package io.waterclock.cli.read;

import io.waterclock.cli.terminal.TimeText;
import io.waterclock.cli.terminal.WrongUsage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import picocli.CommandLine.Option;

public final class WindowOptions {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only from this time on: an instant such as 2026-03-29T00:00:00Z, a date (in UTC), or a"
              + " duration, such as 2h for the last two hours.")
  Optional<String> from = Optional.empty();

  @Option(names = "--to", paramLabel = "TIME", description = "Only before this time.")
  Optional<String> to = Optional.empty();

  /** Inclusive. */
  public Instant from(Instant now) {
    Instant start = from.map(text -> time("--from", text, now)).orElse(Instant.MIN);
    if (!start.isBefore(to(now))) {
      throw new WrongUsage("--to must be later than --from.");
    }
    return start;
  }

  /** Exclusive. */
  public Instant to(Instant now) {
    return to.map(text -> time("--to", text, now)).orElse(Instant.MAX);
  }

  private static Instant time(String option, String text, Instant now) {
    return TimeText.AGO.parse(option, text, ZoneOffset.UTC, now);
  }
}

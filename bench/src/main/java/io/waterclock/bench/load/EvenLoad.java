package io.waterclock.bench.load;

import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of fires that are due evenly: how many a second, and for how long. */
public final class EvenLoad {
  private static final long MAX_FIRES = 20_000_000;
  private static final int MAX_SECONDS = 1_800;

  @Option(names = "--rate", description = "Fires per second; default ${DEFAULT-VALUE}.")
  private int rate = 1_000;

  @Option(names = "--seconds", description = "Default 30; with --quick 10.")
  private Optional<Integer> seconds = Optional.empty();

  @Option(names = "--warm-up", description = "Seconds not counted; default 60; with --quick 10.")
  private Optional<Integer> warmUp = Optional.empty();

  public int rate() {
    return Options.atLeast(1, "--rate", rate);
  }

  /**
   * @throws BadOptionException if it would take more than half an hour, or more fires than can be
   *     remembered
   */
  public void check(Options options) {
    int seconds = Math.toIntExact(warm(options).plus(counted(options)).toSeconds());
    Options.atMost(MAX_SECONDS, "--warm-up and --seconds together", seconds);
    if ((long) rate() * seconds > MAX_FIRES) {
      throw new BadOptionException(
          String.format(
              "--rate %d for %d s, warm-up included: wants %,d fires or less",
              rate, seconds, MAX_FIRES));
    }
  }

  /** How long they are not counted. */
  public Duration warm(Options options) {
    return Duration.ofSeconds(options.size("--warm-up", warmUp, 60, 10));
  }

  /** How long they are, then. */
  public Duration counted(Options options) {
    return Duration.ofSeconds(options.size("--seconds", seconds, 30, 10));
  }
}

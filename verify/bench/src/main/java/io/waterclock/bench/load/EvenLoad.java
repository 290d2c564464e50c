package io.waterclock.bench.load;

import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import java.time.Duration;
import java.time.Instant;
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

  /**
   * The load, which begins at the epoch: {@link OpenLoop#from} moves it.
   *
   * @throws BadOptionException if it would take more than half an hour, or more fires than can be
   *     remembered
   */
  public OpenLoop loop(Options options, ScheduleKind kind) {
    Options.atLeast(1, "--rate", rate);
    Duration warm = Duration.ofSeconds(options.size("--warm-up", warmUp, 60, 10));
    Duration counted = Duration.ofSeconds(options.size("--seconds", seconds, 30, 10));
    int all = Math.toIntExact(warm.plus(counted).toSeconds());
    Options.atMost(MAX_SECONDS, "--warm-up and --seconds together", all);
    if ((long) rate * all > MAX_FIRES) {
      throw new BadOptionException(
          String.format(
              "--rate %d for %d s, warm-up included: wants %,d fires or less",
              rate, all, MAX_FIRES));
    }
    return new OpenLoop(Instant.EPOCH, rate, warm, counted, kind);
  }
}

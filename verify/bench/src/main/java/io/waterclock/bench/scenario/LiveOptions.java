package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.LiveMeter;
import io.waterclock.bench.run.Options;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How long is measured while schedules fire every second. */
final class LiveOptions {
  @Option(
      names = "--seconds",
      description = "Counted before the load, or beside each attack; default 30, --quick 10.")
  private Optional<Integer> seconds = Optional.empty();

  @Option(names = "--warm-up", description = "Seconds before those; default 30, --quick 10.")
  private Optional<Integer> warmUp = Optional.empty();

  Duration warm(Options options) {
    return LiveMeter.seconds("--warm-up", options.size("--warm-up", warmUp, 30, 10));
  }

  Duration counted(Options options) {
    return LiveMeter.seconds("--seconds", options.size("--seconds", seconds, 30, 10));
  }
}

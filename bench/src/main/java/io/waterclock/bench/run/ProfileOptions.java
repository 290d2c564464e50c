package io.waterclock.bench.run;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a measurement takes of one scheduler, which can be recorded meanwhile. */
public final class ProfileOptions extends PlotOptions {
  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description =
          "Records the scheduler with JFR while it is measured, and prints where the time goes."
              + " The profiler costs a little itself.")
  private Optional<Path> profile = Optional.empty();

  @Override
  public Optional<Path> profile() {
    return profile;
  }
}

package io.waterclock.bench.run;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a measurement takes that has something to draw. */
public class PlotOptions extends Options {
  @Option(names = "--plot", paramLabel = "DIR", description = "Writes plots as SVG, too.")
  private Optional<Path> plots = Optional.empty();

  @Override
  public Optional<Path> plots() {
    return plots;
  }
}

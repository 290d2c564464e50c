package io.waterclock.bench.run;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The place of a measurement's data. */
public final class DataPlace {
  @Option(
      names = "--dir",
      description =
          "Where processes keep their data and logs, in a new directory at each start that stays;"
              + " default a temporary directory.")
  private Optional<Path> dir = Optional.empty();

  public Optional<Path> dir() {
    return dir;
  }
}

package io.waterclock.bench.run;

import picocli.CommandLine.Option;

/** The size of a measurement. */
public final class Scale {
  @Option(names = "--quick", description = "Small numbers: to see that it works, not to quote.")
  private boolean quick;

  @Option(
      names = "--full",
      description =
          "The largest numbers: a herd of a million, ten million schedules that wait. The rest"
              + " is as large as it gets without.")
  private boolean full;

  public boolean quick() {
    return quick;
  }

  public boolean full() {
    return full;
  }
}

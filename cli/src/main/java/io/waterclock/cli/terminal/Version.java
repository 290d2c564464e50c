package io.waterclock.cli.terminal;

import io.waterclock.occurrences.Tzdb;
import java.util.Optional;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** The versions that determine how schedules behave. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "waterclock " + ofThis(),
      "tzdb " + Tzdb.version(),
      "kafka " + AppInfoParser.getVersion(),
      "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  private static String ofThis() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(not packaged)");
  }
}

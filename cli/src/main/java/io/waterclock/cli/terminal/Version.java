package io.waterclock.cli.terminal;

import io.waterclock.client.topics.KafkaVersion;
import io.waterclock.occurrences.Tzdb;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The versions that determine how schedules behave. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "waterclock " + ofThis(),
      "tzdb " + Tzdb.version(),
      "kafka " + KafkaVersion.ofClients(),
      "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  private static String ofThis() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(not packaged)");
  }
}

package io.waterclock.cli.terminal;

/** The log levels of the Kafka clients on standard error. */
public final class KafkaLogs {
  private static final String LEVEL = "org.slf4j.simpleLogger.log.org.apache.kafka";

  private KafkaLogs() {}

  /**
   * Logs only errors about connections, for a command that stops its own broker while clients are
   * connected. Takes effect if called before the first logger exists.
   */
  public static void connectionErrorsOnly() {
    System.setProperty(LEVEL + ".clients.NetworkClient", "error");
  }

  /**
   * Logs only errors unless a system property sets a level, for commands that print failures
   * themselves. Takes effect if called before the first logger exists.
   */
  public static void errorsOnly() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "error");
    }
  }
}

package io.waterclock.cli.terminal;

/** How much the Kafka clients say on standard error. */
public final class KafkaLogs {
  private static final String LEVEL = "org.slf4j.simpleLogger.log.org.apache.kafka";

  private KafkaLogs() {}

  /**
   * Errors only of what concerns connections, for a command that ends its own broker while clients
   * are still connected. Takes effect if called before the first logger is made.
   */
  public static void connectionErrorsOnly() {
    System.setProperty(LEVEL + ".clients.NetworkClient", "error");
  }

  /**
   * Errors only, unless a system property says otherwise: for commands that put in their own words
   * what went wrong. Takes effect if called before the first logger is made.
   */
  public static void errorsOnly() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "error");
    }
  }
}

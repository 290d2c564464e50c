package io.waterclock.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Map;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Limits the logs of Kafka to errors, and those of the scheduler to warnings, unless the
 * configuration of the logs sets a level for them. For Logback and for SLF4J's simple logger.
 */
final class QuietLogs {
  static final Map<String, String> KAFKA = Map.of("org.apache.kafka", "error", "kafka", "error");
  private static final Map<String, String> SCHEDULER =
      Map.of("org.apache.kafka", "error", "io.waterclock", "warn");

  private QuietLogs() {}

  static void ofScheduler() {
    quiet(SCHEDULER);
  }

  static void ofKafka() {
    quiet(KAFKA);
  }

  private static void quiet(Map<String, String> levels) {
    // the simple logger reads these once for each logger, and prefers them to its file
    if (ClassLoader.getSystemResource("simplelogger.properties") == null) {
      levels.forEach(
          (logger, level) -> {
            String property = "org.slf4j.simpleLogger.log." + logger;
            System.setProperty(property, System.getProperty(property, level));
          });
    }
    quiet(LoggerFactory.getILoggerFactory(), levels);
  }

  static void quiet(ILoggerFactory factory, Map<String, String> levels) {
    // by name: without Logback its classes are absent
    if (factory.getClass().getName().equals("ch.qos.logback.classic.LoggerContext")) {
      LoggerContext logback = (LoggerContext) factory;
      levels.forEach(
          (name, level) -> {
            Logger logger = logback.getLogger(name);
            if (logger.getLevel() == null) {
              logger.setLevel(Level.toLevel(level));
            }
          });
    }
  }
}

package io.waterclock.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class LogsTest {
  @Test
  void requests_that_are_refused_before_they_are_read_write_no_lines() {
    assertThat(warns("org.eclipse.jetty.http.HttpParser")).isFalse();
    assertThat(warns("org.eclipse.jetty.util.HostPort")).isFalse();
    assertThat(warns("org.eclipse.jetty.server.Server")).isTrue();
  }

  /** Kafka moves classes to other packages; a level of the old name has no effect. */
  @Test
  void each_level_of_a_class_is_that_of_a_class_that_exists() throws IOException {
    Properties levels = new Properties();
    try (InputStream file = Logs.class.getResourceAsStream("/log.properties")) {
      levels.load(file);
    }
    assertThat(levels.stringPropertyNames())
        .map(key -> key.replace("log.level.", ""))
        .filteredOn(logger -> logger.matches(".*\\.[A-Z]\\w+"))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            logger ->
                assertThat(Logs.class.getResource("/" + logger.replace('.', '/') + ".class"))
                    .as(logger)
                    .isNotNull());
  }

  @Test
  void what_a_library_logs_is_one_line_without_controls_and_of_bounded_length() {
    Throwable cause = new IllegalStateException("bad \u009b2J");

    String text = line("host [\u009b2J\u202e\n2026 INFO forged " + "a".repeat(7_000), cause);

    assertThat(text.lines().findFirst().orElseThrow())
        .contains("WARN some.library - host [?2J??2026 INFO forged aaa")
        .hasSizeLessThan(4_100);
    assertThat(text).contains("\njava.lang.IllegalStateException: bad ?2J\n\tat ");
    assertThat(line("short", null)).endsWith(" WARN some.library - short\n");
  }

  private static String line(String message, @Nullable Throwable cause) {
    LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
    LoggingEvent event =
        new LoggingEvent(
            "", logback.getLogger("some.library"), Level.WARN, message, cause, new Object[0]);
    ConsoleAppender<ILoggingEvent> appender =
        (ConsoleAppender<ILoggingEvent>)
            logback.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
    return new String(appender.getEncoder().encode(event), UTF_8);
  }

  private static boolean warns(String logger) {
    return LoggerFactory.getLogger(logger).isWarnEnabled();
  }
}

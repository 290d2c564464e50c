package io.waterclock.cli.terminal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import co.elastic.logging.logback.EcsEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on standard error: its format and the levels of its loggers. {@code log.properties} has
 * the default levels. Logback finds this class as a service.
 */
public final class Logs extends ContextAwareBase implements Configurator {
  private static final String FORMAT = "log.format";
  private static final String LEVEL = "log.level.";

  /** Libraries log text of others as it came: no line of it controls a terminal, or is endless. */
  private static final String LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %level %logger - "
          + "%replace(%.-4000msg){'[\\p{Cc}\\p{Cf}]', '?'}%n"
          + "%replace(%ex){'[\\p{Cc}\\p{Cf}&&[^\\n\\t]]', '?'}";

  private static final String STANDARD_ERROR = "stderr";

  /** One line for each event, before any setting is known. */
  @Override
  public ExecutionStatus configure(LoggerContext logback) {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setName(STANDARD_ERROR);
    appender.setContext(logback);
    appender.setTarget("System.err");
    appender.setEncoder(text(logback));
    appender.start();
    logback.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    logback.addTurboFilter(new LoginFailures());
    setLevels(logback, defaults());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Applies the settings of the log ({@code log.format}, {@code log.level.LOGGER}) and removes them
   * from {@code settings}. Not thread-safe.
   */
  public static void configure(Map<String, String> settings) {
    LoggerContext logback = logback();
    String format = Objects.requireNonNullElse(settings.remove(FORMAT), "text");
    Encoder<ILoggingEvent> encoder =
        switch (format) {
          case "text" -> text(logback);
          case "json" -> json(logback);
          default -> throw new Failure(FORMAT + ": \"" + format + "\" is neither text nor json.");
        };
    appender(logback).setEncoder(encoder);
    setLevels(logback, settings);
    settings.keySet().removeIf(key -> key.startsWith(LEVEL));
  }

  /** Sets the level of the Kafka clients to WARN, for a server, unless {@code settings} name it. */
  public static void configureServer(Map<String, String> settings) {
    settings.putIfAbsent(LEVEL + "org.apache.kafka", "warn");
    configure(settings);
  }

  /** Whether the log is JSON; then standard error has nothing else. */
  public static boolean areJson() {
    return appender(logback()).getEncoder() instanceof EcsEncoder;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext logback) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setPattern(LINE);
    return started(encoder, logback);
  }

  /**
   * The field names of the Elastic Common Schema (https://www.elastic.co/guide/en/ecs/current/).
   */
  private static Encoder<ILoggingEvent> json(LoggerContext logback) {
    EcsEncoder encoder = new EcsEncoder();
    encoder.setServiceName("waterclock");
    return started(encoder, logback);
  }

  private static Encoder<ILoggingEvent> started(
      EncoderBase<ILoggingEvent> encoder, LoggerContext logback) {
    encoder.setContext(logback);
    encoder.start();
    return encoder;
  }

  private static void setLevels(LoggerContext logback, Map<String, String> settings) {
    settings.forEach(
        (key, text) -> {
          if (key.startsWith(LEVEL)) {
            Level level = Level.toLevel(text.strip(), null);
            if (level == null) {
              throw new Failure(
                  key + ": \"" + text + "\" is none of trace, debug, info, warn, error and off.");
            }
            logback.getLogger(key.substring(LEVEL.length())).setLevel(level);
          }
        });
  }

  private static Map<String, String> defaults() {
    Properties properties = new Properties();
    try (InputStream file = Logs.class.getResourceAsStream("/log.properties")) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> levels = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> levels.put(key, properties.getProperty(key)));
    return levels;
  }

  private static LoggerContext logback() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  private static ConsoleAppender<ILoggingEvent> appender(LoggerContext logback) {
    return (ConsoleAppender<ILoggingEvent>)
        logback.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(STANDARD_ERROR);
  }
}

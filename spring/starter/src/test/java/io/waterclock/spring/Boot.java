package io.waterclock.spring;

import io.waterclock.spring.boot.WaterclockAutoConfiguration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** The auto-configurations of the Spring Boot that the tests run with, 3.5 or 4.0. */
final class Boot {
  static final String IMPORTS =
      "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private static final List<String> OF_BOOT =
      List.of(
          "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
          "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration",
          "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
          "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
          "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration");

  private static final List<String> JDBC =
      List.of(
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
          "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
          "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration");

  private Boot() {}

  /** The interface for addresses that do not come from properties. */
  static Class<?> connectionDetails() {
    return present(
        List.of(
            "org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails",
            "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails"))[0];
  }

  /** An application whose worker and declared schedules stay away from Kafka. */
  static ApplicationContextRunner offline() {
    return application()
        .withPropertyValues(
            "waterclock.worker.enabled=false", "waterclock.schedules.enabled=false");
  }

  /** An application named {@code orders} with the starter. */
  static ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
        .withConfiguration(AutoConfigurations.of(present(OF_BOOT)))
        .withConfiguration(AutoConfigurations.of(starter()))
        .withPropertyValues("spring.application.name=orders");
  }

  /** Adds a database in memory. */
  static ApplicationContextRunner withDatabase(ApplicationContextRunner runner) {
    return runner
        .withConfiguration(AutoConfigurations.of(present(JDBC)))
        .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + System.nanoTime());
  }

  private static Class<?>[] present(List<String> names) {
    ClassLoader loader = Boot.class.getClassLoader();
    return names.stream()
        .filter(name -> ClassUtils.isPresent(name, loader))
        .map(name -> ClassUtils.resolveClassName(name, loader))
        .toArray(Class<?>[]::new);
  }

  /** The starter's own, as its file lists them for Spring Boot; without those for the other. */
  private static Class<?>[] starter() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    WaterclockAutoConfiguration.class.getResourceAsStream(IMPORTS)),
                StandardCharsets.UTF_8))) {
      return lines.lines().flatMap(Boot::loadable).toArray(Class<?>[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Spring Boot reads a class that cannot be loaded without loading it. */
  private static Stream<Class<?>> loadable(String name) {
    try {
      Class<?> type = Class.forName(name);
      Arrays.stream(type.getDeclaredMethods()).forEach(method -> {});
      Arrays.stream(type.getAnnotations()).forEach(annotation -> {});
      return Stream.of(type);
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      return Stream.empty();
    }
  }
}

package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.Test;

final class QuietLogsTest {
  private final LoggerContext logback = new LoggerContext();

  @Test
  void kafka_logs_errors_only() {
    QuietLogs.quiet(logback, QuietLogs.KAFKA);

    assertThat(logback.getLogger("org.apache.kafka.clients.Metadata").isWarnEnabled()).isFalse();
    assertThat(logback.getLogger("org.apache.kafka.clients.Metadata").isErrorEnabled()).isTrue();
    assertThat(logback.getLogger("com.example").isDebugEnabled()).isTrue();
  }

  @Test
  void a_level_that_the_configuration_sets_stays() {
    logback.getLogger("org.apache.kafka").setLevel(Level.TRACE);

    QuietLogs.quiet(logback, QuietLogs.KAFKA);

    assertThat(logback.getLogger("org.apache.kafka").getLevel()).isEqualTo(Level.TRACE);
  }
}

package io.waterclock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class LogsTest {
  @Test
  void requests_that_are_refused_before_they_are_read_write_no_lines() {
    assertThat(warns("org.eclipse.jetty.http.HttpParser")).isFalse();
    assertThat(warns("org.eclipse.jetty.server.Server")).isTrue();
  }

  private static boolean warns(String logger) {
    return LoggerFactory.getLogger(logger).isWarnEnabled();
  }
}

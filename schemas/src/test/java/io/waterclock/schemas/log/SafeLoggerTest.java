package io.waterclock.schemas.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class SafeLoggerTest {
  private final Written written = new Written();
  private final Logger log = SafeLogger.over(written);

  @Test
  void a_message_and_its_parameters_are_one_line() {
    log.warn("Rejected {} at {}: {}", "a\nINFO b", 7, List.of("\u001b[2J"));
    log.info("plain \u202e text");
    assertThat(written.lines)
        .containsExactly("Rejected a\\nINFO b at 7: [\\u001b[2J]", "plain \\u202e text");
  }

  @Test
  void an_exception_keeps_its_stack_trace_and_loses_its_line_ends() {
    IllegalStateException cause = new IllegalStateException("of\nERROR forged");
    RuntimeException thrown = new RuntimeException("outer", cause);
    log.error("failed", thrown);
    StringWriter trace = new StringWriter();
    Throwable told = written.thrown.get(0);
    told.printStackTrace(new PrintWriter(trace, true));
    assertThat(told.getStackTrace()).isEqualTo(thrown.getStackTrace());
    assertThat(trace.toString())
        .startsWith("java.lang.RuntimeException: outer")
        .contains("Caused by: java.lang.IllegalStateException: of\\nERROR forged")
        .doesNotContain("\nERROR");
  }

  @Test
  void an_exception_that_harms_nobody_is_logged_itself() {
    RuntimeException thrown = new RuntimeException("outer", new IllegalStateException("inner"));
    log.error("failed", thrown);
    assertThat(written.thrown.get(0)).isSameAs(thrown);
  }

  /** Backends ask for the text, the message and the cause. */
  @Test
  void an_exception_that_throws_when_it_is_asked_for_its_text_is_named_by_its_class() {
    RuntimeException thrown = new WithoutWords();
    log.error("failed", new IllegalStateException("outer", thrown));
    log.error("failed", thrown);
    log.warn("An object is {}", new WithoutWordsEither());
    assertThat(written.thrown).hasSize(2);
    for (Throwable logged : written.thrown) {
      StringWriter trace = new StringWriter();
      logged.printStackTrace(new PrintWriter(trace, true));
      assertThat(trace.toString()).contains(WithoutWords.class.getName());
    }
    assertThat(written.thrown.get(1).getStackTrace()).isEqualTo(thrown.getStackTrace());
    assertThat(written.lines).contains("An object is " + WithoutWordsEither.class.getName());
  }

  private static final class WithoutWords extends RuntimeException {
    @Override
    public String getMessage() {
      throw new NullPointerException("no message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new NullPointerException("no cause");
    }
  }

  private static final class WithoutWordsEither {
    @Override
    public String toString() {
      throw new AssertionError("no text");
    }
  }

  /** Takes what a backend would get. */
  private static final class Written extends LegacyAbstractLogger {
    private final transient List<String> lines = new ArrayList<>();
    private final transient List<Throwable> thrown = new ArrayList<>();

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        @Nullable Object @Nullable [] arguments,
        @Nullable Throwable throwable) {
      lines.add(MessageFormatter.basicArrayFormat(message, arguments));
      if (throwable != null) {
        thrown.add(throwable);
      }
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}

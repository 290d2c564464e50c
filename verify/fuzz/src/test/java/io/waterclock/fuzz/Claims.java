package io.waterclock.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.waterclock.schemas.text.SafeText;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/**
 * What every target claims of hostile input: a rejection has a message for people, and reading
 * costs what the input is long.
 */
public final class Claims {
  /** Longer than any message that quotes input in part. */
  private static final int LONGEST_MESSAGE = 200_000;

  /** For what does not depend on the length, such as the search of a cron expression over years. */
  private static final long FREE_BYTES = 16L << 20;

  private static final long BYTES_OF_A_BYTE = 10_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Claims() {}

  /** A rejection says what was wrong, at bounded length. */
  public static void rejected(Exception rejection) {
    assertThat(rejection.getMessage())
        .as("the message of %s", rejection.getClass())
        .isNotBlank()
        .hasSizeLessThan(LONGEST_MESSAGE);
  }

  /** The same, and the message is one line that is safe to show. */
  public static void rejectedInOneLine(Exception rejection) {
    rejected(rejection);
    assertThat(SafeText.line(rejection.getMessage())).isEqualTo(rejection.getMessage());
  }

  /**
   * Runs a reader and bounds what it allocates, in bytes, by the length of its input: a count, not
   * a time, so that a busy machine changes nothing. A reader that is beyond the bound runs once
   * more, as the first run also loads classes.
   */
  public static <T> T bounded(int inputLength, Callable<T> reader) throws Exception {
    long bound = FREE_BYTES + BYTES_OF_A_BYTE * inputLength;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    T result;
    try {
      result = reader.call();
    } catch (Exception e) {
      if (THREADS.getCurrentThreadAllocatedBytes() - before > bound) {
        again(inputLength, reader, bound);
      }
      throw e;
    }
    if (THREADS.getCurrentThreadAllocatedBytes() - before > bound) {
      again(inputLength, reader, bound);
    }
    return result;
  }

  private static void again(int inputLength, Callable<?> reader, long bound) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reader.call();
    } catch (Exception rejected) {
      // its caller has seen the same from the first run
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
        .as("bytes allocated for an input of %s bytes", inputLength)
        .isLessThan(bound);
  }
}

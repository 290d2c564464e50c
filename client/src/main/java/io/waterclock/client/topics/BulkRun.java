package io.waterclock.client.topics;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one or many changes in their order, with at most {@value #MOST_UNANSWERED} that wait for
 * their answers. Immutable.
 *
 * @param perSecond the most changes a second; infinite for no limit
 * @param silence the longest wait for an answer after the previous one
 */
public record BulkRun(double perSecond, Duration silence) {
  /** For changes whose answers have a time-out of their own. */
  public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final int MOST_UNANSWERED = 1_000;

  /** How many changes were sent, and how many of them were answered. */
  public record Progress(int sent, int answered) {
    /** False if no answer has come for too long. */
    public boolean isAnswered() {
      return answered == sent;
    }
  }

  /** As fast as the brokers allow. */
  public static BulkRun unlimited(Duration silence) {
    return new BulkRun(Double.POSITIVE_INFINITY, silence);
  }

  /**
   * Sends the changes, and returns when all that were sent are answered, or silence lasts too long.
   *
   * @param changes each sends a change; the calling thread takes the next one when its turn comes
   * @param goOn receives the answers on the calling thread, as they arrive; after false, nothing
   *     more is sent
   * @throws InterruptException if the thread is interrupted
   */
  public <T> Progress run(
      Iterator<Supplier<CompletableFuture<T>>> changes, Predicate<CompletableFuture<T>> goOn) {
    BlockingQueue<CompletableFuture<T>> arrived = new LinkedBlockingQueue<>();
    long begin = System.nanoTime();
    int sent = 0;
    int answered = 0;
    boolean isOpen = true;
    while (true) {
      boolean isNext = isOpen && sent - answered < MOST_UNANSWERED && changes.hasNext();
      if (!isNext && answered == sent) {
        return new Progress(sent, answered);
      }
      long wait =
          isNext ? begin + (long) (sent * 1e9 / perSecond) - System.nanoTime() : silence.toNanos();
      if (isNext && wait <= 0) {
        CompletableFuture<T> answer = changes.next().get();
        var unused = answer.whenComplete((result, failure) -> arrived.add(answer));
        sent++;
        wait = 0;
      }
      CompletableFuture<T> next = poll(arrived, wait);
      if (next != null) {
        answered++;
        isOpen &= goOn.test(next);
      } else if (!isNext) {
        return new Progress(sent, answered);
      }
    }
  }

  private static <T> @Nullable T poll(BlockingQueue<T> arrived, long nanos) {
    try {
      return arrived.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}

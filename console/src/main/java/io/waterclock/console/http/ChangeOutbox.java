package io.waterclock.console.http;

import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes to the scheduler, in the order in which they come, on a thread of its own: while no
 * broker answers, each may wait for many seconds, and a thread of the server that waited would
 * answer nothing else. A change that has waited for too long for its turn is not sent. Thread-safe.
 */
final class ChangeOutbox implements AutoCloseable {
  private static final int MOST_WAITING = 64;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final BooleanSupplier areBrokersAway;
  private final ThreadPoolExecutor thread;

  /**
   * @param areBrokersAway whether nothing can be read either: a change would wait in vain
   */
  ChangeOutbox(InstantSource clock, BooleanSupplier areBrokersAway) {
    this(MOST_WAITING, clock, areBrokersAway);
  }

  /**
   * @param most that wait for their turn
   */
  ChangeOutbox(int most, InstantSource clock, BooleanSupplier areBrokersAway) {
    this.clock = clock;
    this.areBrokersAway = areBrokersAway;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(most),
            DaemonThreads.named("waterclock-console-changes"));
  }

  /**
   * Sends a change when its turn comes.
   *
   * @param change sends it, and may wait for the brokers
   * @return the answer
   * @throws BadRequestException if too many wait, or the brokers are known to be away
   */
  <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> change) {
    if (areBrokersAway.getAsBoolean()) {
      throw new BadRequestException(503, "The Kafka brokers do not answer. Nothing was sent.");
    }
    Instant until = clock.instant().plus(LONGEST_WAIT);
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      thread.execute(() -> send(change, until, answer));
    } catch (RejectedExecutionException e) {
      throw new BadRequestException(503, "Too many changes wait for the brokers; try again.");
    }
    return answer;
  }

  private <T> void send(
      Supplier<CompletableFuture<T>> change, Instant until, CompletableFuture<T> answer) {
    if (clock.instant().isAfter(until)) {
      answer.completeExceptionally(
          new IllegalStateException("The brokers do not answer. The change was not sent."));
      return;
    }
    try {
      var unused = change.get().whenComplete((known, failure) -> end(answer, known, failure));
    } catch (RuntimeException | Error e) { // who waits for the answer holds something until then
      answer.completeExceptionally(e);
    }
  }

  private static <T> void end(
      CompletableFuture<T> answer, @Nullable T known, @Nullable Throwable failure) {
    if (known != null) {
      answer.complete(known);
    } else {
      answer.completeExceptionally(
          failure == null ? new IllegalStateException("there is no answer") : failure);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

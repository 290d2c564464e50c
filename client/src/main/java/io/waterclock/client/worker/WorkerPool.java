package io.waterclock.client.worker;

import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.Turn;
import io.waterclock.client.rules.Turns;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The threads that call handlers, and the watchdog that cancels handlers at their deadline. If a
 * handler does not end, the pool abandons its thread and starts another one, so that the number of
 * working threads stays the same.
 */
final class WorkerPool {
  private static final Logger LOG = SafeLogger.of(WorkerPool.class);
  private static final Duration BETWEEN_LETTERS = Duration.ofSeconds(1);

  private final WorkerContext worker;
  private final WorkQueue queue;
  private final CompletionHandler completionHandler;
  private final Consumer<Throwable> broken;
  private final AtomicInteger started = new AtomicInteger();
  private volatile boolean closed;

  /**
   * @param broken called when a thread ends because of a fault in the worker itself
   */
  WorkerPool(
      WorkerContext worker, CompletionHandler completionHandler, Consumer<Throwable> broken) {
    this.worker = worker;
    this.queue = worker.queue();
    this.completionHandler = completionHandler;
    this.broken = broken;
  }

  void start(int threads) {
    for (int i = 0; i < threads; i++) {
      startOne();
    }
    daemon(this::watch, "watchdog");
    daemon(this::resend, "letters");
    daemon(this::attend, "answers");
  }

  /** Ends the watchdog. The other threads end when the work queue is stopped. */
  void close() {
    closed = true;
    queue.wakeWatchdog();
  }

  private void startOne() {
    daemon(this::work, Integer.toString(started.incrementAndGet()));
  }

  private void daemon(Runnable task, String name) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                broken.accept(e);
              }
            },
            "waterclock-worker-" + worker.config().groupId() + "-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void work() {
    Optional<Turn<HandledRecord>> turn = queue.take();
    while (turn.isPresent()) {
      turn = next(turn.get());
    }
  }

  /** Carries out a turn, and waits for the next one. Empty when this thread is to end. */
  private Optional<Turn<HandledRecord>> next(Turn<HandledRecord> turn) {
    BufferedFire<HandledRecord> work = turn.work();
    if (turn instanceof Turn.Drop<HandledRecord> drop) {
      holdForLine(work);
      completionHandler.dropped(work, drop.reason(), drop.text());
      return done(work, false);
    }
    if (turn instanceof Turn.Run<HandledRecord> run) {
      return run(run);
    }
    if (turn instanceof Turn.Join<HandledRecord> join) {
      completionHandler.joins(work, join.at());
      return queue.take();
    }
    completionHandler.late(work);
    return queue.take();
  }

  private Optional<Turn<HandledRecord>> done(BufferedFire<HandledRecord> work, boolean isSettled) {
    if (!work.policy().retry().isInOrder()) {
      return queue.doneAndTake(work, isSettled);
    }
    queue.done(work, isSettled);
    var unused = worker.memory().storeLine(work).thenRun(() -> queue.settle(work.mark()));
    return queue.take();
  }

  /** No offset is committed before the line of the schedule is stored: {@link #done} stores it. */
  private void holdForLine(BufferedFire<HandledRecord> work) {
    if (work.policy().retry().isInOrder()) {
      queue.hold(work.mark());
    }
  }

  private Optional<Turn<HandledRecord>> run(Turn.Run<HandledRecord> turn) {
    BufferedFire<HandledRecord> work = turn.work();
    ActiveRun run = work.attachment().run().orElseThrow();
    Optional<Throwable> failure = call(turn, run);
    if (!run.end()) {
      return Optional.empty(); // abandoned, and replaced by another thread
    }
    if (failure.isEmpty()) {
      holdForLine(work);
      return done(work, completionHandler.returned(work, run));
    }
    completionHandler.failed(work, run.output(), failure.get());
    return queue.take();
  }

  /**
   * An {@link Error} of the handler, for example a missing class, is a failed attempt like any
   * exception.
   */
  private Optional<Throwable> call(Turn.Run<HandledRecord> turn, ActiveRun run) {
    BufferedFire<HandledRecord> work = turn.work();
    try {
      if (worker.config().isOrdered() && turn.isStart() && work.policy().tolerance().isPresent()) {
        worker
            .memory()
            .started(work.fire(), work.attachment().record(), work.startedAt().orElseThrow());
      }
      completionHandler.started(work);
      work.attachment().handler().handle(run);
      return Optional.empty();
    } catch (Throwable e) {
      return Optional.of(e);
    }
  }

  private void watch() {
    while (!closed) {
      for (Turns.Overdue<HandledRecord> overdue : queue.overdue()) {
        BufferedFire<HandledRecord> work = overdue.work();
        work.attachment()
            .run()
            .ifPresent(
                run -> {
                  if (overdue.isAbandoned()) {
                    abandon(work, run);
                  } else {
                    LOG.warn(
                        "{} is cancelled: it has run for its timeout of {}, the field timeout of"
                            + " its schedule, or half its interval",
                        run.fireKey(),
                        work.policy().timeout().map(Duration::toString).orElse("none"));
                    run.cancel();
                  }
                });
      }
    }
  }

  /**
   * Runs apart from all others: if the topic does not exist, each dead letter blocks for a while.
   */
  private void resend() {
    while (!closed) {
      worker.outbox().resend();
      LockSupport.parkNanos(BETWEEN_LETTERS.toNanos());
    }
  }

  private void attend() {
    while (!closed) {
      worker.outbox().attend(BETWEEN_LETTERS);
    }
  }

  private void abandon(BufferedFire<HandledRecord> work, ActiveRun run) {
    if (run.abandon()) {
      startOne();
      IllegalStateException hanging =
          new IllegalStateException(
              "the handler did not end when it was cancelled; its thread %s is abandoned"
                  .formatted(run.thread().getName()));
      hanging.setStackTrace(run.thread().getStackTrace());
      completionHandler.failed(work, run.output(), hanging);
    }
  }
}

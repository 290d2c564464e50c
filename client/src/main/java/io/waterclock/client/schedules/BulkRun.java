package io.waterclock.client.schedules;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends one change to many schedules, at a rate, with at most {@value #MOST_UNANSWERED} that wait
 * for their answer. For one run.
 */
final class BulkRun {
  private static final int MOST_UNANSWERED = 1_000;

  private final Function<String, CompletableFuture<Answer>> change;
  private final Consumer<Answer> each;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
  private final Semaphore free = new Semaphore(MOST_UNANSWERED);

  BulkRun(Function<String, CompletableFuture<Answer>> change, Consumer<Answer> each) {
    this.change = change;
    this.each = each;
  }

  /** Returns when every change has its answer or has failed. */
  BulkResult run(List<String> ids, Duration interval) {
    long begin = System.nanoTime();
    for (int i = 0; i < ids.size(); i++) {
      long at = begin + i * interval.toNanos();
      for (long wait = at - System.nanoTime(); wait > 0; wait = at - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      send(ids.get(i));
    }
    free.acquireUninterruptibly(MOST_UNANSWERED);
    return new BulkResult(answers, failures);
  }

  private void send(String id) {
    free.acquireUninterruptibly();
    var unused =
        change
            .apply(id)
            .whenComplete(
                (answer, failure) -> {
                  try {
                    if (failure == null) {
                      answers.put(id, answer);
                      each.accept(answer);
                    } else {
                      failures.put(id, failure);
                    }
                  } finally {
                    free.release();
                  }
                });
  }
}

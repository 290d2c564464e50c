package io.waterclock.console.jobs;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Results that take long and that many ask for: each is computed once, and kept for a while. The
 * first one who asks computes it on its own thread; those who ask meanwhile get a future, and hold
 * no thread. Thread-safe.
 */
public final class SharedResults<K, V> {
  private final int most;
  private final Map<K, CompletableFuture<Kept<V>>> newest = new HashMap<>();

  /**
   * A result.
   *
   * @param until exclusive: when it is too old
   */
  public record Kept<V>(V value, Instant until) {}

  /**
   * @param most with more, all are computed anew
   */
  public SharedResults(int most) {
    this.most = most;
  }

  /**
   * The newest result, or the one that is being computed.
   *
   * @param work computes one now, on this thread, if there is none; if it throws, so does this, the
   *     futures of those who wait for it fail, and the next one who asks computes again
   */
  public CompletableFuture<V> get(K key, Instant now, Supplier<Kept<V>> work) {
    CompletableFuture<Kept<V>> own = new CompletableFuture<>();
    CompletableFuture<Kept<V>> found = find(key, now, own);
    if (found == own) {
      compute(own, work);
    }
    return found.thenApply(Kept::value);
  }

  /** Takes its own one for the newest if there is none that can be used. */
  private synchronized CompletableFuture<Kept<V>> find(
      K key, Instant now, CompletableFuture<Kept<V>> own) {
    CompletableFuture<Kept<V>> known = newest.get(key);
    if (known != null && isOfUse(known, now)) {
      return known;
    }
    newest.values().removeIf(one -> !isOfUse(one, now));
    if (newest.size() >= most) {
      newest.clear();
    }
    newest.put(key, own);
    return own;
  }

  private static <V> boolean isOfUse(CompletableFuture<Kept<V>> one, Instant now) {
    return !one.isDone() || (!one.isCompletedExceptionally() && now.isBefore(one.join().until()));
  }

  private static <V> void compute(CompletableFuture<Kept<V>> own, Supplier<Kept<V>> work) {
    try {
      own.complete(work.get());
    } catch (RuntimeException | Error e) {
      own.completeExceptionally(e);
      throw e;
    }
  }
}

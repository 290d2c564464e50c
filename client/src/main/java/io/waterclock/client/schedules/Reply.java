package io.waterclock.client.schedules;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A future whose {@link #join} throws its failure, and not a {@link CompletionException}. */
final class Reply<T> extends CompletableFuture<T> {
  static <T> Reply<T> failed(Throwable failure) {
    Reply<T> reply = new Reply<>();
    reply.completeExceptionally(failure);
    return reply;
  }

  @Override
  public T join() {
    try {
      return super.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Reply<>();
  }
}

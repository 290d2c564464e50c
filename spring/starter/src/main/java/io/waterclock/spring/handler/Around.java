package io.waterclock.spring.handler;

import io.waterclock.client.worker.FireHandler;

/** Adds something to the handlers of annotated methods: a transaction, an observation. */
@FunctionalInterface
public interface Around {
  /**
   * Returns a handler that calls the given one.
   *
   * @throws IllegalArgumentException if the method asks for something that the application lacks
   */
  FireHandler wrap(FireHandler handler, HandlerMethod method);
}

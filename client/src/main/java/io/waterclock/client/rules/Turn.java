package io.waterclock.client.rules;

import java.time.Instant;
import java.util.Optional;

/**
 * What a worker's thread does with a fire whose turn has come.
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public sealed interface Turn<A> {
  BufferedFire<A> work();

  /**
   * Run it: the attempt with the number {@link BufferedFire#attempt}.
   *
   * @param isStart true for the first attempt of a run that counts as its schedule's last start
   */
  record Run<A>(BufferedFire<A> work, boolean isStart) implements Turn<A> {}

  /** Fail it: its timeout ended before a thread could retry it. */
  record Late<A>(BufferedFire<A> work) implements Turn<A> {}

  /**
   * It joins the line behind a fire of its schedule that waits for a retry.
   *
   * @param at when it returns; empty if the line is full
   */
  record Join<A>(BufferedFire<A> work, Optional<Instant> at) implements Turn<A> {}

  /**
   * Drop it.
   *
   * @param text the reason, for a person
   */
  record Drop<A>(BufferedFire<A> work, DropReason reason, String text) implements Turn<A> {}
}

package io.waterclock.client.rules;

/**
 * What is to be done with a fire whose turn has come.
 *
 * @param <A> what the fire is carried with
 */
public sealed interface Turn<A> {
  Work<A> work();

  /**
   * Run it: the attempt that {@link Work#attempt} says.
   *
   * @param isStart true for the first attempt of a run that counts as its schedule's last start
   */
  record Run<A>(Work<A> work, boolean isStart) implements Turn<A> {}

  /** It has failed: its time box was over before it could be tried again. */
  record Late<A>(Work<A> work) implements Turn<A> {}

  /** Leave it. */
  record Drop<A>(Work<A> work, DropReason reason, String text) implements Turn<A> {}
}

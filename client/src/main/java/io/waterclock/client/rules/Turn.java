package io.waterclock.client.rules;

/**
 * What is to be done with a fire whose turn has come.
 *
 * @param <A> what the fire is carried with
 */
public sealed interface Turn<A> {
  BufferedFire<A> work();

  /**
   * Run it: the attempt that {@link BufferedFire#attempt} says.
   *
   * @param isStart true for the first attempt of a run that counts as its schedule's last start
   */
  record Run<A>(BufferedFire<A> work, boolean isStart) implements Turn<A> {}

  /** It has failed: its time box was over before it could be tried again. */
  record Late<A>(BufferedFire<A> work) implements Turn<A> {}

  /** Leave it. */
  record Drop<A>(BufferedFire<A> work, DropReason reason, String text) implements Turn<A> {}
}

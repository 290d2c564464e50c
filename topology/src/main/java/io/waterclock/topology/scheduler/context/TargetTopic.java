package io.waterclock.topology.scheduler.context;

/** What is known of a topic that a schedule names as its target. */
public sealed interface TargetTopic {
  /**
   * The topic is there.
   *
   * @param maxBytes inclusive: what a record may take that is written to it
   */
  record Present(int maxBytes) implements TargetTopic {}

  /** There is no such topic, or none that the scheduler may see. */
  record Missing() implements TargetTopic {}

  /** No broker has answered. */
  record Unknown() implements TargetTopic {}
}

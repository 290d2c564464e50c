package io.waterclock.topology.scheduler.context;

/** The known facts about a target topic. */
public sealed interface TargetTopic {
  /**
   * The topic exists.
   *
   * @param maxBytes inclusive: the largest record that the topic accepts
   * @param partitions how many the topic has, or more if that is not known
   */
  record Present(int maxBytes, int partitions) implements TargetTopic {}

  /** The topic does not exist, or the scheduler may not see it. */
  record Missing() implements TargetTopic {}

  /** No broker has answered. */
  record Unknown() implements TargetTopic {}
}

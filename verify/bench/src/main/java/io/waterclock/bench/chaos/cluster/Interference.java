package io.waterclock.bench.chaos.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * What a proxy does to the connections of one scheduler, besides carrying requests and responses.
 */
public sealed interface Interference {
  /** Nothing. */
  record None() implements Interference {}

  /** Every frame takes longer, in each direction. */
  record Delay(Duration by) implements Interference {}

  /** All connections are closed, and none is accepted. */
  record Cut() implements Interference {}

  /** Connections stay, and frames of these directions wait until it is over, then are lost. */
  record HalfOpen(boolean requests, boolean responses) implements Interference {}

  /**
   * The brokers commit transactions, and their responses are lost: the connection is closed when it
   * is over.
   *
   * @param hits counts them
   */
  record WithholdCommit(AtomicInteger hits) implements Interference {}

  /**
   * Requests of a kind are answered with an error and do not reach the brokers.
   *
   * @param most how many
   * @param hits counts them
   */
  record Fail(ApiKeys request, Errors error, int most, AtomicInteger hits)
      implements Interference {}

  /** How many requests were hit; empty if it hits whatever comes. */
  default Optional<Integer> counted() {
    if (this instanceof WithholdCommit withhold) {
      return Optional.of(withhold.hits().get());
    }
    return this instanceof Fail fail ? Optional.of(fail.hits().get()) : Optional.empty();
  }
}

package io.waterclock.runtime.brokers;

/** A topic is wrong, or the cluster does not answer. The message says how to fix it. */
public final class TopicException extends RuntimeException {
  TopicException(String message) {
    super(message);
  }
}

package io.waterclock.connect.rules;

import java.util.Optional;

/** The result of one attempt to deliver a fire. */
public sealed interface HttpResult {

  /**
   * The server has answered.
   *
   * @param retryAfter the value of the header {@code Retry-After}
   * @param body the beginning of the answer's body, for a person
   */
  record Status(int code, Optional<String> retryAfter, String body) implements HttpResult {}

  /**
   * The server has not answered.
   *
   * @param reason the reason, for a person
   * @param temporary whether another attempt may succeed
   */
  record None(String reason, boolean temporary) implements HttpResult {}
}

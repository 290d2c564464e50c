package io.waterclock.connect.rules;

import java.util.Optional;

/** What came of one attempt to deliver a fire. */
public sealed interface HttpResult {

  /**
   * The server has answered.
   *
   * @param retryAfter the header of that name, as it came
   * @param body its beginning, for people
   */
  record Status(int code, Optional<String> retryAfter, String body) implements HttpResult {}

  /**
   * There was no answer.
   *
   * @param reason for people
   * @param temporary whether another attempt may fare better
   */
  record None(String reason, boolean temporary) implements HttpResult {}
}
